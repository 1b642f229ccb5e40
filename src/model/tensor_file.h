#pragma once

// Named arrays of floats in a safetensors file, strictly:
//
//   8 bytes    length of the header, little-endian
//   header     JSON: {"__metadata__": {"key": "text", ...},
//                     "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
//   data       the arrays, little-endian, one after the other without holes
//
// There is nothing in it that could be run.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slm {

class TensorWriter {
 public:
  void AddText(std::string key, std::string text) {
    metadata_.emplace_back(std::move(key), std::move(text));
  }
  // A vector has a shape of one number; rows of a matrix follow each other by the stride.
  void Add(std::string name, std::vector<size_t> shape, const float* values, size_t stride);

  const std::string& data() const { return data_; }
  std::string Finish() const;

 private:
  struct Entry {
    std::string name;
    std::vector<size_t> shape;
    size_t begin, end;
  };
  std::vector<std::pair<std::string, std::string>> metadata_;
  std::vector<Entry> entries_;
  std::string data_;
};

class TensorReader {
 public:
  struct Tensor {
    std::string name;
    std::vector<size_t> shape;
    std::string_view bytes;

    size_t size() const { return bytes.size() / sizeof(float); }
    float operator[](size_t i) const;
  };

  // Checks everything: lengths, names, shapes against offsets, and that the arrays cover the data
  // without overlap. Throws a DataError that says what is wrong. The bytes must outlive this.
  explicit TensorReader(std::string_view bytes);

  // Null if there is none.
  const std::string* FindText(std::string_view key) const;
  // Throws a DataError if it is missing, not of that many dimensions, or not all finite. Each may
  // be taken once.
  Tensor Take(std::string_view name, size_t dimensions);
  bool Has(std::string_view name) const;
  // Throws a DataError that names an array that nobody took.
  void RequireAllTaken() const;
  std::string_view data() const { return data_; }

 private:
  std::vector<std::pair<std::string, std::string>> metadata_;
  std::vector<Tensor> tensors_;
  std::string_view data_;
};

}  // namespace slm
