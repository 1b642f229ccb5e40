#include "base/output.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/descriptor.h"
#include "base/system.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kBufferSize = size_t{1} << 20;

RuntimeFailure WriteFailure(const std::string& path, const std::string& reason) {
  return RuntimeFailure("cannot write " + path + ": " + reason);
}

}  // namespace

void CheckOutput(const std::string& path) {
  if (path == "-") return;
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    throw WriteFailure(path, "it is a directory; name a file in it");
  }
  if (exists && !S_ISREG(status.st_mode)) return;
  const std::string directory = DirectoryOf(path);
  if (::stat(directory.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    throw WriteFailure(path, "there is no directory " + directory);
  }
  if (::access(directory.c_str(), W_OK) != 0) {
    throw WriteFailure(path, "no permission to write in " + directory);
  }
}

OutputFile::OutputFile(const std::string& path, std::string_view mark)
    : path_(path), target_(path) {
  CheckOutput(path);
  if (path == "-") {
    path_ = "to standard output";
    fd_ = ::dup(STDOUT_FILENO);
    if (fd_ < 0) Fail(std::strerror(errno));
    return;
  }
  struct stat status {};
  bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) Fail(std::strerror(errno));
    return;
  }
  if (std::string resolved = RealPath(path); !resolved.empty()) target_ = std::move(resolved);
  temporary_ = target_ + std::string(mark) + "XXXXXX";
  fd_ = OpenTemporary(&temporary_);  // O_EXCL: neither a file nor a link may have that name
  if (fd_ < 0) {
    int reason = errno;
    temporary_.clear();
    Fail(std::strerror(reason));
  }
  // mkstemp gives the owner alone access; the file gets the mode it would have had otherwise.
  mode_t mask = ::umask(0);
  ::umask(mask);
  SetMode(fd_, exists ? status.st_mode & 07777 : 0666 & ~mask);
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::Fail(const char* what) const { throw WriteFailure(path_, what); }

void OutputFile::Write(std::string_view text) {
  buffer_.append(text);
  if (buffer_.size() >= kBufferSize) Flush();
}

void OutputFile::Flush() {
  if (!WriteAll(fd_, buffer_)) Fail(std::strerror(errno));
  buffer_.clear();
}

int OutputFile::LockedCopy() const {
  const int copy = CopyOfDescriptor(fd_);
  if (copy < 0 || LockExclusively(copy) != 0) {
    const int reason = errno;
    if (copy >= 0) ::close(copy);
    Fail(std::strerror(reason));
  }
  return copy;
}

void OutputFile::CloseWhole() {
  Flush();
  // Not every device can be synchronised; a file must be.
  if (SyncToDisk(fd_) != 0 && !temporary_.empty()) Fail(std::strerror(errno));
  int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0) Fail(std::strerror(errno));
}

bool OutputFile::CommitNew() {
  CloseWhole();
  if (RenameToNew(temporary_, target_) != 0) {
    if (errno == EEXIST) return false;
    Fail(std::strerror(errno));
  }
  temporary_.clear();
  SyncDirectoryOf(target_);
  return true;
}

void OutputFile::Commit() {
  CloseWhole();
  if (temporary_.empty()) return;
  if (RenameOver(temporary_, target_) != 0) Fail(std::strerror(errno));
  temporary_.clear();
  SyncDirectoryOf(target_);
}

void WriteFile(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.Write(text);
  file.Commit();
}

void WriteStdout(std::string_view text) { WriteFile("-", text); }

}  // namespace slm
