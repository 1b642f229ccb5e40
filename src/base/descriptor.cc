#include "base/descriptor.h"

#include <cerrno>
#include <cstring>

#include "base/system.h"
#include "slm/errors.h"

namespace slm {

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

bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

std::string DirectoryOf(const std::string& path) {
#ifdef _WIN32
  constexpr const char* kSlashes = "/\\";
#else
  constexpr const char* kSlashes = "/";
#endif
  const size_t slash = path.find_last_of(kSlashes);
  if (slash == std::string::npos) return ".";
  const size_t last = path.find_last_not_of(kSlashes, slash);
  return last == std::string::npos ? path.substr(0, 1) : path.substr(0, last + 1);
}

void SyncDirectoryOf(const std::string& path) {
  const int directory = ::open(DirectoryOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  SyncToDisk(directory);
  ::close(directory);
}

}  // namespace slm
