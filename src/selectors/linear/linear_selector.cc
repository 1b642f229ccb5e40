// The size of coefficients of a linear model with an L2 penalty: logistic regression for classes,
// ridge regression for values. A feature's score is the norm over its columns and all classes.

#include <cmath>
#include <numeric>
#include <vector>

#include "base/options.h"
#include "numerics/logistic.h"
#include "numerics/ridge.h"
#include "selectors/choose.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"
#include "slm/errors.h"

namespace slm {
namespace {

struct LinearOptions {
  double l2 = 1;
  double tolerance = 1e-4;
  int max_steps = 100;
};

constexpr SearchDimension kSearched[] = {
    SearchDimension::Log("l2", 1e-4, 1e4),
};

class LinearSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    const size_t columns = problem.layout.columns();
    std::vector<double> norms(columns);
    if (!problem.train.y.has_classes()) {
      norms = RidgeCoefficients(problem.train, options_.l2, context);
      if (norms.empty()) {
        std::vector<size_t> all(columns);
        std::iota(all.begin(), all.end(), size_t{0});
        norms = RidgeAlone(Moments(problem.train, *context.pool), all, options_.l2);
      }
      for (double& norm : norms) norm = std::abs(norm);
    } else {
      std::vector<size_t> all(columns);
      std::iota(all.begin(), all.end(), size_t{0});
      Logistic model(problem.train, all, *context.pool);
      std::vector<double> theta(model.parameters());
      model.Fit(
          theta,
          {.l2 = options_.l2, .tolerance = options_.tolerance, .max_steps = options_.max_steps},
          context);
      for (size_t c = 0; c < columns; ++c) {
        const double* own = theta.data() + c * model.logits();
        norms[c] = std::sqrt(Dot(own, own, model.logits()));
      }
    }
    return ChooseTop(NormByFeature(problem.layout, norms), k);
  }

  MemoryNeed Memory(const Problem& problem, int) const override {
    const double smaller =
        static_cast<double>(std::min(problem.layout.columns(), problem.train.rows()));
    if (problem.train.y.has_classes()) return {};
    return {1.5 * sizeof(double) * smaller * smaller,
            "it grows with the square of the smaller of rows and columns; try " +
                FieldRef("method") + " omp"};
  }

  void DescribeOptions(OptionList& list) override {
    list.Real("l2", &options_.l2, 1e-12, 1e12,
              "strength of the penalty: alpha of ridge regression, 1 / C of logistic regression");
    list.Real("tolerance", &options_.tolerance, 1e-12, 1,
              "largest derivative of the mean loss at which logistic regression has converged");
    list.Int("max_steps", &options_.max_steps, 1, 100000,
             "most Newton steps of logistic regression");
  }

  void DescribeSearch(SearchSpace& space) const override { space = {.dimensions = kSearched}; }

 private:
  LinearOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeLinear() { return std::make_unique<LinearSelector>(); }

}  // namespace slm
