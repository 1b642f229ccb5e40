#include "base/checkpoint.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
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
constexpr const char* kMark = ".part-";  // of the name that it is written under

// What kills left behind of a checkpoint. Nobody but the owner of the lock writes such files.
void RemoveLeftovers(const std::string& path) {
  const std::string own = RealPath(path);
  if (own.empty()) return;
  const std::string by_chance = "??????";  // see OutputFile
  for (const std::string& file : FilesMatching(Literally(own + kMark) + by_chance)) {
    ::unlink(file.c_str());
  }
}

// Whether the descriptor is of the file that has the name now.
bool HasName(int fd, const std::string& path) {
  struct stat opened {
  }, named{};
  return ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

InputError InUse(const std::string& path) {
  return DataError(path + " is in use by another run; wait for it, or name another file");
}

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
  try {
    if (OpenOrCreate()) {
      if (!resume) {
        throw DataError(path_ + " already exists; " + FieldRef("resume") +
                        " continues its run, or name another file");
      }
      Read(ReadAll(lock_, path_));
      RemoveLeftovers(path_);
    }
    writer_ = std::thread([this] { WriteEveryFewSeconds(); });
  } catch (const std::system_error& error) {
    if (lock_ >= 0) ::close(lock_);
    throw CheckpointFailure("cannot start the thread that writes " + path_ + ": " +
                            error.code().message());
  } catch (...) {
    if (lock_ >= 0) ::close(lock_);
    throw;
  }
}

// Gets the lock on the file; false if it was not there and this run has created it. Of several runs
// that begin at once, one creates it; and one that replaces its own file may do so between the
// opening of it here and the lock, which is then on a file without a name.
bool Checkpoint::OpenOrCreate() {
  constexpr int kAttempts = 100;  // each takes another run that is just beginning or writing
  for (int i = 0; i < kAttempts; ++i) {
    lock_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (lock_ < 0 && errno != ENOENT) {
      throw DataError("cannot read " + path_ + ": " + std::strerror(errno));
    }
    if (lock_ < 0) {
      if (IsLink(path_)) {
        throw DataError(path_ + " is a link to a file that is not there; name another file");
      }
      if (Write(entries_, /*create=*/true)) return false;
      continue;
    }
    struct stat status {};
    if (::fstat(lock_, &status) != 0 || !S_ISREG(status.st_mode)) {
      throw DataError(path_ + " is not a file; name one for " + FieldRef("checkpoint"));
    }
    if (LockExclusively(lock_) != 0) throw InUse(path_);
    if (HasName(lock_, path_)) return true;
    ::close(std::exchange(lock_, -1));
  }
  throw InUse(path_);
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
    throw UnfitCheckpoint("cannot resume from the checkpoint " + path_ + ": '" + name + "' in it " +
                          error.what() + "; name another " + FieldRef("checkpoint"));
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

bool Checkpoint::Write(const Entries& entries, bool create) {
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
    OutputFile file(path_, kMark);
    file.Write(head.Dump() + "\n");
    file.Write(bytes);
    // The lock is on the new file before that has the name, so there is always one on it.
    const int lock = file.LockedCopy();
    bool written = false;
    try {
      written = create ? file.CommitNew() : (file.Commit(), true);
    } catch (...) {
      ::close(lock);
      throw;
    }
    const int old = written ? std::exchange(lock_, lock) : lock;
    if (old >= 0) ::close(old);
    return written;
  } catch (const RuntimeFailure& error) {
    throw CheckpointFailure(error.what());
  }
}

}  // namespace slm
