#include "eval/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "base/json_reader.h"
#include "base/random.h"
#include "base/text.h"
#include "slm/errors.h"

namespace slm {
namespace {

Trial TrialFromJson(const Json& line) {
  Trial trial;
  trial.index = static_cast<int>(line["trial"].integer());
  trial.budget = line["budget"].number();
  if (const Json* failure = line.Find("failure")) trial.failure = failure->text();
  for (const Json& item : line["selected"].array()) {
    trial.selected.push_back({static_cast<int>(item["rank"].integer()), item["name"].text(),
                              static_cast<int>(item["index"].integer()),
                              static_cast<float>(item["weight"].number())});
  }
  trial.valid_metric = line["valid"].number();
  trial.valid_loss = line["loss"].number();
  trial.seconds = line["seconds"].number();
  return trial;
}

std::string ReadAll(int fd, const std::string& path) {
  std::string content;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(fd, buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw DataError("cannot read " + path + ": " + std::strerror(errno));
    if (got == 0) return content;
    content.append(buffer, static_cast<size_t>(got));
  }
}

void RequireSameHeader(const Json& found, const Json& wanted, const std::string& path) {
  found["schema"];  // complains about a file of something else
  for (const auto& [key, value] : wanted.object()) {
    const Json* own = found.Find(key);
    const std::string has = own == nullptr ? "none" : own->Dump(), wants = value.Dump();
    if (has == wants) continue;
    throw DataError(path + " is the journal of another search: its " + key + " is " + has +
                    ", that of this one is " + wants +
                    "; search as before, or name another --journal");
  }
}

}  // namespace

Json SettingsToJson(const std::vector<OptionSetting>& settings) {
  Json json = Json::MakeObject();
  for (const OptionSetting& setting : settings) {
    const std::string& text = setting.value;
    int64_t integer;
    double real;
    if (text == "true" || text == "false") {
      json.Add(setting.name, text == "true");
    } else if (ParseNumber(text, &integer)) {
      json.Add(setting.name, integer);
    } else if (ParseNumber(text, &real)) {
      json.Add(setting.name, real);
    } else {
      json.Add(setting.name, text);
    }
  }
  return json;
}

Json Trial::ToJson() const {
  Json json = Json::MakeObject();
  json.Add("trial", index);
  json.Add("budget", budget);
  json.Add("settings", SettingsToJson(settings));
  if (!failure.empty()) json.Add("failure", failure);
  json.Add("selected", SelectedToJson(selected));
  json.Add("valid", valid_metric);
  json.Add("loss", valid_loss);
  json.Add("seconds", seconds);
  return json;
}

Journal::Journal(const std::string& path, const Json& header, bool resume) : path_(path) {
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) throw RuntimeFailure("cannot write " + path + ": " + std::strerror(errno));
  try {
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
      throw DataError(path +
                      " is in use by another search; wait for it, or name another --journal");
    }
    Read(header, resume);
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

Journal::~Journal() { ::close(fd_); }

void Journal::Read(const Json& header, bool resume) {
  const std::string content = ReadAll(fd_, path_);
  if (!content.empty() && !resume) {
    throw DataError(path_ +
                    " is there already; --resume goes on with its search, or name another file");
  }
  const size_t whole = content.rfind('\n') + 1;  // npos + 1 is 0
  try {
    // Of a file without a single whole line only the beginning of this very header may go.
    if (whole == 0 && !header.Dump().starts_with(content)) throw DataError("line 1 has no end");
    for (size_t at = 0, number = 1; at < whole; ++number) {
      const size_t end = content.find('\n', at);
      Json line = ParseJson(std::string_view(content).substr(at, end - at), number);
      if (number == 1) {
        RequireSameHeader(line, header, path_);
      } else {
        TrialFromJson(line);  // complains now about what is missing in it
        lines_.push_back(std::move(line));
      }
      at = end + 1;
    }
  } catch (const InputError& error) {
    const std::string what = error.what();
    if (what.starts_with(path_)) throw;
    throw DataError(path_ + " is not a journal of slm tune: " + what + "; name another --journal");
  }
  if (::ftruncate(fd_, static_cast<off_t>(whole)) != 0) {
    throw RuntimeFailure("cannot write " + path_ + ": " + std::strerror(errno));
  }
  if (whole == 0) Write(header);
}

void Journal::Write(const Json& line) {
  const std::string text = line.Dump() + "\n";
  for (size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(fd_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw RuntimeFailure("cannot write " + path_ + ": " + std::strerror(errno));
    done += static_cast<size_t>(written);
  }
  // Pipes and devices, which cannot be resumed from either, cannot be synchronised.
  if (::fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) {
    throw RuntimeFailure("cannot write " + path_ + ": " + std::strerror(errno));
  }
}

void Journal::Append(const Trial& trial) {
  std::lock_guard lock(mutex_);
  Write(trial.ToJson());
}

bool Journal::Find(Trial* trial) const {
  for (const Json& line : lines_) {
    if (line["trial"].integer() != trial->index || line["budget"].number() != trial->budget) {
      continue;
    }
    if (line["settings"].Dump() != SettingsToJson(trial->settings).Dump()) {
      throw DataError(path_ + " has other settings for trial " + std::to_string(trial->index) +
                      " than this search; name another --journal");
    }
    Trial found = TrialFromJson(line);
    found.settings = std::move(trial->settings);
    *trial = std::move(found);
    return true;
  }
  return false;
}

std::string Fingerprint(const Table& table) {
  uint64_t hash = MixBits(table.rows);
  auto add = [&](uint64_t bits) { hash = MixBits(hash ^ bits) + 0x9e3779b97f4a7c15ULL; };
  auto add_text = [&](const std::string& text) {
    add(text.size());
    for (char c : text) add(static_cast<unsigned char>(c));
  };
  for (const Column& column : table.columns) {
    add_text(column.name);
    add(static_cast<uint64_t>(column.type));
    for (double x : column.numbers) add(std::isnan(x) ? ~uint64_t{0} : std::bit_cast<uint64_t>(x));
    for (int32_t code : column.codes) add(static_cast<uint64_t>(code));
    for (const std::string& level : column.levels) add_text(level);
  }
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text.push_back(kHex[(hash >> shift) & 15]);
  return text;
}

}  // namespace slm
