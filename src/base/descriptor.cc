#include "base/descriptor.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

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
  const std::filesystem::path directory = std::filesystem::path(path).parent_path();
  return directory.empty() ? "." : directory.string();
}

void SyncDirectoryOf(const std::string& path) {
  const int directory = ::open(DirectoryOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  SyncToDisk(directory);
  ::close(directory);
}

}  // namespace slm
