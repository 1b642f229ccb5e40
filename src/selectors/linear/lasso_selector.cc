// The lasso: lambda falls from where no feature is active until exactly k are. Features rank by the
// lambda at which they entered; those that never did, by the lambda at which they would, were
// nothing else to change: the largest slope of their coefficients.

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/options.h"
#include "selectors/choose.h"
#include "selectors/linear/l1_model.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"

namespace slm {
namespace {

struct LassoOptions {
  double path_ratio = 0.9;
  double smallest_lambda = 1e-3;
  double tolerance = 1e-6;
};

constexpr int kBisections = 30;

class Path {
 public:
  Path(const Problem& problem, const LassoOptions& options, int k, const Context& context)
      : layout_(problem.layout),
        options_(options),
        k_(static_cast<size_t>(k)),
        context_(context),
        model_(problem.train.y.has_classes()
                   ? MakeL1Logistic(problem.train, options.tolerance, context)
                   : MakeL1Squared(problem.train, options.tolerance, *context.pool)),
        entered_(layout_.features()) {}

  Choice Run() {
    const std::vector<double> first = LargestByFeature(layout_, model_->slopes());
    double above = *std::max_element(first.begin(), first.end());
    const double last = options_.smallest_lambda * above;
    for (double lambda = above; lambda > last && !context_.ShouldStop();) {
      lambda = std::max(last, lambda * options_.path_ratio);
      std::vector<double> norms = Solve(lambda);
      if (Count(norms) > k_) {
        norms = Bisect(lambda, above, norms);
        Enter(norms, lambda, k_);
        break;
      }
      Enter(norms, lambda, k_);
      if (Count(norms) == k_) break;
      above = lambda;
    }
    return Choose();
  }

 private:
  // The norm of each feature's coefficients at lambda.
  std::vector<double> Solve(double lambda) {
    model_->Solve(lambda, context_);
    const size_t outputs = model_->outputs();
    std::vector<double> norms(layout_.columns());
    for (size_t c = 0; c < norms.size(); ++c) {
      for (double b : model_->coefficients().subspan(c * outputs, outputs)) norms[c] += b * b;
      norms[c] = std::sqrt(norms[c]);
    }
    norms = NormByFeature(layout_, norms);
    if (context_.observer != nullptr) {
      const int active = static_cast<int>(Count(norms));
      context_.observer->OnProgress({.phase = "path",
                                     .step = std::min(active, static_cast<int>(k_)),
                                     .steps = static_cast<int>(k_),
                                     .active_features = active});
    }
    return norms;
  }

  static size_t Count(std::span<const double> norms) {
    return static_cast<size_t>(
        std::count_if(norms.begin(), norms.end(), [](double n) { return n > 0; }));
  }

  // Between `below`, where more than k features are active, and `above`, where fewer are. Leaves in
  // `below` the lambda of the norms that it returns, of k features if there is such a lambda.
  std::vector<double> Bisect(double& below, double above, std::vector<double> norms) {
    for (int i = 0; i < kBisections && Count(norms) > k_ && !context_.ShouldStop(); ++i) {
      const double middle = std::sqrt(below * above);
      std::vector<double> tried = Solve(middle);
      if (Count(tried) < k_) {
        Enter(tried, middle, k_);
        above = middle;
      } else {
        norms = std::move(tried);
        below = middle;
      }
    }
    return norms;
  }

  // Notes who is in at lambda: those already in, and of the new ones the largest, up to `most`.
  void Enter(std::span<const double> norms, double lambda, size_t most) {
    std::vector<size_t> fresh;
    size_t old = 0;
    for (size_t j = 0; j < norms.size(); ++j) {
      if (norms[j] > 0 && entered_[j] == 0) fresh.push_back(j);
      if (norms[j] == 0) entered_[j] = 0;
      old += entered_[j] > 0;
    }
    std::stable_sort(fresh.begin(), fresh.end(),
                     [&](size_t a, size_t b) { return norms[a] > norms[b]; });
    if (fresh.size() > most - old) fresh.resize(most - old);
    for (size_t j : fresh) entered_[j] = lambda;
    norms_.assign(norms.begin(), norms.end());
  }

  Choice Choose() const {
    std::vector<double> scores = LargestByFeature(layout_, model_->slopes());
    std::vector<int> order(scores.size());
    for (size_t j = 0; j < scores.size(); ++j) {
      order[j] = static_cast<int>(j);
      if (entered_[j] > 0) scores[j] = entered_[j];
    }
    const auto at = [](const std::vector<double>& of, int j) {
      return of.empty() ? 0.0 : of[static_cast<size_t>(j)];
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      const bool in_a = at(entered_, a) > 0, in_b = at(entered_, b) > 0;
      if (in_a != in_b) return in_a;
      if (at(scores, a) != at(scores, b)) return at(scores, a) > at(scores, b);
      return at(norms_, a) > at(norms_, b);
    });
    order.resize(k_);
    return ChooseInOrder(order, scores);
  }

  const FeatureLayout& layout_;
  const LassoOptions& options_;
  size_t k_;
  const Context& context_;
  std::unique_ptr<L1Model> model_;
  std::vector<double> entered_;  // the lambda at which a feature came in to stay; 0 if it is out
  std::vector<double> norms_;    // at the last lambda
};

// Which features enter first depends on how far apart the penalties of the path lie.
constexpr SearchDimension kSearched[] = {
    SearchDimension::Linear("path_ratio", 0.7, 0.97),
};

class LassoSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    return Path(problem, options_, k, context).Run();
  }

  void DescribeOptions(OptionList& list) override {
    list.Real("path_ratio", &options_.path_ratio, 0.1, 0.999,
              "ratio of consecutive lambdas on the path");
    list.Real("smallest_lambda", &options_.smallest_lambda, 1e-6, 0.5,
              "where the path ends, as a share of the lambda at which the first feature enters");
    list.Real("tolerance", &options_.tolerance, 1e-15, 1e-2,
              "relative gain of the loss below which a solution has converged");
  }

  void DescribeSearch(SearchSpace& space) const override { space = {.dimensions = kSearched}; }

 private:
  LassoOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeLasso() { return std::make_unique<LassoSelector>(); }

}  // namespace slm
