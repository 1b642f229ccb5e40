#include "nn/active_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "tests/data/indices.h"
#include "tests/data/numbered.h"

namespace slm {
namespace {

void ExpectGathered(const ActiveInput& input, const Matrix& data, std::span<const int32_t> rows,
                    std::span<const int32_t> columns) {
  ASSERT_EQ(input.x.rows, rows.size());
  ASSERT_EQ(input.x.cols, columns.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t a = 0; a < columns.size(); ++a) {
      ASSERT_EQ(input.x(i, a), data(static_cast<size_t>(rows[i]), static_cast<size_t>(columns[a])))
          << "row " << rows[i] << ", column " << columns[a];
    }
  }
}

// Few of many columns, one of them exchanged every other batch: copies are made, grow and overflow.
TEST(ActiveBatch, GathersTheSameWhateverItHasCopied) {
  constexpr size_t kRows = 60, kCols = 400, kBatch = 20;
  const Matrix data = Numbered(kRows, kCols);
  const std::shared_ptr<const RowSource> source = MakeRows(data);
  RandomStream random(1, 0);
  for (size_t count : {1u, 16u, 40u, 100u}) {
    std::vector<int32_t> pool(kCols);
    std::iota(pool.begin(), pool.end(), 0);
    ActiveBatch batch;
    const std::vector<float> scale(count, 1.0f);
    std::vector<int32_t> columns;
    for (int step = 0; step < 300; ++step) {
      if (step % 2 == 0) {
        std::swap(pool[random.Below(count)], pool[random.Below(kCols)]);
        columns.assign(pool.begin(), pool.begin() + static_cast<ptrdiff_t>(count));
        std::sort(columns.begin(), columns.end());
        batch.SetColumns(columns, columns);
      }
      std::vector<int32_t> rows(kBatch);
      for (int32_t& row : rows) row = static_cast<int32_t>(random.Below(kRows));
      ExpectGathered(batch.Gather(*source, rows, scale), data, rows, columns);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(ActiveBatch, GathersWhileColumnsFall) {
  const Matrix data = Numbered(30, 333);
  const std::shared_ptr<const RowSource> source = MakeRows(data);
  const std::vector<int32_t> rows = Indices(30), all = Indices(333);
  for (size_t copy_share : {1u, 4u}) {
    RandomStream random(2, 0);
    ActiveBatch batch(copy_share);
    for (std::vector<int32_t> columns = all; !columns.empty();) {
      batch.SetColumns(columns, columns);
      const std::vector<float> scale(columns.size(), 1.0f);
      for (int step = 0; step < 2; ++step) {
        ExpectGathered(batch.Gather(*source, rows, scale), data, rows, columns);
        if (HasFatalFailure()) return;
      }
      columns.erase(columns.begin() + static_cast<ptrdiff_t>(random.Below(columns.size())));
    }
  }
}

}  // namespace
}  // namespace slm
