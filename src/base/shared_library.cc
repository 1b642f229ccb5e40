#include "base/shared_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <utility>

#include "slm/errors.h"

namespace slm {

std::string LibraryBesideProgram(const std::string& file) {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  if (length <= 0) return "";
  const std::string program(path, static_cast<size_t>(length));
  return program.substr(0, program.rfind('/')) + "/../lib/" + file;
}

std::string LibraryOfUser(const std::string& file) {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  std::string data = variable("XDG_DATA_HOME");
  if (data.empty() && !variable("HOME").empty()) data = variable("HOME") + "/.local/share";
  return data.starts_with('/') ? data + "/slm/" + file : "";
}

SharedLibrary::SharedLibrary(LibrarySource source) : source_(std::move(source)) {
  constexpr int kFlags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
  if (const char* path = PathInEnvironment()) {
    handle_ = dlopen(path, kFlags);
    return;
  }
  for (const std::string& file : source_.files) {
    // Without a name the loader would open the program itself.
    if (!file.empty() && handle_ == nullptr) handle_ = dlopen(file.c_str(), kFlags);
  }
}

const char* SharedLibrary::PathInEnvironment() const {
  const char* path = std::getenv(source_.variable);
  return path == nullptr || *path == '\0' ? nullptr : path;
}

void SharedLibrary::Require(const std::string& needed) const {
  if (found()) return;
  const char* path = PathInEnvironment();
  throw RuntimeFailure(
      needed + ", which " +
      (path == nullptr ? std::string("was not found")
                       : "could not be loaded from " + std::string(source_.variable) + "=" + path) +
      "; " + source_.help);
}

void* SharedLibrary::Symbol(const char* function) const {
  void* found = dlsym(handle_, function);
  if (found == nullptr) {
    throw RuntimeFailure("the " + source_.name + " that was found is too old: it lacks " +
                         function + "; " + source_.help);
  }
  return found;
}

}  // namespace slm
