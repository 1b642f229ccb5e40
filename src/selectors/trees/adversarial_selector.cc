// Adversarial validation (Pan et al. 2020): features by which training rows can be told from the
// rows that the predictor will meet are dropped before they can mislead it.
//
//   repeat: fit a classifier for "is this a test row?" on the features that are left;
//           if its AUC is at most the threshold, end;
//           drop the features on which it relies most.
//
// The features that are left are then ranked by their importance for the label. The labels of the
// test rows are never looked at.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/options.h"
#include "mask/trainer.h"
#include "selectors/choose.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"
#include "selectors/trees/forest.h"
#include "slm/errors.h"

namespace slm {
namespace {

struct AdversarialOptions {
  double max_auc = 0.6;
  double drop_share = 0.1;
  ForestOptions forest;
};

struct Pool {
  Matrix x;
  Labels y;  // 1 for the rows to come
};

Pool JoinRows(MatrixView<const float> train, MatrixView<const float> others) {
  Pool pool{Matrix(train.rows + others.rows, train.cols), {}};
  for (size_t i = 0; i < pool.x.rows(); ++i) {
    const bool old = i < train.rows;
    const float* row = old ? train.row(i) : others.row(i - train.rows);
    std::copy_n(row, train.cols, pool.x.row(i));
    pool.y.index.push_back(old ? 0 : 1);
  }
  pool.y.classes = 2;
  return pool;
}

// The chance that a row of class 1 stands above one of class 0, ties counting half: the area under
// the ROC curve.
double AreaUnderCurve(const std::vector<double>& score, const std::vector<int32_t>& label) {
  std::vector<size_t> order(score.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return score[a] < score[b]; });
  double above = 0, zeros = 0, ones = 0;
  for (size_t i = 0; i < order.size();) {
    double tied_zeros = 0, tied_ones = 0;
    const double tie = score[order[i]];
    for (; i < order.size() && score[order[i]] == tie; ++i) {
      (label[order[i]] == 1 ? tied_ones : tied_zeros) += 1;
    }
    above += tied_ones * (zeros + tied_zeros / 2);
    zeros += tied_zeros;
    ones += tied_ones;
  }
  return above / (zeros * ones);
}

// The largest area that rows from one source might give: three standard errors above one half.
double ChanceArea(size_t zeros, size_t ones) {
  const double a = static_cast<double>(zeros), b = static_cast<double>(ones);
  return 0.5 + 3 * std::sqrt((a + b + 1) / (12 * a * b));
}

constexpr SearchDimension kSearched[] = {
    SearchDimension::Linear("max_auc", 0.52, 0.9),
    SearchDimension::Log("drop_share", 0.02, 0.5),
};

class AdversarialSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    const Dataset& others = problem.test.rows() > 0 ? problem.test : problem.valid;
    if (others.rows() == 0) {
      throw DataError(
          "method adversarial compares training rows with test or validation rows, and there are "
          "none; hold some out, or give a file of them");
    }
    std::vector<double> score(problem.layout.features());
    std::vector<int> left =
        DropDrifting(problem, others, static_cast<size_t>(k), seed, context, score);
    const Dataset& train = problem.train;
    const Forest forest(train.x->InMemory(), train.y, train.weight, context);
    const std::vector<double> relevance = SumByFeature(
        problem.layout,
        forest.Grow(options_.forest, problem.layout.ColumnsOf(left), seed, false, context)
            .importance);
    for (int j : left) score[static_cast<size_t>(j)] = relevance[static_cast<size_t>(j)];
    return ChooseTop(score, k);
  }

  void DescribeOptions(OptionList& list) override {
    list.Real("max_auc", &options_.max_auc, 0.5, 1,
              "AUC at which training and test rows may still be separated; what chance explains is "
              "always allowed");
    list.Real("drop_share", &options_.drop_share, 0.001, 1,
              "share of the remaining features dropped at a time, at least one");
    slm::DescribeOptions(options_.forest, list);
  }

  void DescribeSearch(SearchSpace& space) const override { space = {.dimensions = kSearched}; }

 private:
  // Returns the features that stay, at least k of them. The others have a score below zero, the
  // lower the earlier they went.
  std::vector<int> DropDrifting(const Problem& problem, const Dataset& others, size_t k,
                                uint64_t seed, const Context& context,
                                std::vector<double>& score) const {
    const Pool pool = JoinRows(problem.train.x->InMemory(), others.x->InMemory());
    const Forest forest(pool.x.view(), pool.y, {}, context);
    std::vector<int> left(problem.layout.features());
    std::iota(left.begin(), left.end(), 0);
    std::vector<int> dropped;
    const double most = std::max(options_.max_auc, ChanceArea(problem.train.rows(), others.rows()));
    for (uint64_t round = 1; left.size() > k; ++round) {
      const ForestResult result =
          forest.Grow(options_.forest, problem.layout.ColumnsOf(left), seed + round, true, context);
      if (context.ShouldStop() || result.out_of_bag.empty()) break;
      std::vector<double> test_share;
      for (size_t i = 0; i < pool.x.rows(); ++i) test_share.push_back(result.out_of_bag[2 * i + 1]);
      if (AreaUnderCurve(test_share, pool.y.index) <= most) break;
      const std::vector<double> drift = SumByFeature(problem.layout, result.importance);
      std::stable_sort(left.begin(), left.end(), [&](int a, int b) {
        return drift[static_cast<size_t>(a)] > drift[static_cast<size_t>(b)];
      });
      // Only what is relied on more than an average feature is: the rest may be innocent.
      const double mean = 1.0 / static_cast<double>(left.size());
      size_t count = static_cast<size_t>(options_.drop_share * static_cast<double>(left.size()));
      count = std::min(std::max<size_t>(count, 1), left.size() - k);
      size_t drop = 0;
      while (drop < count && (drop == 0 || drift[static_cast<size_t>(left[drop])] > mean)) ++drop;
      dropped.insert(dropped.end(), left.begin(), left.begin() + static_cast<std::ptrdiff_t>(drop));
      left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(drop));
      std::sort(left.begin(), left.end());
    }
    for (size_t i = 0; i < dropped.size(); ++i) {
      score[static_cast<size_t>(dropped[i])] =
          static_cast<double>(i) - static_cast<double>(dropped.size());
    }
    return left;
  }

  AdversarialOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeAdversarial() { return std::make_unique<AdversarialSelector>(); }

}  // namespace slm
