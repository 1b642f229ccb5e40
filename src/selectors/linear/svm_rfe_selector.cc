// SVM-RFE: recursive elimination (recursive_elimination.h) with linear support vector machines
// (numerics/linear_svm.h), one for two classes or a value, one against the rest for each of more
// classes.

#include <vector>

#include "base/options.h"
#include "kernels/products.h"
#include "numerics/linear_svm.h"
#include "selectors/linear/recursive_elimination.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"

namespace slm {
namespace {

struct SvmRfeOptions {
  EliminationOptions elimination;
  LinearSvmOptions machine;
};

class ShrinkingSvm : public ShrinkingModel {
 public:
  ShrinkingSvm(const Problem& problem, const LinearSvmOptions& options, const Context& context)
      : machines_(problem.train, options, *context.pool) {}

  std::vector<double> Fit(std::span<const size_t> columns, const Context& context) override {
    if (!machines_.Fit(columns, context)) return {};
    const size_t count = machines_.machines();
    std::vector<double> squares(columns.size());
    for (size_t a = 0; a < squares.size(); ++a) {
      const double* own = machines_.coefficients().data() + a * count;
      squares[a] = Dot(own, own, count);
    }
    return squares;
  }

 private:
  LinearSvm machines_;
};

constexpr SearchDimension kSearched[] = {
    SearchDimension::Log("cost", 1e-4, 1e2),
    SearchDimension::OneOf("loss", "hinge,squared-hinge"),
};

class SvmRfeSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    ShrinkingSvm model(problem, options_.machine, context);
    return SelectByElimination(problem, k, options_.elimination, model, context);
  }

  std::vector<PathSet> SelectEach(const Problem& problem, std::span<const int> ks, uint64_t,
                                  const Context& context) override {
    ShrinkingSvm model(problem, options_.machine, context);
    return SelectEachByElimination(problem, ks, options_.elimination, model, context);
  }

  void DescribeOptions(OptionList& list) override {
    slm::DescribeOptions(options_.elimination, list);
    LinearSvmOptions& o = options_.machine;
    list.Real("cost", &o.cost, 1e-9, 1e9, "C: weight of the rows' losses against the penalty");
    list.Choice("loss", &o.squared, {{"hinge", false}, {"squared-hinge", true}},
                "loss of a row; for values the distance beyond epsilon or its square");
    list.Real("epsilon", &o.epsilon, 0, 100,
              "for values: errors up to this many standard deviations of the target cost nothing");
    list.Real(
        "tolerance", &o.tolerance, 1e-12, 1,
        "a fit has converged when no condition of the optimum is violated by more; with more "
        "rows than columns and the squared loss, when the gradient is no longer than this share "
        "of the coefficients");
    list.Int("max_sweeps", &o.max_sweeps, 1, 1000000,
             "most rounds of passes over the rows of a fit; with more rows than columns and the "
             "squared loss, most Newton steps, of up to 1000 passes each");
  }

  void DescribeSearch(SearchSpace& space) const override { space = {.dimensions = kSearched}; }

 private:
  SvmRfeOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeSvmRfe() { return std::make_unique<SvmRfeSelector>(); }

}  // namespace slm
