#include "selectors/trees/forest.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/options.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "numerics/radix_sort.h"
#include "selectors/choose.h"
#include "selectors/trees/tree_grower.h"

namespace slm {
namespace {

constexpr size_t kColumnsAtOnce = 16;  // a cache line of a row
constexpr size_t kTreesAtOnce = 32;    // whose results wait to be added up in order
constexpr uint64_t kTreeStream = 0x7265657;

// Unsigned integers in the order of the floats; both zeros are one.
uint32_t OrderedBits(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x + 0.0f);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

// ranks[i] = how many distinct values are below that of row i, or its quantile if there are more
// than 65,536 of them. `values`, if not null, gets the largest value of each rank.
void RankColumn(MatrixView<const float> x, size_t column, std::span<uint64_t> keys,
                std::span<uint64_t> scratch, uint16_t* ranks, std::vector<float>* values) {
  for (size_t i = 0; i < x.rows; ++i) {
    keys[i] = uint64_t{OrderedBits(x(i, column))} << 32 | i;
  }
  const std::span<const uint64_t> sorted = RadixSort(keys, scratch, 32);
  uint64_t last = 0;
  for (size_t i = 1; i < sorted.size(); ++i) last += sorted[i] >> 32 != sorted[i - 1] >> 32;
  constexpr uint64_t kMost = std::numeric_limits<uint16_t>::max();
  uint64_t rank = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0) rank += sorted[i] >> 32 != sorted[i - 1] >> 32;
    const uint16_t coarse = static_cast<uint16_t>(last <= kMost ? rank : rank * kMost / last);
    const size_t row = sorted[i] & 0xffffffffu;
    ranks[row] = coarse;
    if (values == nullptr) continue;
    values->resize(size_t{coarse} + 1);
    values->back() = x(row, column);
  }
}

}  // namespace

void DescribeOptions(ForestOptions& o, OptionList& list) {
  list.Int("trees", &o.trees, 1, 1000000, "trees of the forest");
  list.Int("max_depth", &o.max_depth, 0, 1000000, "maximum depth of a tree; 0: no limit");
  list.Real("max_features", &o.max_features, 0, 1,
            "share of the columns tried at each split; 0: the square root of their number for "
            "classes, all for values");
  list.Int("min_samples_leaf", &o.min_samples_leaf, 1, 1000000000, "minimum rows of a leaf");
  list.Bool("bootstrap", &o.bootstrap, "each tree draws its rows with replacement");
}

size_t TriedColumns(const ForestOptions& options, const Labels& labels, size_t columns) {
  const double d = static_cast<double>(columns);
  double tried = options.max_features * d;
  if (options.max_features == 0) tried = labels.has_classes() ? std::sqrt(d) : d;
  return std::clamp<size_t>(static_cast<size_t>(tried), 1, std::max<size_t>(columns, 1));
}

Forest::Forest(MatrixView<const float> x, const Labels& labels, std::span<const float> weight,
               const Context& context, bool keep_values)
    : rows_(x.rows),
      columns_(x.cols),
      labels_(labels),
      weight_(weight),
      ranks_(x.rows * x.cols),
      values_(keep_values ? x.cols : 0) {
  double sum = 0;
  for (float w : weight_) weight_up_to_.push_back(sum += double{w});
  const size_t tasks = (columns_ + kColumnsAtOnce - 1) / kColumnsAtOnce;
  context.pool->ParallelFor(tasks, [&](size_t task) {
    std::vector<uint64_t> keys(rows_), scratch(rows_);
    const size_t end = std::min(columns_, (task + 1) * kColumnsAtOnce);
    for (size_t c = task * kColumnsAtOnce; c < end; ++c) {
      if (context.ShouldStop()) return;  // a column without ranks is never split
      RankColumn(x, c, keys, scratch, ranks_.data() + c * rows_,
                 keep_values ? &values_[c] : nullptr);
    }
  });
}

std::vector<double> ImportanceByFeature(const Problem& problem, const ForestOptions& options,
                                        uint64_t seed, const Context& context) {
  const Dataset& train = problem.train;
  const Forest forest(train.x->InMemory(), train.y, train.weight, context,
                      options.random_thresholds);
  std::vector<int32_t> columns(problem.layout.columns());
  std::iota(columns.begin(), columns.end(), 0);
  const ForestResult result = forest.Grow(options, columns, seed, false, context);
  return SumByFeature(problem.layout, result.importance);
}

size_t Forest::DrawRow(RandomStream& random) const {
  if (weight_up_to_.empty()) return random.Below(rows_);
  const double at = random.Uniform() * weight_up_to_.back();
  // The first sum above: a row without weight adds nothing and is never the first.
  return static_cast<size_t>(std::upper_bound(weight_up_to_.begin(), weight_up_to_.end() - 1, at) -
                             weight_up_to_.begin());
}

ForestResult Forest::Grow(const ForestOptions& options, std::span<const int32_t> columns,
                          uint64_t seed, bool out_of_bag, const Context& context) const {
  const size_t outputs = labels_.outputs();
  ForestResult result;
  result.importance.resize(columns_);
  std::vector<uint32_t> votes;
  if (out_of_bag) {
    result.out_of_bag.resize(rows_ * outputs);
    votes.resize(rows_);
  }
  const RandomStream random(seed, kTreeStream);
  const size_t trees = static_cast<size_t>(options.trees);
  std::atomic<int> grown = 0;
  for (size_t first = 0; first < trees && !context.ShouldStop(); first += kTreesAtOnce) {
    std::vector<TreeGrower::Tree> round(std::min(kTreesAtOnce, trees - first));
    context.pool->ParallelFor(round.size(), [&](size_t t) {
      if (context.ShouldStop()) return;
      round[t] = TreeGrower(*this, options, columns)
                     .Grow(random.Substream(first + t), out_of_bag, context);
      if (context.observer != nullptr) {
        context.observer->OnProgress({.phase = "trees", .step = ++grown, .steps = options.trees});
      }
    });
    for (const TreeGrower::Tree& tree : round) {
      for (size_t c = 0; c < tree.importance.size(); ++c) {
        result.importance[c] += tree.importance[c];
      }
      for (size_t i = 0; i < tree.unseen.size(); ++i) {
        ++votes[tree.unseen[i]];
        for (size_t o = 0; o < outputs; ++o) {
          result.out_of_bag[tree.unseen[i] * outputs + o] += tree.leaf[i * outputs + o];
        }
      }
    }
  }
  double sum = 0;
  for (double x : result.importance) sum += x;
  if (sum > 0) {
    for (double& x : result.importance) x /= sum;
  }
  for (size_t i = 0; i < result.out_of_bag.size(); ++i) {
    result.out_of_bag[i] /= std::max(1u, votes[i / outputs]);
  }
  return result;
}

}  // namespace slm
