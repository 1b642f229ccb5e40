// Features that spread over their range.
//
// Columns arrive standardised, with a variance of one or, for the parts of a text column, of one
// together. What is left to compare is the variance of a column stretched to [0, 1]: from 0 for one
// outlier among equals, over 1/12 for even values, to 1/4 for two values half each. It does not
// depend on units. A feature of several columns has the largest of theirs.

#include <algorithm>
#include <limits>
#include <vector>

#include "base/row_reduction.h"
#include "base/thread_pool.h"
#include "selectors/choose.h"
#include "selectors/methods.h"

namespace slm {
namespace {

constexpr size_t kStrip = 256;  // columns of a task

// Of each column.
struct Spreads {
  explicit Spreads(size_t columns)
      : sums(columns),
        squares(columns),
        low(columns, std::numeric_limits<float>::max()),
        high(columns, std::numeric_limits<float>::lowest()) {}

  std::vector<double> sums, squares;
  std::vector<float> low, high;
};

void AddSums(Spreads& spreads, const Spreads& other) {
  slm::AddSums(spreads.sums, other.sums);
  slm::AddSums(spreads.squares, other.squares);
  for (size_t c = 0; c < spreads.low.size(); ++c) {
    spreads.low[c] = std::min(spreads.low[c], other.low[c]);
    spreads.high[c] = std::max(spreads.high[c], other.high[c]);
  }
}

class VarianceSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    const Dataset& data = problem.train;
    const size_t columns = data.x->columns(), strips = (columns + kStrip - 1) / kStrip;
    auto weight = [&](size_t row) { return data.weight.empty() ? 1.0 : double{data.weight[row]}; };
    const double total = SumOverRange(data.rows(), 0.0, [&](double& sum, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) sum += weight(i);
    });
    const Spreads all = SumOverRows(
        *data.x, Spreads(columns),
        [&](Spreads& spreads, size_t first, MatrixView<const float> block) {
          context.pool->ParallelFor(strips, [&](size_t strip) {
            if (context.ShouldStop()) return;
            const size_t begin = strip * kStrip, end = std::min(columns, begin + kStrip);
            for (size_t i = 0; i < block.rows; ++i) {
              const double w = weight(first + i);
              if (w == 0) continue;
              const float* x = block.row(i);
              for (size_t c = begin; c < end; ++c) {
                const double v = x[c], wv = w * v;
                spreads.sums[c] += wv;
                spreads.squares[c] += wv * v;
                spreads.low[c] = std::min(spreads.low[c], x[c]);
                spreads.high[c] = std::max(spreads.high[c], x[c]);
              }
            }
          });
        });
    std::vector<double> spread(columns);
    for (size_t c = 0; c < columns; ++c) {
      if (!(all.low[c] < all.high[c])) continue;
      const double range = static_cast<double>(all.high[c]) - static_cast<double>(all.low[c]);
      const double mean = all.sums[c] / total;
      spread[c] = std::max(0.0, all.squares[c] / total - mean * mean) / (range * range);
    }
    return ChooseTop(LargestByFeature(problem.layout, spread), k);
  }
};

}  // namespace

std::unique_ptr<Selector> MakeVariance() { return std::make_unique<VarianceSelector>(); }

}  // namespace slm
