#pragma once

// The state of a computation as bytes, and back: each class names its fields once, and the same
// code writes and reads them. Numbers keep their bits; the bytes are for machines of this kind
// (little-endian) and for the version that wrote them, not an interchange format.
//
// Reading checks what memory safety hangs on: sizes against what is there to be filled, indices
// against their bound, and lengths against the bytes that are left. A class adds what its fields
// mean to each other by Require. What does not fit is a DataError.

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "slm/errors.h"
#include "slm/matrix.h"

namespace slm {

class Archive {
 public:
  Archive() = default;  // to write
  // To read; the bytes must outlive it.
  explicit Archive(std::string_view bytes) : reading_(true), left_(bytes) {}

  bool reading() const { return reading_; }
  size_t left() const { return left_.size(); }  // bytes still to be read
  std::string Take() { return std::move(written_); }

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void Value(T& value) { Bytes(&value, sizeof(T)); }

  void Text(std::string& text) {
    text.resize(Length(text.size(), 1));
    Bytes(text.data(), text.size());
  }

  // As many as there are.
  template <class T>
  void Fixed(std::span<T> values) {
    if (Length(values.size(), sizeof(T)) != values.size()) Fail("has another size");
    Bytes(values.data(), values.size_bytes());
  }

  // A matrix of the same shape. Padding is zero and stays so.
  void Fixed(Matrix& matrix) {
    for (size_t i = 0; i < matrix.rows(); ++i) Fixed(std::span(matrix.row(i), matrix.cols()));
  }

  template <class T>
  void Any(std::vector<T>& values) {
    values.resize(Length(values.size(), sizeof(T)));
    Bytes(values.data(), values.size() * sizeof(T));
  }

  // Any number of them, each from 0 to below `bound`.
  template <class T>
  void Indices(std::vector<T>& values, size_t bound) {
    Any(values);
    Check(std::span<const T>(values), bound);
  }
  template <class T>
  void FixedIndices(std::span<T> values, size_t bound) {
    Fixed(values);
    Check(std::span<const T>(values), bound);
  }

  // The same, none of them twice.
  template <class T>
  void DistinctIndices(std::vector<T>& values, size_t bound) {
    Indices(values, bound);
    if (!reading_) return;
    std::vector<bool> seen(bound);
    for (T value : values) {
      if (seen[static_cast<size_t>(value)]) Fail("has an index twice");
      seen[static_cast<size_t>(value)] = true;
    }
  }

  // A list whose items are exchanged one by one.
  template <class T, class Serialize>
  void List(std::vector<T>& values, Serialize serialize) {
    const size_t length = Length(values.size(), 1);
    // One after the other: a length is not trusted with the memory of so many.
    if (reading_) values.clear();
    for (size_t i = 0; i < length; ++i) {
      if (reading_) values.emplace_back();
      serialize(values[i]);
    }
  }

  // What was read must hold; `what` says what is wrong if it does not.
  void Require(bool holds, const std::string& what) const {
    if (reading_ && !holds) Fail(what);
  }

  // After the last field: nothing may be left.
  void End() const {
    if (reading_ && !left_.empty()) Fail("continues after its end");
  }

  [[noreturn]] static void Fail(const std::string& what) { throw DataError(what); }

 private:
  void Bytes(void* data, size_t size) {
    if (size == 0) return;
    if (!reading_) {
      written_.append(static_cast<const char*>(data), size);
      return;
    }
    if (size > left_.size()) Fail("ends early");
    std::memcpy(data, left_.data(), size);
    left_.remove_prefix(size);
  }

  // A length is no larger than the bytes that are left allow for.
  size_t Length(size_t own, size_t item_size) {
    uint64_t length = own;
    Value(length);
    if (reading_ && length > left_.size() / item_size) Fail("ends early");
    return static_cast<size_t>(length);
  }

  template <class T>
  static void Check(std::span<const T> values, size_t bound) {
    for (T value : values) {
      if (value < 0 || static_cast<size_t>(value) >= bound) Fail("has an index out of range");
    }
  }

  bool reading_ = false;
  std::string_view left_;
  std::string written_;
};

}  // namespace slm
