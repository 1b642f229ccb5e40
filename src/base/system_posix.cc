#ifndef _WIN32

#include <dlfcn.h>
#include <glob.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/system.h"

namespace slm {

bool FilesCanBeMapped() { return true; }

void* MapWholeFile(int fd, size_t bytes) {
  void* mapping = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
  return mapping == MAP_FAILED ? nullptr : mapping;
}

void UnmapWholeFile(void* mapping, size_t bytes) { ::munmap(mapping, bytes); }

#ifdef __linux__
int AnonymousFile() { return ::memfd_create("slm", MFD_CLOEXEC); }
std::string PathOfDescriptor(int fd) { return "/proc/self/fd/" + std::to_string(fd); }
#else
int AnonymousFile() {
  char name[] = "/tmp/slm.XXXXXX";
  const int fd = ::mkstemp(name);
  if (fd >= 0) ::unlink(name);
  return fd;
}
std::string PathOfDescriptor(int fd) { return "/dev/fd/" + std::to_string(fd); }
#endif

int SyncToDisk(int fd) { return ::fsync(fd); }
int LockExclusively(int fd) { return ::flock(fd, LOCK_EX | LOCK_NB); }
int SetMode(int fd, unsigned mode) { return ::fchmod(fd, static_cast<mode_t>(mode)); }
int RenameOver(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str());
}

int RenameToNew(const std::string& from, const std::string& to) {
#ifdef __linux__
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;  // the file system does not know of it
#endif
  if (::link(from.c_str(), to.c_str()) != 0) return -1;
  ::unlink(from.c_str());
  return 0;
}

std::string RealPath(const std::string& path) {
  char resolved[PATH_MAX];
  return ::realpath(path.c_str(), resolved) == nullptr ? "" : std::string(resolved);
}

bool IsLink(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

int OpenTemporary(std::string* name) { return ::mkostemp(name->data(), O_CLOEXEC); }

void ReserveStandardDescriptors() {
  // Opened the wrong way round on purpose.
  constexpr int kModes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
  for (int fd = 0; fd < 3; ++fd) {
    // The lowest descriptor that is free is taken: this one.
    if (::fcntl(fd, F_GETFD) < 0) ::open("/dev/null", kModes[fd]);
  }
}

int CopyOfDescriptor(int fd) { return ::fcntl(fd, F_DUPFD_CLOEXEC, 0); }

std::vector<std::string> FilesMatching(const std::string& pattern) {
  glob_t found{};
  const int error = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  std::vector<std::string> files;
  if (error == 0) files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  return files;
}

std::string Literally(const std::string& text) {
  std::string pattern;
  for (char c : text) {
    if (std::strchr("*?[\\", c) != nullptr) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

void* OpenLibrary(const char* path) {
  return ::dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}
void* FindFunction(void* library, const char* name) { return ::dlsym(library, name); }

std::string PathOfProgram() {
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof(path));
  return length <= 0 ? "" : std::string(path, static_cast<size_t>(length));
}

double PhysicalMemory() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(::sysconf(_SC_PAGESIZE));
}

int TerminalWidth(int fd) {
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void CatchSignals(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // reading a file continues
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

void ReleaseSignals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace slm

#endif  // _WIN32
