#include "nn/active_batch.h"

#include <algorithm>
#include <numeric>

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

ActiveInput ActiveBatch::Gather(const Matrix& data, std::span<const int32_t> rows,
                                std::span<const float> scale) {
  if (x_.rows() < rows.size()) x_ = Matrix(rows.size(), x_.cols());
  if (changed_) {
    if (copy_.rows() > 0 && !AppendMissing(data)) copy_ = Matrix();
    if (copy_.rows() == 0) SetSource(columns_, data.stride());
    changed_ = false;
  }
  const size_t width = copy_.rows() > 0 ? copy_.cols() : data.cols();
  // By then gathering has cost as much as the copy will, so the sum is at most twice the best.
  if (scattered_ && gathered_ >= data.rows() && copy_share_ * columns_.size() <= width) {
    MakeCopy(data);
  }
  gathered_ += rows.size();
  const Matrix& source = copy_.rows() > 0 ? copy_ : data;
  slm::Gather({.x = source.data(),
               .x_stride = source.stride(),
               .rows = rows.data(),
               .row_count = rows.size(),
               .columns = source_.data(),
               .runs = runs_.data(),
               .column_count = columns_.size(),
               .out = x_.data(),
               .out_stride = x_.stride()});
  return {{x_.data(), rows.size(), columns_.size(), x_.stride()}, inputs_, scale};
}

void ActiveBatch::MakeCopy(const Matrix& data) {
  SetSource(columns_, data.stride());
  std::vector<int32_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0);
  copied_ = columns_.size();
  copy_ = Matrix();  // never two at a time
  const size_t room = copy_share_ > 1 ? copied_ / kRoomShare : 0;
  copy_ = Matrix(data.rows(), copied_ + room + kLanes);
  slm::Gather({.x = data.data(),
               .x_stride = data.stride(),
               .rows = rows.data(),
               .row_count = rows.size(),
               .columns = source_.data(),
               .runs = runs_.data(),
               .column_count = copied_,
               .out = copy_.data(),
               .out_stride = copy_.stride()});
  place_.assign(data.cols(), -1);
  for (size_t a = 0; a < copied_; ++a) {
    place_[static_cast<size_t>(columns_[a])] = static_cast<int32_t>(a);
  }
  gathered_ = 0;
  AppendMissing(data);
}

// Points source_ at the copy, which must hold every active column; false if there is no room.
bool ActiveBatch::AppendMissing(const Matrix& data) {
  std::vector<int32_t> places;
  for (int32_t column : columns_) {
    int32_t& place = place_[static_cast<size_t>(column)];
    if (place < 0) {
      if (copied_ == copy_.cols()) return false;
      place = static_cast<int32_t>(copied_++);
      for (size_t i = 0; i < data.rows(); ++i) {
        copy_(i, static_cast<size_t>(place)) = data(i, static_cast<size_t>(column));
      }
    }
    places.push_back(place);
  }
  SetSource(places, copy_.stride());
  return true;
}

// What the lanes past the last column read does not matter, as long as it is inside the row.
void ActiveBatch::SetSource(std::span<const int32_t> columns, size_t stride) {
  source_.assign(PaddedWidth(columns.size()), 0);
  std::copy(columns.begin(), columns.end(), source_.begin());
  runs_.assign(source_.size() / kLanes, -1);
  scattered_ = false;
  for (size_t r = 0; r < runs_.size(); ++r) {
    const int32_t* first = source_.data() + r * kLanes;
    const int32_t* last = first + std::min(kLanes, columns.size() - r * kLanes);
    const bool side_by_side =
        static_cast<size_t>(*first) + kLanes <= stride &&
        std::adjacent_find(first, last, [](int32_t a, int32_t b) { return b != a + 1; }) == last;
    if (side_by_side) runs_[r] = *first;
    scattered_ |= !side_by_side;
  }
}

}  // namespace slm
