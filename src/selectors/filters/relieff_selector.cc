// ReliefF (Kononenko 1994) and RReliefF (Robnik-Sikonja and Kononenko 2003): a feature is worth
// what it tells apart of neighbours that differ in the target, less what it tells apart of those
// that agree. Unlike filters that look at one feature at a time it sees features that matter only
// together.
//
// For classes, each of m instances asks its k nearest rows of its own class and of every other:
//
//   W_f = mean over instances of
//         sum over other classes c of P(c) / (1 - P(own)) mean over misses of diff_f
//         - mean over hits of diff_f
//
// For values, its k nearest rows, with N_dC, N_dA and N_dCdA the means over them of the differences
// in the target, in the feature, and of their products:
//
//   W_f = N_dCdA / N_dC - (N_dA - N_dCdA) / (1 - N_dC)
//
// diff is the difference over the range, 0 to 1; of a feature of several columns the largest one,
// which for text says whether the levels differ, and makes a missing number as far as can be from
// one that is there. Rows are as far apart as their diffs add up to. Rows count by their weights,
// as instances, as neighbours and in P; rows without weight are left out. The work is m n d.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "base/options.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "kernels/gemm.h"
#include "kernels/manhattan.h"
#include "selectors/choose.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"

namespace slm {
namespace {

struct ReliefOptions {
  int neighbors = 10;
  double sigma = 0;
  int sample = 5000;
};

constexpr size_t kTasksAtOnce = 64;  // whose sums wait to be added up in order
constexpr uint64_t kSampleStream = 0x72656c696566;

// The rows with a weight, and their features on [0, 1]: those of one column first.
class UnitRows {
 public:
  explicit UnitRows(const Problem& problem) {
    const FeatureLayout& layout = problem.layout;
    const Dataset& train = problem.train;
    std::vector<int32_t> columns;
    for (const bool single : {true, false}) {
      for (size_t j = 0; j < layout.features(); ++j) {
        if ((layout.offsets[j + 1] - layout.offsets[j] == 1) != single) continue;
        features_.push_back(j);
        if (!single) offsets_.push_back(static_cast<int32_t>(columns.size()));
        for (int32_t c = layout.offsets[j]; c < layout.offsets[j + 1]; ++c) columns.push_back(c);
      }
      if (single) single_ = columns.size();
    }
    offsets_.push_back(static_cast<int32_t>(columns.size()));
    for (size_t i = 0; i < train.rows(); ++i) {
      if (train.RowWeight(i) > 0) rows_.push_back(static_cast<int32_t>(i));
    }
    x_ = Matrix(rows_.size(), columns.size());
    for (size_t begin = 0; begin < rows_.size(); begin += kRowsPerBlock) {
      const size_t count = std::min(kRowsPerBlock, rows_.size() - begin);
      train.x->Gather(std::span(rows_).subspan(begin, count), ColumnSet(columns, layout.columns()),
                      {x_.row(begin), count, x_.cols(), x_.stride()});
    }
    Scale();
    t_ = Matrix(columns.size(), rows_.size());
    Transpose(x_.data(), x_.stride(), x_.rows(), x_.cols(), t_.data(), t_.stride());
  }

  size_t rows() const { return rows_.size(); }
  size_t source_row(size_t row) const { return static_cast<size_t>(rows_[row]); }
  size_t features() const { return features_.size(); }
  // Which feature of the problem is the f-th here.
  size_t source_feature(size_t f) const { return features_[f]; }
  size_t stride() const { return t_.stride(); }

  // Of rows first[0] ... first[kManhattanRows - 1] from all, each `stride()` long.
  void Distances(std::span<const uint32_t> from, std::span<float> out) const {
    std::vector<float> at(kManhattanRows * x_.stride());
    for (size_t r = 0; r < kManhattanRows; ++r) {
      const float* row = x_.row(from[std::min(r, from.size() - 1)]);
      std::copy_n(row, x_.cols(), at.data() + r * x_.stride());
    }
    const ManhattanArgs args = {.x = t_.data(),
                                .x_stride = t_.stride(),
                                .rows = (rows() + kLanes - 1) / kLanes * kLanes,
                                .at = at.data(),
                                .at_stride = x_.stride(),
                                .single = single_,
                                .offsets = offsets_.data(),
                                .groups = offsets_.size() - 1,
                                .out = out.data(),
                                .out_stride = t_.stride()};
    SLM_DISPATCH(Manhattan, args);
  }

  // sums[f] += weight diff_f(a, b)
  void AddDifferences(size_t a, size_t b, double weight, double* sums) const {
    const float* x = x_.row(a);
    const float* z = x_.row(b);
    for (size_t c = 0; c < single_; ++c) {
      sums[c] += weight * static_cast<double>(std::abs(x[c] - z[c]));
    }
    for (size_t g = 0; g + 1 < offsets_.size(); ++g) {
      float most = 0;
      for (int32_t c = offsets_[g]; c < offsets_[g + 1]; ++c) {
        most = std::max(most, std::abs(x[c] - z[c]));
      }
      sums[single_ + g] += weight * static_cast<double>(most);
    }
  }

 private:
  void Scale() {
    std::vector<float> low(x_.cols()), high(x_.cols());
    for (size_t i = 0; i < x_.rows(); ++i) {
      const float* row = x_.row(i);
      for (size_t c = 0; c < x_.cols(); ++c) {
        low[c] = i == 0 ? row[c] : std::min(low[c], row[c]);
        high[c] = i == 0 ? row[c] : std::max(high[c], row[c]);
      }
    }
    for (size_t i = 0; i < x_.rows(); ++i) {
      float* row = x_.row(i);
      for (size_t c = 0; c < x_.cols(); ++c) {
        const float range = high[c] - low[c];
        row[c] = range > 0 ? (row[c] - low[c]) / range : 0;
      }
    }
  }

  std::vector<size_t> features_;
  size_t single_ = 0;             // features of one column
  std::vector<int32_t> offsets_;  // of the others
  std::vector<int32_t> rows_;
  Matrix x_, t_;  // rows x columns, and its transpose
};

class Relief {
 public:
  Relief(const Problem& problem, const ReliefOptions& options, uint64_t seed)
      : data_(problem.train), options_(options), rows_(problem), instances_(rows_.rows()) {
    std::iota(instances_.begin(), instances_.end(), 0u);
    if (options.sample > 0 && instances_.size() > static_cast<size_t>(options.sample)) {
      RandomStream(seed, kSampleStream).Shuffle(std::span(instances_));
      instances_.resize(static_cast<size_t>(options.sample));
      std::sort(instances_.begin(), instances_.end());
    }
    pools_.resize(data_.y.has_classes() ? data_.y.outputs() : 1);
    share_.resize(pools_.size());
    double sum = 0;
    for (size_t i = 0; i < rows_.rows(); ++i) {
      const size_t pool = PoolOf(i);
      pools_[pool].push_back(static_cast<uint32_t>(i));
      share_[pool] += Weight(i);
      sum += Weight(i);
    }
    for (double& share : share_) share /= sum;
    // Summed, as 1 less the own share is 0 where the others weigh almost nothing.
    others_.resize(share_.size());
    for (size_t c = 0; c < share_.size(); ++c) {
      for (size_t o = 0; o < share_.size(); ++o) others_[c] += o == c ? 0 : share_[o];
    }
    if (data_.y.has_classes()) return;
    float low = data_.y.value[rows_.source_row(0)], high = low;
    for (size_t i = 0; i < rows_.rows(); ++i) {
      low = std::min(low, data_.y.value[rows_.source_row(i)]);
      high = std::max(high, data_.y.value[rows_.source_row(i)]);
    }
    value_scale_ = high > low ? 1 / (double{high} - double{low}) : 0;
  }

  // When asked to stop, from the instances so far.
  std::vector<double> Scores(const Context& context) const {
    const size_t tasks = (instances_.size() + kManhattanRows - 1) / kManhattanRows;
    std::atomic<int> done = 0;
    Sums total = MakeSums();
    for (size_t first = 0; first < tasks && !context.ShouldStop(); first += kTasksAtOnce) {
      std::vector<Sums> round(std::min(kTasksAtOnce, tasks - first), MakeSums());
      context.pool->ParallelFor(round.size(), [&](size_t t) {
        if (context.ShouldStop()) return;
        const size_t begin = (first + t) * kManhattanRows;
        const size_t count = std::min(kManhattanRows, instances_.size() - begin);
        Ask(std::span(instances_).subspan(begin, count), round[t]);
        const int step = done += static_cast<int>(count);
        if (context.observer != nullptr) {
          context.observer->OnProgress(
              {.phase = "instances", .step = step, .steps = static_cast<int>(instances_.size())});
        }
      });
      for (const Sums& sums : round) {
        total.weight += sums.weight;
        total.target += sums.target;
        for (size_t f = 0; f < rows_.features(); ++f) {
          total.features[f] += sums.features[f];
          if (!sums.both.empty()) total.both[f] += sums.both[f];
        }
      }
    }
    return Finish(total);
  }

 private:
  struct Sums {
    double weight = 0;
    std::vector<double> features;   // W of classes, N_dA
    double target = 0;              // N_dC
    std::vector<double> both = {};  // N_dCdA
  };

  Sums MakeSums() const {
    Sums sums{.features = std::vector<double>(rows_.features())};
    if (data_.y.has_values()) sums.both.resize(rows_.features());
    return sums;
  }

  double Weight(size_t row) const { return data_.RowWeight(rows_.source_row(row)); }
  size_t PoolOf(size_t row) const {
    return data_.y.has_classes() ? static_cast<size_t>(data_.y.index[rows_.source_row(row)]) : 0;
  }

  void Ask(std::span<const uint32_t> instances, Sums& sums) const {
    std::vector<float> distances(kManhattanRows * rows_.stride());
    rows_.Distances(instances, distances);
    for (size_t r = 0; r < instances.size(); ++r) {
      const std::span<const float> own(distances.data() + r * rows_.stride(), rows_.rows());
      const size_t i = instances[r];
      sums.weight += Weight(i);
      if (data_.y.has_classes()) {
        AskClasses(i, own, sums);
      } else {
        AskValues(i, own, sums);
      }
    }
  }

  // The nearest rows of a pool and their shares in a mean; ties go to the earlier row.
  std::vector<std::pair<uint32_t, double>> Nearest(size_t i, std::span<const float> distances,
                                                   std::span<const uint32_t> pool) const {
    std::vector<std::pair<float, uint32_t>> found;
    found.reserve(pool.size());
    for (uint32_t j : pool) {
      if (j != i) found.emplace_back(distances[j], j);
    }
    const size_t k = std::min(static_cast<size_t>(options_.neighbors), found.size());
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(k);
    if (end != found.end()) std::nth_element(found.begin(), end, found.end());
    std::sort(found.begin(), end);
    std::vector<std::pair<uint32_t, double>> nearest;
    double sum = 0;
    for (size_t place = 0; place < k; ++place) {
      double share = Weight(found[place].second);
      if (options_.sigma > 0) {
        // Over that of the nearest, which so counts even where sigma is small.
        const double rank = static_cast<double>(place + 1);
        share *= std::exp((1 - rank * rank) / (options_.sigma * options_.sigma));
      }
      nearest.emplace_back(found[place].second, share);
      sum += share;
    }
    for (auto& [row, share] : nearest) share /= sum;
    return nearest;
  }

  void AskClasses(size_t i, std::span<const float> distances, Sums& sums) const {
    const size_t own = PoolOf(i);
    for (size_t c = 0; c < pools_.size(); ++c) {
      if (pools_[c].empty()) continue;
      const double factor = c == own ? -Weight(i) : Weight(i) * share_[c] / others_[own];
      for (const auto& [row, share] : Nearest(i, distances, pools_[c])) {
        rows_.AddDifferences(i, row, factor * share, sums.features.data());
      }
    }
  }

  void AskValues(size_t i, std::span<const float> distances, Sums& sums) const {
    const std::vector<float>& y = data_.y.value;
    for (const auto& [row, share] : Nearest(i, distances, pools_[0])) {
      const double far =
          std::abs(double{y[rows_.source_row(i)]} - double{y[rows_.source_row(row)]}) *
          value_scale_;
      const double w = Weight(i) * share;
      sums.target += w * far;
      rows_.AddDifferences(i, row, w, sums.features.data());
      rows_.AddDifferences(i, row, w * far, sums.both.data());
    }
  }

  // By feature of the problem.
  std::vector<double> Finish(const Sums& sums) const {
    std::vector<double> scores(rows_.features());
    if (!(sums.weight > 0)) return scores;
    for (size_t f = 0; f < scores.size(); ++f) {
      double& score = scores[rows_.source_feature(f)];
      if (data_.y.has_classes()) {
        score = sums.features[f] / sums.weight;
      } else {
        // Neighbours that never differ in the target, or always in full, tell nothing by that part.
        const double same = sums.weight - sums.target;
        if (sums.target > 0) score += sums.both[f] / sums.target;
        if (same > 0) score -= (sums.features[f] - sums.both[f]) / same;
      }
    }
    return scores;
  }

  const Dataset& data_;
  const ReliefOptions& options_;
  UnitRows rows_;
  std::vector<uint32_t> instances_;
  std::vector<std::vector<uint32_t>> pools_;  // rows of each class; all rows for values
  std::vector<double> share_;                 // P of each class
  std::vector<double> others_;                // that of all other classes
  double value_scale_ = 0;
};

constexpr SearchDimension kSearched[] = {
    SearchDimension::LogWhole("neighbors", 3, 100),
};

class ReliefSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    return ChooseTop(Relief(problem, options_, seed).Scores(context), k);
  }

  void DescribeOptions(OptionList& list) override {
    list.Int("neighbors", &options_.neighbors, 1, 100000,
             "nearest rows asked: of each class for classes, of all for values");
    list.Real("sigma", &options_.sigma, 0, 1e6,
              "neighbours count by exp(-(rank / sigma)^2); 0: all alike");
    list.Int("sample", &options_.sample, 0, 1000000000,
             "how many rows, drawn at random, are compared with their neighbours; 0: all");
  }

  void DescribeSearch(SearchSpace& space) const override { space = {.dimensions = kSearched}; }

 private:
  ReliefOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeReliefF() { return std::make_unique<ReliefSelector>(); }

}  // namespace slm
