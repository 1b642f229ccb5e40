#pragma once

// A library that is found at run time, with the functions of its C interface: no header of it is
// needed to build, and slm starts without it.

#include <string>
#include <vector>

namespace slm {

// Where a library is looked for, and what is said if it is not there.
struct LibrarySource {
  std::string name;                // in messages: "libxgboost"
  const char* variable;            // of the environment, with the path; if set, nothing else counts
  std::vector<std::string> files;  // tried in this order, as the loader finds them
  std::string help;                // how to get it: "install ..."
};

// lib/`file` beside the directory of the running program; empty if that cannot be told.
std::string LibraryBesideProgram(const std::string& file);

// slm/`file` in the directory for data of this user (XDG_DATA_HOME, or .local/share); empty if
// there is none. `slm doctor --install` puts libraries there.
std::string LibraryOfUser(const std::string& file);

// Stays loaded when this goes: it may have threads of its own that must not lose their code.
class SharedLibrary {
 public:
  explicit SharedLibrary(LibrarySource source);

  bool found() const { return handle_ != nullptr; }

  // Throws a RuntimeFailure unless it was found: "`needed`, which was not found; `help`".
  void Require(const std::string& needed) const;

  // Throws a RuntimeFailure if the library, which was found, lacks the function.
  template <class Function>
  void Find(const char* function, Function*& out) const {
    out = reinterpret_cast<Function*>(Symbol(function));
  }

 private:
  const char* PathInEnvironment() const;  // null if the variable is absent or empty
  void* Symbol(const char* function) const;

  LibrarySource source_;
  void* handle_ = nullptr;
};

}  // namespace slm
