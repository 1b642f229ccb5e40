#include "selectors/portfolio/set_judge.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/streams.h"
#include "base/thread_pool.h"
#include "nn/fit.h"
#include "nn/model_archive.h"
#include "selectors/trees/forest.h"
#include "targets/losses.h"
#include "targets/measure.h"
#include "targets/metrics.h"

namespace slm {
namespace {

constexpr int kTrees = 100;
constexpr int kLeastLeaf = 3;         // rows; smaller leaves say yes or no and never perhaps
constexpr double kLeastShare = 0.01;  // of a class in the leaves of a row, for its logarithm

// By the metric itself where there is one. Proper scores, which choices among fits go by, ask how
// sure a predictor may be, too, and that is no matter of the set.
double QualityOf(const Matrix& scores, const Dataset& rows) {
  if (rows.metric != nullptr) {
    const double reached = rows.metric->measure(scores, rows, 1);
    if (std::isfinite(reached)) return rows.metric->larger_is_better ? reached : -reached;
  }
  return MeasureScores(scores, rows).quality;
}

// Every n-th row, so that there are no more than `most`.
std::vector<int32_t> SomeRows(size_t rows, size_t most) {
  const size_t step = (rows + most - 1) / most;
  std::vector<int32_t> some;
  for (size_t i = 0; i < rows; i += std::max<size_t>(step, 1)) {
    some.push_back(static_cast<int32_t>(i));
  }
  return some;
}

// The features alone, in some of the training rows.
Problem PartOf(const Problem& problem, std::span<const int> features, size_t most_rows) {
  Problem part;
  part.layout.names.clear();
  for (int j : features) {
    const size_t at = static_cast<size_t>(j);
    part.layout.names.push_back(problem.layout.names[at]);
    part.layout.offsets.push_back(part.layout.offsets.back() + problem.layout.offsets[at + 1] -
                                  problem.layout.offsets[at]);
  }
  Dataset all = problem.train;
  all.x = MakeRows(CopyColumns(*problem.train.x, problem.layout.ColumnsOf(features)));
  part.train = RowsOf(all, SomeRows(all.rows(), most_rows), problem.valid.metric);
  part.valid.metric = problem.valid.metric;
  return part;
}

}  // namespace

bool SetJudge::HasRows(const Problem& problem) {
  size_t rows = 0;
  for (size_t i = 0; i < problem.train.rows(); ++i) rows += problem.train.RowWeight(i) > 0;
  return rows >= kLeastRows;
}

SetJudge::SetJudge(const Problem& problem, std::vector<int> features, uint64_t seed)
    : seed_(seed),
      features_(std::move(features)),
      problem_(PartOf(problem, features_, kMostRows)),
      folds_(DealFolds(problem_, kFolds, /*choosing=*/true, "folds")) {}

FoldQualities SetJudge::Judge(const std::string& name, std::span<const int> set,
                              const Context& context) const {
  std::vector<int> own;  // the features by their place among those of the judge
  for (int j : set) {
    own.push_back(static_cast<int>(std::lower_bound(features_.begin(), features_.end(), j) -
                                   features_.begin()));
  }
  std::sort(own.begin(), own.end());
  const std::vector<int32_t> columns = problem_.layout.ColumnsOf(own);
  FoldQualities mean(folds_.size());
  const FoldQualities each[] = {ByNetworks(name, columns, 0, context),
                                ByNetworks(name, columns, 1, context), ByForest(columns, context)};
  for (const FoldQualities& one : each) {
    if (context.ShouldStop()) return {};
    for (size_t f = 0; f < mean.size(); ++f) mean[f] += one[f] / std::size(each);
  }
  return mean;
}

FoldQualities SetJudge::ByNetworks(const std::string& name, std::span<const int32_t> columns,
                                   int hidden_layers, const Context& context) const {
  FoldQualities qualities(folds_.size());
  const FitOptions options = SuitedTo(DefaultLoss(problem_.train.y),
                                      {.hidden_layers = hidden_layers, .make_predictor = {}});
  context.pool->ParallelFor(folds_.size(), [&](size_t f) {
    if (context.ShouldStop()) return;
    Problem own = problem_;
    own.train = folds_[f].learn;
    own.valid = folds_[f].choose;
    const FitResult fit =
        FitOrFind(name + " " + std::to_string(hidden_layers) + " " + std::to_string(f), own,
                  columns, options, StreamFor(seed_, StreamOf::kJudge, f), context);
    qualities[f] = QualityOf(Scores(fit.model, folds_[f].held_out), folds_[f].held_out);
  });
  return qualities;
}

FoldQualities SetJudge::ByForest(std::span<const int32_t> columns, const Context& context) const {
  const Matrix x = CopyColumns(*problem_.train.x, columns);
  const Forest forest(x.view(), problem_.train.y, problem_.train.weight, context);
  std::vector<int32_t> all(columns.size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<double> found =
      forest.Grow({.trees = kTrees, .min_samples_leaf = kLeastLeaf}, all, seed_, true, context)
          .out_of_bag;
  FoldQualities qualities(folds_.size());
  if (context.ShouldStop()) return qualities;
  const size_t outputs = problem_.train.y.outputs();
  for (size_t f = 0; f < folds_.size(); ++f) {
    const RowFold& fold = folds_[f];
    Matrix scores(fold.held_rows.size(), outputs);
    for (size_t i = 0; i < fold.held_rows.size(); ++i) {
      for (size_t o = 0; o < outputs; ++o) {
        const double out = found[static_cast<size_t>(fold.held_rows[i]) * outputs + o];
        scores(i, o) = static_cast<float>(
            problem_.train.y.has_classes() ? std::log(std::max(out, kLeastShare)) : out);
      }
    }
    qualities[f] = QualityOf(scores, fold.held_out);
  }
  return qualities;
}

Lead LeadOf(const FoldQualities& set, const FoldQualities& over) {
  const double n = static_cast<double>(set.size());
  Lead lead;
  for (size_t f = 0; f < set.size(); ++f) lead.mean += (set[f] - over[f]) / n;
  double squares = 0;
  for (size_t f = 0; f < set.size(); ++f) {
    const double apart = set[f] - over[f] - lead.mean;
    squares += apart * apart;
  }
  lead.error = std::sqrt(squares / (n - 1) / n);
  return lead;
}

}  // namespace slm
