#pragma once

// What can go wrong, seen from outside. The library never prints, exits or aborts: it throws one of
// these, and the message says what is wrong, where, and how to fix it.

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace slm {

// The name of a field of a request inside a message, marked so that every caller reads it as they
// write it: --keep on the command line, keep in Python and C++.
std::string FieldRef(std::string_view field);

// The field with a value that a message advises: --types 'zip=text' on the command line,
// types='zip=text' in Python and C++.
std::string FieldRef(std::string_view field, std::string_view value);

// How a caller writes the field of that name, with a value unless that is empty.
using FieldStyle = std::function<std::string(std::string_view field, std::string_view value)>;

// The style of Python and C++: keep, or keep='age'.
std::string KeywordStyle(std::string_view field, std::string_view value = {});

// The message with every marked field in the caller's style; without one, as keywords.
std::string RenderFields(std::string_view marked, const FieldStyle& style = {});

// Something the user can fix. The kind tells the command line which exit code to use.
class InputError : public std::runtime_error {
 public:
  enum class Kind {
    kUsage,  // wrong in itself, whatever the data: an unknown option, k of 0
    kData,   // what the data decide: a missing file, an unknown column, one class only
    kModel,  // a file that is not a model, a damaged one, or one of a version yet to come
  };

  // `marked` may hold FieldRefs; what() has them as plain names.
  InputError(Kind kind, const std::string& marked)
      : std::runtime_error(RenderFields(marked)), kind_(kind), marked_(marked) {}

  Kind kind() const { return kind_; }
  const std::string& marked() const { return marked_; }

 private:
  Kind kind_;
  std::string marked_;
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
  explicit RuntimeFailure(const std::string& marked)
      : std::runtime_error(RenderFields(marked)), marked_(marked) {}

  const std::string& marked() const { return marked_; }

 private:
  std::string marked_;
};

}  // namespace slm
