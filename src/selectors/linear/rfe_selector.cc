// Recursive elimination (recursive_elimination.h) with a linear model and an L2 penalty: logistic
// regression for classes, ridge regression for values.

#include <algorithm>
#include <optional>
#include <vector>

#include "base/options.h"
#include "numerics/logistic.h"
#include "numerics/moments.h"
#include "numerics/ridge.h"
#include "selectors/linear/recursive_elimination.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"

namespace slm {
namespace {

struct RfeOptions {
  EliminationOptions elimination;
  double l2 = 1;
  double tolerance = 1e-4;
  int max_steps = 100;
};

// Each fit begins with the coefficients that the last one found.
class ShrinkingLogistic : public ShrinkingModel {
 public:
  ShrinkingLogistic(const Problem& problem, const RfeOptions& options, const Context& context)
      : data_(problem.train), options_(options), pool_(*context.pool) {}

  std::vector<double> Fit(std::span<const size_t> columns, const Context& context) override {
    Logistic model(data_, columns, pool_);
    const size_t logits = model.logits();
    std::vector<double> theta(model.parameters());
    if (!theta_.empty()) CarryOver(columns_, theta_, columns, theta);
    model.Fit(theta,
              {.l2 = options_.l2, .tolerance = options_.tolerance, .max_steps = options_.max_steps},
              context);
    std::vector<double> squares(columns.size());
    for (size_t a = 0; a < squares.size(); ++a) {
      squares[a] = Dot(theta.data() + a * logits, theta.data() + a * logits, logits);
    }
    columns_.assign(columns.begin(), columns.end());
    theta_ = std::move(theta);
    return squares;
  }

 private:
  const Dataset& data_;
  const RfeOptions& options_;
  ThreadPool& pool_;
  std::vector<size_t> columns_;  // of the last fit
  std::vector<double> theta_;
};

// With fewer columns than rows the second moments of the first fit serve all the others.
class ShrinkingRidge : public ShrinkingModel {
 public:
  ShrinkingRidge(const Problem& problem, const RfeOptions& options, const Context& context)
      : data_(problem.train), options_(options), pool_(*context.pool) {}

  // Stopped in the first fit, by what the columns are worth alone.
  std::vector<double> Fit(std::span<const size_t> columns, const Context& context) override {
    std::vector<double> beta;
    if (columns.size() <= data_.rows()) {
      if (!moments_.has_value()) {
        Keep(columns);
        moments_.emplace(kept_, pool_);
      }
      const std::vector<size_t> own = PlacesOf(columns);
      beta = RidgeCoefficients(*moments_, own, options_.l2, context);
      if (beta.empty() && first_) beta = RidgeAlone(*moments_, own, options_.l2);
    } else {
      Keep(columns);
      beta = RidgeCoefficients(kept_, options_.l2, context);
      if (beta.empty() && first_) {
        beta = RidgeAlone(Moments(kept_, pool_), PlacesOf(columns), options_.l2);
      }
    }
    first_ = false;
    for (double& b : beta) b *= b;
    return beta;
  }

 private:
  // Of some of the kept columns among them.
  std::vector<size_t> PlacesOf(std::span<const size_t> columns) const {
    std::vector<size_t> places;
    for (size_t c : columns) {
      const auto at = std::lower_bound(columns_.begin(), columns_.end(), c);
      places.push_back(static_cast<size_t>(at - columns_.begin()));
    }
    return places;
  }

  void Keep(std::span<const size_t> columns) {
    columns_.assign(columns.begin(), columns.end());
    const std::vector<int32_t> some(columns.begin(), columns.end());
    kept_ = {.x = MakeRows(CopyColumns(*data_.x, some)), .y = data_.y, .weight = data_.weight};
  }

  const Dataset& data_;
  const RfeOptions& options_;
  ThreadPool& pool_;
  Dataset kept_;                 // of some columns
  std::vector<size_t> columns_;  // which
  std::optional<Moments> moments_;
  bool first_ = true;
};

constexpr SearchDimension kSearched[] = {
    SearchDimension::Log("l2", 1e-4, 1e4),
};

class RfeSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    const std::unique_ptr<ShrinkingModel> model = MakeModel(problem, context);
    return SelectByElimination(problem, k, options_.elimination, *model, context);
  }

  std::vector<PathSet> SelectEach(const Problem& problem, std::span<const int> ks, uint64_t,
                                  const Context& context) override {
    const std::unique_ptr<ShrinkingModel> model = MakeModel(problem, context);
    return SelectEachByElimination(problem, ks, options_.elimination, *model, context);
  }

  MemoryNeed Memory(const Problem& problem, int) const override {
    if (problem.train.y.has_classes()) return {};
    const double smaller =
        static_cast<double>(std::min(problem.layout.columns(), problem.train.rows()));
    return {1.5 * sizeof(double) * smaller * smaller,
            "it grows with the square of the smaller of rows and columns"};
  }

  void DescribeOptions(OptionList& list) override {
    slm::DescribeOptions(options_.elimination, list);
    list.Real("l2", &options_.l2, 1e-12, 1e12,
              "strength of the penalty: alpha of ridge regression, 1 / C of logistic regression");
    list.Real("tolerance", &options_.tolerance, 1e-12, 1,
              "largest derivative of the mean loss at which logistic regression has converged");
    list.Int("max_steps", &options_.max_steps, 1, 100000,
             "most Newton steps of a logistic regression");
  }

  void DescribeSearch(SearchSpace& space) const override { space = {.dimensions = kSearched}; }

 private:
  std::unique_ptr<ShrinkingModel> MakeModel(const Problem& problem, const Context& context) const {
    if (problem.train.y.has_classes()) {
      return std::make_unique<ShrinkingLogistic>(problem, options_, context);
    }
    return std::make_unique<ShrinkingRidge>(problem, options_, context);
  }

  RfeOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeRfe() { return std::make_unique<RfeSelector>(); }

}  // namespace slm
