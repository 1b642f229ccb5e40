#pragma once

// Matrices: row i, column j is data[i * stride + j].
//
// MatrixView is a matrix seen from outside. Matrix owns its floats, and its rows start on cache
// lines, so that kernels may load whole vectors: the columns from cols to stride exist and stay
// zero.

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace slm {

template <class T>
struct MatrixView {
  T* data = nullptr;
  size_t rows = 0;
  size_t cols = 0;
  size_t stride = 0;  // elements from one row to the next, at least cols

  MatrixView() = default;
  MatrixView(T* data_in, size_t rows_in, size_t cols_in, size_t stride_in)
      : data(data_in), rows(rows_in), cols(cols_in), stride(stride_in) {}
  MatrixView(T* data_in, size_t rows_in, size_t cols_in)
      : MatrixView(data_in, rows_in, cols_in, cols_in) {}

  T* row(size_t i) const { return data + i * stride; }
  T& operator()(size_t i, size_t j) const { return data[i * stride + j]; }

  // Reading is always allowed where writing is.
  operator MatrixView<const T>() const requires(!std::is_const_v<T>) {
    return {data, rows, cols, stride};
  }
};

inline constexpr size_t kLanes = 16;  // floats in a cache line; every padded width is a multiple

// The padded width of n columns. Strides of a multiple of 4 KiB would put a column of the matrix
// into a single cache set, so those get one more line.
constexpr size_t PaddedWidth(size_t n) {
  size_t padded = (n + kLanes - 1) / kLanes * kLanes;
  return padded != 0 && padded % 1024 == 0 ? padded + kLanes : padded;
}

// Zero-initialised, 64-byte aligned memory.
template <class T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(size_t size) : size_(size) {
    if (size == 0) return;
    data_.reset(static_cast<T*>(::operator new (size * sizeof(T), std::align_val_t{64})));
    std::memset(static_cast<void*>(data_.get()), 0, size * sizeof(T));
  }
  AlignedBuffer(const AlignedBuffer& other) : AlignedBuffer(other.size_) {
    if (size_ != 0) std::memcpy(data_.get(), other.data_.get(), size_ * sizeof(T));
  }
  AlignedBuffer(AlignedBuffer&& other) noexcept
      : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  AlignedBuffer& operator=(AlignedBuffer other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return data_.get()[i]; }
  const T& operator[](size_t i) const { return data_.get()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

 private:
  struct Free {
    void operator()(T* p) const { ::operator delete (p, std::align_val_t{64}); }
  };
  std::unique_ptr<T, Free> data_;
  size_t size_ = 0;
};

class Matrix {
 public:
  Matrix() = default;
  Matrix(size_t rows, size_t cols)
      : buffer_(rows * PaddedWidth(cols)), rows_(rows), cols_(cols), stride_(PaddedWidth(cols)) {}

  size_t rows() const { return rows_; }
  size_t cols() const { return cols_; }
  size_t stride() const { return stride_; }
  float* data() { return buffer_.data(); }
  const float* data() const { return buffer_.data(); }
  float* row(size_t i) { return buffer_.data() + i * stride_; }
  const float* row(size_t i) const { return buffer_.data() + i * stride_; }
  float& operator()(size_t i, size_t j) { return row(i)[j]; }
  float operator()(size_t i, size_t j) const { return row(i)[j]; }
  MatrixView<float> view() { return {data(), rows_, cols_, stride_}; }
  MatrixView<const float> view() const { return {data(), rows_, cols_, stride_}; }

 private:
  AlignedBuffer<float> buffer_;
  size_t rows_ = 0;
  size_t cols_ = 0;
  size_t stride_ = 0;
};

}  // namespace slm
