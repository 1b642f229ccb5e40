#include "selectors/linear/penalty_path.h"

#include <algorithm>
#include <cmath>

#include "base/options.h"
#include "selectors/choose.h"

namespace slm {
namespace {

constexpr int kBisections = 30;

class Path {
 public:
  Path(PenalisedModel& model, const PenaltyPathOptions& options, int k, const Context& context)
      : model_(model), options_(options), k_(static_cast<size_t>(k)), context_(context) {}

  Choice Run() {
    const std::vector<double> first = model_.Entries();
    entered_.resize(first.size());
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
    model_.Solve(lambda, context_);
    std::vector<double> norms = model_.Norms();
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
    std::vector<double> scores = model_.Entries();
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

  PenalisedModel& model_;
  const PenaltyPathOptions& options_;
  size_t k_;
  const Context& context_;
  std::vector<double> entered_;  // the lambda at which a feature came in to stay; 0 if it is out
  std::vector<double> norms_;    // at the last lambda
};

}  // namespace

void DescribeOptions(PenaltyPathOptions& o, OptionList& list) {
  list.Real("path_ratio", &o.path_ratio, 0.1, 0.999, "ratio of consecutive lambdas on the path");
  list.Real("smallest_lambda", &o.smallest_lambda, 1e-6, 0.5,
            "where the path ends, as a share of the lambda at which the first feature enters");
  list.Real("tolerance", &o.tolerance, 1e-15, 1e-2,
            "relative gain of the loss below which a solution has converged");
}

Choice ChooseByPath(PenalisedModel& model, const PenaltyPathOptions& options, int k,
                    const Context& context) {
  return Path(model, options, k, context).Run();
}

}  // namespace slm
