#pragma once

// What a computation has come to so far, on the disk, for a run that resumes after a kill.
//
// Work consists of pieces with names: a run of the search, a refit, a fold. The result of a
// finished piece is kept and found again instead of computed again; a long piece leaves snapshots
// of its state on the way. Pieces do not depend on when and beside which others they run, so any
// mixture of finished ones, snapshots and nothing leads to the same end, bit for bit.
//
// The file appears whole or not at all: a thread of its own writes all that is new every few
// seconds under another name, brings it to the disk and renames it. Line 1 is JSON: which run this
// is, and a checksum of the bytes after it.

#include <condition_variable>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "base/archive.h"
#include "base/clock.h"
#include "base/fields.h"
#include "base/json.h"
#include "slm/context.h"
#include "slm/errors.h"

namespace slm {

// The checkpoint could not be written: the end of the run, whichever piece came upon it.
class CheckpointFailure : public RuntimeFailure {
 public:
  using RuntimeFailure::RuntimeFailure;
};

// The checkpoint holds what does not fit this run. Not an InputError, which would be taken for a
// complaint about the settings of the piece that came upon it.
class UnfitCheckpoint : public CheckpointFailure {
 public:
  using CheckpointFailure::CheckpointFailure;
};

class Checkpoint {
 public:
  using Serializer = std::function<void(Archive&)>;

  // Creates the file, or continues one of the same identity. Throws a DataError for a file that
  // is there without `resume`, is in use, is of another run (it says which field differs) or is
  // damaged, and a CheckpointFailure if it cannot be written.
  Checkpoint(std::string path, const Json& identity, bool resume, double seconds);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;

  double seconds() const { return seconds_; }  // between two snapshots of a piece

  // Reads the result of a finished piece, or the latest snapshot of one that is not; false if there
  // is none. Throws an UnfitCheckpoint if `read` complains. All four may be called from any thread.
  bool FindFinished(const std::string& name, const Serializer& read) const;
  bool FindSnapshot(const std::string& name, const Serializer& read) const;
  // Keeps a result; what was kept of the piece and its parts ("name/part") goes. Throws a
  // CheckpointFailure if the file could not be written lately.
  void Finish(const std::string& name, const Serializer& write);
  void Snapshot(const std::string& name, const Serializer& write);

  // Brings everything to the disk now.
  void Flush();

  // Of the bytes behind line 1, as that line has it.
  static std::string ChecksumOf(std::string_view bytes);

 private:
  struct Entry {
    bool finished = false;
    std::shared_ptr<const std::string> bytes;
  };
  using Entries = std::map<std::string, Entry>;

  bool OpenOrCreate();  // whether it was there
  bool Find(const std::string& name, bool finished, const Serializer& read) const;
  void Store(const std::string& name, bool finished, const Serializer& write);
  void Read(std::string_view content);
  void WriteEveryFewSeconds();
  // False if it is to be created and is there.
  bool Write(const Entries& entries, bool create = false);

  const std::string path_;
  const Json identity_;
  const double seconds_;
  int lock_ = -1;  // descriptor of the file, which holds the lock

  mutable std::mutex mutex_;
  Entries entries_;
  bool changed_ = false;  // since the file was written
  bool stop_ = false;
  std::exception_ptr failure_;
  std::mutex writing_;
  std::condition_variable wake_;
  std::thread writer_;
};

// Snapshots of the piece that a context stands for. Costs nothing without a checkpoint.
class Snapshots {
 public:
  explicit Snapshots(const Context& context)
      : checkpoint_(context.checkpoint), name_(context.place) {}

  // Reads the latest one; false if there is none.
  bool Resume(const Checkpoint::Serializer& read) {
    return checkpoint_ != nullptr && checkpoint_->FindSnapshot(name_, read);
  }

  // Whether it is time for the next one.
  bool Due() const {
    return checkpoint_ != nullptr && SecondsSince(latest_) >= checkpoint_->seconds();
  }

  void Take(const Checkpoint::Serializer& write) {
    if (checkpoint_ == nullptr) return;
    checkpoint_->Snapshot(name_, write);
    latest_ = Clock::now();
  }

 private:
  Checkpoint* checkpoint_;
  const std::string name_;
  Clock::time_point latest_ = Clock::now();
};

// The result of work(context), found in the checkpoint or computed and kept there under `name`.
// serialize(archive, result) writes and reads it. Work that was cut short is not kept.
template <class Serialize, class Work>
auto Checkpointed(const Context& context, const std::string& name, Serialize serialize, Work work) {
  if (context.checkpoint == nullptr) return work(context);
  const Context own = context.Inside(name);
  decltype(work(own)) result{};
  auto serialize_result = [&](Archive& archive) { serialize(archive, result); };
  if (own.checkpoint->FindFinished(own.place, serialize_result)) return result;
  result = work(own);
  if (!own.ShouldStop()) own.checkpoint->Finish(own.place, serialize_result);
  return result;
}

// How a result whose fields are listed (base/fields.h) is written and read. check(archive, result)
// requires of what was read (Archive::Require) what the rest of the work relies on.
template <class Check>
auto FieldsWith(Check check) {
  return [check](Archive& archive, auto& result) {
    Serialize(archive, result);
    if (archive.reading()) check(archive, result);
  };
}

}  // namespace slm
