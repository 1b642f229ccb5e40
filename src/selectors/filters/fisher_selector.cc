// The Fisher score: variance between the means of the classes over variance inside them,
//
//   sum_c n_c (mean_c - mean)^2 / sum_c n_c var_c.
//
// The graph form, with an n x n matrix that joins the rows of a class, comes to the same number;
// this one reads the data once. Rows count by their weights. The columns of a feature are added up
// above and below, which makes it the ratio of the traces of the two scatter matrices.

#include <algorithm>
#include <vector>

#include "numerics/label_variance.h"
#include "selectors/choose.h"
#include "selectors/methods.h"
#include "slm/errors.h"

namespace slm {
namespace {

class FisherSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    if (!Serves(problem.train.y)) {
      throw DataError("the Fisher score compares classes, and the target is a number; use " +
                      FieldRef("method") + " anova");
    }
    const std::vector<VarianceParts> parts = LabelVariance(problem.train).OfColumns(&context);
    std::vector<double> scores(problem.layout.features());
    for (size_t j = 0; j < scores.size(); ++j) {
      double between = 0, within = 0;
      for (int32_t c = problem.layout.offsets[j]; c < problem.layout.offsets[j + 1]; ++c) {
        between += parts[static_cast<size_t>(c)].explained;
        within += parts[static_cast<size_t>(c)].residual;
      }
      // A feature that tells the classes apart without a rest has a finite score too.
      if (between > 0) scores[j] = between / std::max(within, 1e-12 * between);
    }
    return ChooseTop(scores, k);
  }

  bool Serves(const Labels& labels) const override { return labels.has_classes(); }
};

}  // namespace

std::unique_ptr<Selector> MakeFisher() { return std::make_unique<FisherSelector>(); }

}  // namespace slm
