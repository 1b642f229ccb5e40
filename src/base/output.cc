#include "base/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kBufferSize = size_t{1} << 20;

RuntimeFailure WriteFailure(const std::string& path, const std::string& reason) {
  return RuntimeFailure("cannot write " + path + ": " + reason);
}

// False with errno set if not all of it went through.
bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

std::filesystem::path DirectoryOf(const std::string& path) {
  std::filesystem::path directory = std::filesystem::path(path).parent_path();
  return directory.empty() ? "." : directory;
}

}  // namespace

void CheckOutput(const std::string& path) {
  if (path == "-") return;
  std::error_code error;
  std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) {
    throw WriteFailure(path, "it is a directory; name a file in it");
  }
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return;
  std::filesystem::path directory = DirectoryOf(path);
  if (!std::filesystem::is_directory(directory, error)) {
    throw WriteFailure(path, "there is no directory " + directory.string());
  }
  if (::access(directory.c_str(), W_OK) != 0) {
    throw WriteFailure(path, "no permission to write in " + directory.string());
  }
}

OutputFile::OutputFile(const std::string& path) : path_(path), target_(path) {
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
  std::error_code error;
  std::filesystem::path resolved = std::filesystem::canonical(path, error);
  if (!error) target_ = resolved.string();
  temporary_ = target_ + ".XXXXXX";
  fd_ = ::mkstemp(temporary_.data());
  if (fd_ < 0) {
    int reason = errno;
    temporary_.clear();
    Fail(std::strerror(reason));
  }
  // mkstemp gives the owner alone access; the file gets the mode it would have had otherwise.
  mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(fd_, exists ? status.st_mode & 07777 : 0666 & ~mask);
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

void OutputFile::Commit() {
  Flush();
  // Not every device can be synchronised; a file must be.
  if (::fsync(fd_) != 0 && !temporary_.empty()) Fail(std::strerror(errno));
  int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0) Fail(std::strerror(errno));
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) Fail(std::strerror(errno));
  temporary_.clear();
  // The new name, too, must outlast a loss of power; where directories cannot be synchronised, that
  // is up to the system.
  const int directory = ::open(DirectoryOf(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

void WriteFile(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.Write(text);
  file.Commit();
}

void WriteStdout(std::string_view text) { WriteFile("-", text); }

}  // namespace slm
