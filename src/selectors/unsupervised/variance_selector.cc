// Features that spread over their range.
//
// Columns arrive standardised, with a variance of one or, for the parts of a text column, of one
// together. What is left to compare is the variance of a column stretched to [0, 1]: from 0 for one
// outlier among equals, over 1/12 for even values, to 1/4 for two values half each. It does not
// depend on units. A feature of several columns has the largest of theirs.

#include <algorithm>
#include <limits>
#include <vector>

#include "base/thread_pool.h"
#include "selectors/choose.h"
#include "selectors/methods.h"

namespace slm {
namespace {

constexpr size_t kColumnBlock = 256;

class VarianceSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    const Dataset& data = problem.train;
    std::vector<double> spread(data.x->columns());
    context.pool->ParallelFor((spread.size() + kColumnBlock - 1) / kColumnBlock, [&](size_t b) {
      if (context.ShouldStop()) return;
      const size_t first = b * kColumnBlock;
      Spread(data, first,
             std::span(spread).subspan(first, std::min(kColumnBlock, spread.size() - first)));
    });
    return ChooseTop(LargestByFeature(problem.layout, spread), k);
  }

 private:
  static void Spread(const Dataset& data, size_t first, std::span<double> out) {
    const size_t columns = out.size();
    std::vector<double> sums(columns), squares(columns);
    std::vector<float> low(columns, std::numeric_limits<float>::max());
    std::vector<float> high(columns, std::numeric_limits<float>::lowest());
    double weight = 0;
    const MatrixView<const float> all = data.x->InMemory();
    for (size_t i = 0; i < data.rows(); ++i) {
      const double w = data.weight.empty() ? 1 : data.weight[i];
      if (w == 0) continue;
      weight += w;
      const float* x = all.row(i) + first;
      for (size_t c = 0; c < columns; ++c) {
        const double v = x[c], wv = w * v;
        sums[c] += wv;
        squares[c] += wv * v;
        low[c] = std::min(low[c], x[c]);
        high[c] = std::max(high[c], x[c]);
      }
    }
    for (size_t c = 0; c < columns; ++c) {
      if (!(low[c] < high[c])) continue;
      const double range = static_cast<double>(high[c]) - static_cast<double>(low[c]);
      const double mean = sums[c] / weight;
      out[c] = std::max(0.0, squares[c] / weight - mean * mean) / (range * range);
    }
  }
};

}  // namespace

std::unique_ptr<Selector> MakeVariance() { return std::make_unique<VarianceSelector>(); }

}  // namespace slm
