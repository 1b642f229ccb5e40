// The lasso on a path of penalties (penalty_path.h). A feature that is not active would enter at
// the largest slope of its coefficients.

#include <cmath>
#include <vector>

#include "base/options.h"
#include "selectors/choose.h"
#include "selectors/linear/l1_model.h"
#include "selectors/linear/penalty_path.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"

namespace slm {
namespace {

class Lasso : public PenalisedModel {
 public:
  Lasso(const Problem& problem, double tolerance, const Context& context)
      : layout_(problem.layout),
        model_(problem.train.y.has_classes()
                   ? MakeL1Logistic(problem.train, tolerance, context)
                   : MakeL1Squared(problem.train, tolerance, *context.pool)) {}

  void Solve(double lambda, const Context& context) override { model_->Solve(lambda, context); }

  std::vector<double> Norms() const override {
    const size_t outputs = model_->outputs();
    std::vector<double> norms(layout_.columns());
    for (size_t c = 0; c < norms.size(); ++c) {
      for (double b : model_->coefficients().subspan(c * outputs, outputs)) norms[c] += b * b;
      norms[c] = std::sqrt(norms[c]);
    }
    return NormByFeature(layout_, norms);
  }

  std::vector<double> Entries() const override {
    return LargestByFeature(layout_, model_->slopes());
  }

 private:
  const FeatureLayout& layout_;
  std::unique_ptr<L1Model> model_;
};

// Which features enter first depends on how far apart the penalties of the path lie.
constexpr SearchDimension kSearched[] = {
    SearchDimension::Linear("path_ratio", 0.7, 0.97),
};

class LassoSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    Lasso model(problem, options_.tolerance, context);
    return ChooseByPath(model, options_, k, context);
  }

  void DescribeOptions(OptionList& list) override { slm::DescribeOptions(options_, list); }

  void DescribeSearch(SearchSpace& space) const override { space = {.dimensions = kSearched}; }

 private:
  PenaltyPathOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeLasso() { return std::make_unique<LassoSelector>(); }

}  // namespace slm
