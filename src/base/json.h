#pragma once

// JSON values for results: built in memory, keys in the order they were added, written as text, and
// read back (base/json_reader.h).

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace slm {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() : value_(nullptr) {}
  Json(std::nullptr_t) : value_(nullptr) {}
  Json(bool value) : value_(value) {}
  Json(int value) : value_(static_cast<int64_t>(value)) {}
  Json(int64_t value) : value_(value) {}
  Json(uint64_t value) : value_(value) {}
  Json(float value) : value_(value) {}
  Json(double value) : value_(value) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  Json(Object value) : value_(std::move(value)) {}
  template <class T>
  Json(const std::optional<T>& value) : Json(value ? Json(*value) : Json(nullptr)) {}

  // The variant's own copy, where memory ends, destroys what was not made (libstdc++ 12: it takes
  // strings and vectors for values that a variant never is without).
  Json(const Json& other) : value_(nullptr) {
    std::visit(
        [this](const auto& value) {
          auto copy = value;
          value_.template emplace<decltype(copy)>(std::move(copy));
        },
        other.value_);
  }
  Json(Json&& other) noexcept = default;
  Json& operator=(const Json& other) { return *this = Json(other); }
  Json& operator=(Json&& other) noexcept = default;
  ~Json() = default;

  static Json MakeObject() { return Json(Object{}); }
  static Json MakeArray() { return Json(Array{}); }
  template <class Range>
  static Json ArrayOf(const Range& values) {
    Json array = MakeArray();
    for (const auto& value : values) array.Push(value);
    return array;
  }

  // Adds to an object or an array; the value must be one.
  void Add(std::string key, Json value);
  void Push(Json value);

  // What is inside, for values that were read. A value of another kind is a DataError that says
  // what was expected. A number may have been written as any of the number types; null, which
  // stands for what JSON cannot write, is NaN.
  double number() const;
  int64_t integer() const;
  uint64_t natural() const;  // a whole number from 0 on
  bool boolean() const;
  const std::string& text() const;
  const Array& array() const;
  const Object& object() const;
  bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  bool is_text() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }
  bool is_boolean() const { return std::holds_alternative<bool>(value_); }
  // A number that was written as a whole one: 3, but not 3.0.
  bool is_integer() const {
    return std::holds_alternative<int64_t>(value_) || std::holds_alternative<uint64_t>(value_);
  }
  bool is_real() const {
    return std::holds_alternative<float>(value_) || std::holds_alternative<double>(value_);
  }
  const Json& operator[](std::string_view key) const;  // a DataError if the key is absent
  const Json* Find(std::string_view key) const;        // null if it is

  // The text, in one line if indent is 0. Numbers are the shortest text that reads back the same;
  // infinities and NaN, which JSON lacks, become null. Bytes that are not UTF-8 become U+FFFD.
  std::string Dump(int indent = 0) const;

 private:
  void Write(std::string* out, int indent, int depth) const;

  std::variant<std::nullptr_t, bool, int64_t, uint64_t, float, double, std::string, Array, Object>
      value_;
};

// The first key of `wanted`, an object, that `found` has with another value or not at all: "its k
// is 3, that of this one is 5". Empty if there is none.
std::string FirstDifference(const Json& found, const Json& wanted);

}  // namespace slm
