#include "base/checkpoint.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/descriptor.h"
#include "base/json_reader.h"
#include "base/output.h"
#include "base/random.h"
#include "base/system.h"
#include "base/text.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr std::string_view kSchema = "slm.checkpoint/1";
constexpr const char* kTemporary = ".part";  // a kill leaves at most one behind

}  // namespace

std::string Checkpoint::ChecksumOf(std::string_view bytes) {
  uint64_t hash = MixBits(bytes.size());
  for (size_t at = 0; at < bytes.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof(word), bytes.size() - at));
    hash = MixBits(hash ^ word) + 0x9e3779b97f4a7c15ULL;
  }
  return FormatHex(hash);
}

Checkpoint::Checkpoint(std::string path, const Json& identity, bool resume, double seconds)
    : path_(std::move(path)), identity_(identity), seconds_(seconds) {
  lock_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool exists = lock_ >= 0;
  if (!exists && errno != ENOENT) {
    throw DataError("cannot read " + path_ + ": " + std::strerror(errno));
  }
  try {
    if (exists) {
      struct stat status {};
      if (::fstat(lock_, &status) != 0 || !S_ISREG(status.st_mode)) {
        throw DataError(path_ + " is not a file; name one for " + FieldRef("checkpoint"));
      }
      if (LockExclusively(lock_) != 0) {
        throw DataError(path_ + " is in use by another run; wait for it, or name another file");
      }
      if (!resume) {
        throw DataError(path_ + " already exists; " + FieldRef("resume") +
                        " continues its run, or name another file");
      }
      Read(ReadAll(lock_, path_));
    } else {
      Write(entries_);
    }
    writer_ = std::thread([this] { WriteEveryFewSeconds(); });
  } catch (...) {
    if (lock_ >= 0) ::close(lock_);
    throw;
  }
}

Checkpoint::~Checkpoint() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  writer_.join();
  ::close(lock_);
}

void Checkpoint::Read(std::string_view content) {
  const size_t end = content.find('\n');
  try {
    if (end == std::string_view::npos) throw DataError("its first line has no end");
    const Json head = ParseJson(content.substr(0, end));
    if (head["schema"].text() != kSchema) {
      throw DataError("its schema is " + head["schema"].Dump());
    }
    if (const std::string other = FirstDifference(head["run"], identity_); !other.empty()) {
      throw DataError("it belongs to another run: " + other);
    }
    const std::string_view bytes = content.substr(end + 1);
    if (head["checksum"].text() != ChecksumOf(bytes)) throw DataError("it is damaged");
    Archive archive(bytes);
    while (archive.left() > 0) {
      std::string name, value;
      Entry entry;
      archive.Text(name);
      uint8_t finished = 0;
      archive.Value(finished);
      entry.finished = finished != 0;
      archive.Text(value);
      entry.bytes = std::make_shared<const std::string>(std::move(value));
      entries_[name] = std::move(entry);
    }
  } catch (const InputError& error) {
    throw DataError("cannot resume from the checkpoint " + path_ + ": " + error.what() +
                    "; run it as before, or name another " + FieldRef("checkpoint"));
  }
}

bool Checkpoint::Find(const std::string& name, bool finished, const Serializer& read) const {
  std::shared_ptr<const std::string> bytes;
  {
    std::lock_guard lock(mutex_);
    const auto found = entries_.find(name);
    if (found == entries_.end() || found->second.finished != finished) return false;
    bytes = found->second.bytes;
  }
  try {
    Archive archive(*bytes);
    read(archive);
    archive.End();
  } catch (const InputError& error) {
    // Not an InputError, which would be taken for a complaint about the piece's settings.
    throw CheckpointFailure("cannot resume from the checkpoint " + path_ + ": '" + name +
                            "' in it " + error.what() + "; name another " + FieldRef("checkpoint"));
  }
  return true;
}

bool Checkpoint::FindFinished(const std::string& name, const Serializer& read) const {
  return Find(name, true, read);
}

bool Checkpoint::FindSnapshot(const std::string& name, const Serializer& read) const {
  return Find(name, false, read);
}

void Checkpoint::Finish(const std::string& name, const Serializer& write) {
  Store(name, true, write);
}

void Checkpoint::Snapshot(const std::string& name, const Serializer& write) {
  Store(name, false, write);
}

void Checkpoint::Store(const std::string& name, bool finished, const Serializer& write) {
  Archive archive;
  write(archive);
  auto bytes = std::make_shared<const std::string>(archive.Take());
  std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  entries_[name] = {finished, std::move(bytes)};
  // '0' is the character after '/'.
  if (finished) entries_.erase(entries_.lower_bound(name + "/"), entries_.lower_bound(name + "0"));
  changed_ = true;
}

void Checkpoint::Flush() {
  std::lock_guard one_at_a_time(writing_);
  Entries entries;
  {
    std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    if (!std::exchange(changed_, false)) return;
    entries = entries_;
  }
  Write(entries);
}

void Checkpoint::WriteEveryFewSeconds() {
  const auto interval = SecondsLong(seconds_);
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, interval, [this] { return stop_; })) {
    lock.unlock();
    std::exception_ptr failure;
    try {
      Flush();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (!failure) continue;
    failure_ = failure;  // for those who come to keep something
    return;
  }
}

void Checkpoint::Write(const Entries& entries) {
  Archive archive;
  for (const auto& [name, entry] : entries) {
    std::string own = name, bytes = *entry.bytes;
    uint8_t finished = entry.finished ? 1 : 0;
    archive.Text(own);
    archive.Value(finished);
    archive.Text(bytes);
  }
  const std::string bytes = archive.Take();
  Json head = Json::MakeObject();
  head.Add("schema", kSchema);
  head.Add("run", identity_);
  head.Add("checksum", ChecksumOf(bytes));
  try {
    OutputFile file(path_, kTemporary);
    file.Write(head.Dump() + "\n");
    file.Write(bytes);
    // The lock is on the new file before that has the name, so there is always one on it.
    const int lock = file.LockedCopy();
    file.Commit();
    if (lock_ >= 0) ::close(lock_);
    lock_ = lock;
  } catch (const RuntimeFailure& error) {
    throw CheckpointFailure(error.what());
  }
}

}  // namespace slm
