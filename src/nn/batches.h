#pragma once

// Mini-batches: each epoch visits every row once, in an order of its own, in batches of nearly
// equal size. (A short last batch would move a normalised mask as far as a full one.)

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/archive.h"
#include "base/random.h"

namespace slm {

// Hundreds of passes over few rows only overfit: so many steps, but no more than `passes` over the
// rows, and no less than `least_tenths` of the steps.
inline int BoundedSteps(int steps, int passes, int least_tenths, size_t rows, int batch_size) {
  const size_t batch = static_cast<size_t>(batch_size);
  const int per_epoch = static_cast<int>((rows + batch - 1) / batch);
  return std::min(steps, std::max(passes * per_epoch, steps * least_tenths / 10));
}

class Batches {
 public:
  // `rows` are the rows to draw from; at most batch_size of them in a batch.
  Batches(std::vector<int32_t> rows, size_t batch_size, RandomStream random)
      : rows_(std::move(rows)),
        per_epoch_((rows_.size() + batch_size - 1) / batch_size),
        random_(random) {}

  static Batches OfAll(size_t rows, size_t batch_size, RandomStream random,
                       std::span<const int32_t> repeats = {}) {
    std::vector<int32_t> all(rows);
    std::iota(all.begin(), all.end(), 0);
    return Batches(Repeat(all, repeats), batch_size, random);
  }

  // Of `rows`, each as often as `repeats` says, or once if that is empty.
  static std::vector<int32_t> Repeat(std::span<const int32_t> rows,
                                     std::span<const int32_t> repeats) {
    if (repeats.empty()) return {rows.begin(), rows.end()};
    std::vector<int32_t> all;
    for (int32_t row : rows) {
      all.insert(all.end(), static_cast<size_t>(repeats[static_cast<size_t>(row)]), row);
    }
    return all;
  }

  size_t per_epoch() const { return per_epoch_; }

  std::span<const int32_t> Next() {
    if (next_ == 0) random_.Shuffle(std::span(rows_));
    size_t begin = rows_.size() * next_ / per_epoch_;
    size_t end = rows_.size() * (next_ + 1) / per_epoch_;
    next_ = (next_ + 1) % per_epoch_;
    return std::span(rows_).subspan(begin, end - begin);
  }

  // Writes or reads how far it has come, for rows whose indices are below `bound`.
  void Serialize(Archive& archive, size_t bound) {
    std::vector<int32_t> own = rows_;
    archive.FixedIndices(std::span(rows_), bound);
    if (archive.reading()) {
      std::vector<int32_t> read = rows_;
      std::sort(own.begin(), own.end());
      std::sort(read.begin(), read.end());
      archive.Require(own == read, "has other rows");
    }
    archive.Value(next_);
    if (next_ >= per_epoch_) Archive::Fail("has a batch beyond the last");
    random_.Serialize(archive);
  }

 private:
  std::vector<int32_t> rows_;
  size_t per_epoch_;
  size_t next_ = 0;
  RandomStream random_;
};

}  // namespace slm
