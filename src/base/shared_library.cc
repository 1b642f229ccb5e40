#include "base/shared_library.h"

#include <cstdlib>
#include <utility>

#include "base/system.h"
#include "slm/errors.h"

namespace slm {

std::string LibraryBesideProgram(const std::string& file) {
  const std::string program = PathOfProgram();
  if (program.empty()) return "";
  return program.substr(0, program.find_last_of("/\\")) + "/../lib/" + file;
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
  if (const char* path = PathInEnvironment()) {
    handle_ = OpenLibrary(path);
    return;
  }
  for (const std::string& file : source_.files) {
    // Without a name the loader would open the program itself.
    if (!file.empty() && handle_ == nullptr) handle_ = OpenLibrary(file.c_str());
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
  void* found = FindFunction(handle_, function);
  if (found == nullptr) {
    throw RuntimeFailure("the " + source_.name + " that was found is too old: it lacks " +
                         function + "; " + source_.help);
  }
  return found;
}

}  // namespace slm
