#ifdef _WIN32

#include "base/system.h"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <io.h>
#include <windows.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace slm {
namespace {

namespace fs = std::filesystem;

// * and ? as in the shell; a set in brackets is taken literally.
bool Matches(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*') {
    return Matches(name, pattern.substr(1)) || (!name.empty() && Matches(name.substr(1), pattern));
  }
  return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) &&
         Matches(name.substr(1), pattern.substr(1));
}

}  // namespace

bool FilesCanBeMapped() { return false; }  // a mapped file could not be replaced

void* MapWholeFile(int /*fd*/, size_t /*bytes*/) {
  errno = ENOSYS;
  return nullptr;
}

void UnmapWholeFile(void* /*mapping*/, size_t /*bytes*/) {}

int AnonymousFile() {
  errno = ENOSYS;
  return -1;
}
std::string PathOfDescriptor(int /*fd*/) { return ""; }

int SyncToDisk(int fd) { return ::_commit(fd); }
// A lock would keep the run itself from replacing its file, so two runs are not told apart.
int LockExclusively(int /*fd*/) { return 0; }
int SetMode(int /*fd*/, unsigned /*mode*/) { return 0; }
int RenameOver(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (!error) return 0;
  errno = error.default_error_condition().value();
  return -1;
}

int RenameToNew(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str());  // which replaces nothing here
}
int OpenTemporary(std::string* name) { return ::mkstemp(name->data()); }

// Programs always start with all three here.
void ReserveStandardDescriptors() {}

int CopyOfDescriptor(int fd) { return ::_dup(fd); }

// Patterns in the last part of the path alone.
std::vector<std::string> FilesMatching(const std::string& pattern) {
  const fs::path path(pattern);
  const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::vector<std::string> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    if (!Matches(entry.path().filename().string(), path.filename().string())) continue;
    files.push_back(path.has_parent_path() ? entry.path().string()
                                           : entry.path().filename().string());
  }
  return files;
}

std::string Literally(const std::string& text) { return text; }  // * and ? are in no name

std::string RealPath(const std::string& path) {
  char resolved[_MAX_PATH];
  return ::_fullpath(resolved, path.c_str(), sizeof(resolved)) == nullptr ? "" : resolved;
}

bool IsLink(const std::string& path) {
  const DWORD attributes = ::GetFileAttributesA(path.c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
}

void* OpenLibrary(const char* path) { return reinterpret_cast<void*>(::LoadLibraryA(path)); }
void* FindFunction(void* library, const char* name) {
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(library), name));
}

std::string PathOfProgram() {
  char path[MAX_PATH];
  const DWORD length = ::GetModuleFileNameA(nullptr, path, MAX_PATH);
  return length == MAX_PATH ? "" : std::string(path, length);
}

double PhysicalMemory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof(status);
  return ::GlobalMemoryStatusEx(&status) ? static_cast<double>(status.ullTotalPhys) : 0;
}

int TerminalWidth(int fd) {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  const auto console = reinterpret_cast<HANDLE>(::_get_osfhandle(fd));
  return ::GetConsoleScreenBufferInfo(console, &info) ? info.dwSize.X : 0;
}

void CatchSignals(void (*handler)(int)) {
  std::signal(SIGINT, handler);
  std::signal(SIGTERM, handler);
}

void ReleaseSignals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace slm

#endif  // _WIN32
