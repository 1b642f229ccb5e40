#include "nn/active_batch.h"

#include "kernels/vector_ops.h"

namespace slm {
namespace {

constexpr size_t kRoomShare = 4;  // of a copy: so much room for columns that join

}  // namespace

void ActiveBatch::SetColumns(std::span<const int32_t> columns, std::span<const int32_t> inputs) {
  columns_.assign(columns.begin(), columns.end());
  inputs_.assign(inputs.begin(), inputs.end());
  changed_ = true;
  if (x_.cols() < columns.size()) x_ = Matrix(x_.rows(), columns.size());
}

ActiveInput ActiveBatch::Gather(const RowSource& data, std::span<const int32_t> rows,
                                std::span<const float> scale) {
  if (x_.rows() < rows.size()) x_ = Matrix(rows.size(), x_.cols());
  if (changed_) {
    if (copy_.rows() > 0 && !AppendMissing(data)) copy_ = Matrix();
    if (copy_.rows() == 0) source_.Assign(columns_, data.columns());
    changed_ = false;
  }
  const size_t width = copy_.rows() > 0 ? copy_.cols() : data.columns();
  // By then gathering has cost as much as the copy will, so the sum is at most twice the best.
  if (source_.scattered() && gathered_ >= data.rows() && copy_share_ * columns_.size() <= width) {
    MakeCopy(data);
  }
  gathered_ += rows.size();
  if (copy_.rows() == 0) {
    data.Gather(rows, source_, x_.view());
  } else {
    slm::Gather({.x = copy_.data(),
                 .x_stride = copy_.stride(),
                 .rows = rows.data(),
                 .row_count = rows.size(),
                 .columns = source_.padded(),
                 .runs = source_.runs(),
                 .column_count = columns_.size(),
                 .out = x_.data(),
                 .out_stride = x_.stride()});
  }
  return {{x_.data(), rows.size(), columns_.size(), x_.stride()}, inputs_, scale};
}

void ActiveBatch::MakeCopy(const RowSource& data) {
  source_.Assign(columns_, data.columns());
  copied_ = columns_.size();
  copy_ = Matrix();  // never two at a time
  const size_t room = copy_share_ > 1 ? copied_ / kRoomShare : 0;
  copy_ = Matrix(data.rows(), copied_ + room + kLanes);
  GatherAllRows(data, source_, copy_.view());
  place_.assign(data.columns(), -1);
  for (size_t a = 0; a < copied_; ++a) {
    place_[static_cast<size_t>(columns_[a])] = static_cast<int32_t>(a);
  }
  gathered_ = 0;
  AppendMissing(data);
}

// Points source_ at the copy, which must hold every active column; false if there is no room.
bool ActiveBatch::AppendMissing(const RowSource& data) {
  std::vector<int32_t> places, missing;
  const size_t first = copied_;
  for (int32_t column : columns_) {
    int32_t& place = place_[static_cast<size_t>(column)];
    if (place < 0) {
      if (copied_ == copy_.cols()) return false;
      place = static_cast<int32_t>(copied_++);
      missing.push_back(column);
    }
    places.push_back(place);
  }
  if (!missing.empty()) {
    ForEachBlock(data, [&](size_t begin, MatrixView<const float> block) {
      for (size_t i = 0; i < block.rows; ++i) {
        float* out = copy_.row(begin + i) + first;
        const float* x = block.row(i);
        for (size_t a = 0; a < missing.size(); ++a) out[a] = x[missing[a]];
      }
    });
  }
  source_.Assign(places, copy_.cols());
  return true;
}

}  // namespace slm
