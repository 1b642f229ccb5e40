#pragma once

// NumPy's files: an array (.npy), and several with names (.npz). Objects, which NumPy pickles, are
// refused: unpickling runs code.

#include <string>
#include <string_view>
#include <vector>

#include "data/readers/reader.h"

namespace slm {

// An array as it is stored in a file. Element (i, j) is data[(i * cols + j) * item_bytes], or
// data[(j * rows + i) * item_bytes] in Fortran order.
struct NpyArray {
  enum class Kind { kNumber, kBoolean, kUnicode, kBytes, kOther };

  Kind kind = Kind::kOther;
  std::string type;                       // as NumPy writes it: "<f8"
  double (*load)(const char*) = nullptr;  // of one element; null for texts
  size_t item_bytes = 0;
  bool swapped = false;  // texts only: big-endian
  size_t dimensions = 0;
  size_t rows = 0;
  size_t cols = 1;  // 1 for a vector
  bool fortran = false;
  std::string_view data;

  bool readable() const { return kind != Kind::kOther && (dimensions == 1 || dimensions == 2); }
  bool is_text() const { return kind == Kind::kUnicode || kind == Kind::kBytes; }
  const char* at(size_t i, size_t j) const {
    return data.data() + (fortran ? j * rows + i : i * cols + j) * item_bytes;
  }
  std::string Text(size_t i) const;  // UTF-8
};

// Versions 1 to 3 of the format. `what` names the array in messages. Throws a DataError unless the
// file is whole.
NpyArray ParseNpy(std::string_view bytes, const std::string& what);

// Throws a DataError that says how to save it unless the array is readable and holds something.
void CheckReadable(const NpyArray& array, const std::string& what);

// A matrix gives columns f0, f1, ..., a vector the column f0.
Table ReadNpy(std::string_view bytes, const std::string& source, const ReadOptions& options,
              ThreadPool& pool);

// The matrix X, or the only one, gives the first columns, named by the texts in feature_names or
// columns if there is such an array. Every vector with as many entries is a column of its own name;
// y must be one, other arrays are left out.
Table ReadNpz(std::string_view bytes, const std::string& source, const ReadOptions& options,
              ThreadPool& pool);

}  // namespace slm
