#pragma once

// A source that is no matrix: rows lie in chunks of a few, and it refuses to hand out all at once.

#include <algorithm>
#include <memory>
#include <vector>

#include "slm/problem.h"

namespace slm {

class ChunkedRows : public RowSource {
 public:
  explicit ChunkedRows(MatrixView<const float> values) : RowSource(values.rows, values.cols) {
    for (size_t begin = 0; begin < values.rows; begin += kChunk) {
      std::vector<float>& chunk = chunks_.emplace_back();
      for (size_t i = begin; i < std::min(values.rows, begin + kChunk); ++i) {
        chunk.insert(chunk.end(), values.row(i), values.row(i) + values.cols);
      }
    }
  }

  void Gather(std::span<const int32_t> rows, const ColumnSet& columns,
              MatrixView<float> out) const override {
    // Nobody may rely on what is past the last column, but where all of them are asked for.
    const size_t end = (columns.size() + kLanes - 1) / kLanes * kLanes;
    const float past = columns.size() == this->columns() ? 0.0f : 1234.5f;
    for (size_t i = 0; i < rows.size(); ++i) {
      const float* x = Row(static_cast<size_t>(rows[i]));
      for (size_t a = 0; a < columns.size(); ++a) out(i, a) = x[columns.columns()[a]];
      std::fill(out.row(i) + columns.size(), out.row(i) + end, past);
    }
  }

  MatrixView<const float> Read(size_t begin, size_t end, Matrix& scratch) const override {
    if (scratch.rows() < end - begin) scratch = Matrix(end - begin, columns());
    for (size_t i = begin; i < end; ++i) std::copy_n(Row(i), columns(), scratch.row(i - begin));
    return {scratch.data(), end - begin, columns(), scratch.stride()};
  }

 private:
  static constexpr size_t kChunk = 7;

  const float* Row(size_t i) const { return chunks_[i / kChunk].data() + i % kChunk * columns(); }

  std::vector<std::vector<float>> chunks_;
};

inline Dataset InChunks(Dataset data) {
  data.x = std::make_shared<ChunkedRows>(data.x->InMemory());
  return data;
}

// The same problem, its rows out of memory.
inline Problem InChunks(Problem problem) {
  problem.train = InChunks(std::move(problem.train));
  problem.valid = InChunks(std::move(problem.valid));
  problem.test = InChunks(std::move(problem.test));
  return problem;
}

}  // namespace slm
