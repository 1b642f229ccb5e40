#pragma once

// What can go wrong, seen from outside. The library never prints, exits or aborts: it throws one of
// these, and the message says what is wrong, where, and how to mend it.

#include <stdexcept>
#include <string>

namespace slm {

// Something the user can mend. The kind tells the command line which exit code to use.
class InputError : public std::runtime_error {
 public:
  enum class Kind {
    kUsage,  // wrong in itself, whatever the data: an unknown option, k of 0
    kData,   // what the data decide: a missing file, an unknown column, one class only
    kModel,  // a file that is no model, a damaged one, or one of a version yet to come
  };

  InputError(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

inline InputError UsageError(const std::string& message) {
  return InputError(InputError::Kind::kUsage, message);
}
inline InputError DataError(const std::string& message) {
  return InputError(InputError::Kind::kData, message);
}
inline InputError ModelError(const std::string& message) {
  return InputError(InputError::Kind::kModel, message);
}

// The world failed, not the input: a full disk, a write that did not go through.
class RuntimeFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace slm
