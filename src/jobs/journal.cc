#include "jobs/journal.h"

#include <cerrno>
#include <cstring>

#include "base/descriptor.h"
#include "base/json_reader.h"
#include "base/system.h"
#include "slm/errors.h"

namespace slm {
Journal::Journal(const std::string& path, const Json& header, bool resume) : path_(path) {
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) throw RuntimeFailure("cannot write " + path + ": " + std::strerror(errno));
  try {
    if (LockExclusively(fd_) != 0) {
      throw DataError(path + " is in use by another search; wait for it, or name another " +
                      FieldRef("journal"));
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
    throw DataError(path_ + " already exists; " + FieldRef("resume") +
                    " continues its search, or name another file");
  }
  const size_t whole = content.rfind('\n') + 1;  // npos + 1 is 0
  try {
    // Of a file without a single whole line only the beginning of this very header may go.
    if (whole == 0 && !header.Dump().starts_with(content)) throw DataError("line 1 has no end");
    for (size_t at = 0, number = 1; at < whole; ++number) {
      const size_t end = content.find('\n', at);
      Json line = ParseJson(std::string_view(content).substr(at, end - at), number);
      if (number == 1) {
        line["schema"];  // complains about a file of something else
        if (const std::string other = FirstDifference(line, header); !other.empty()) {
          throw DataError(path_ + " is the journal of another search: " + other +
                          "; search as before, or name another " + FieldRef("journal"));
        }
      } else {
        ReadFields<Trial>(line);  // complains now about what is missing in it
        lines_.push_back(std::move(line));
      }
      at = end + 1;
    }
  } catch (const InputError& error) {
    const std::string what = error.what();
    if (what.starts_with(path_)) throw;
    throw DataError(path_ + " is not a journal of slm tune: " + what + "; name another " +
                    FieldRef("journal"));
  }
  if (whole < content.size()) cut_ = whole;
  if (whole == 0) {
    Write(header);
    SyncDirectoryOf(path_);
  }
}

void Journal::Write(const Json& line) {
  if (cut_) {
    if (::ftruncate(fd_, static_cast<off_t>(*cut_)) != 0) {
      throw RuntimeFailure("cannot write " + path_ + ": " + std::strerror(errno));
    }
    cut_.reset();
  }
  if (!WriteAll(fd_, line.Dump() + "\n")) {
    throw RuntimeFailure("cannot write " + path_ + ": " + std::strerror(errno));
  }
  // Pipes and devices, which cannot be resumed from either, cannot be synchronised.
  if (SyncToDisk(fd_) != 0 && errno != EINVAL && errno != EROFS) {
    throw RuntimeFailure("cannot write " + path_ + ": " + std::strerror(errno));
  }
}

void Journal::Append(const Trial& trial) {
  std::lock_guard lock(mutex_);
  Write(WriteFields(trial));
}

bool Journal::Find(Trial* trial) const {
  for (const Json& line : lines_) {
    if (line["trial"].integer() != trial->index || line["budget"].number() != trial->budget) {
      continue;
    }
    if (line["settings"].Dump() != SettingsToJson(trial->settings).Dump()) {
      throw DataError(path_ + " has other settings for trial " + std::to_string(trial->index) +
                      " than this search; name another " + FieldRef("journal"));
    }
    Trial found = ReadFields<Trial>(line);
    found.settings = std::move(trial->settings);
    *trial = std::move(found);
    return true;
  }
  return false;
}

}  // namespace slm
