// The F statistic of each feature: over the classes, or of its correlation with the value. Rows
// count by their weights; a feature of several columns has the largest F of theirs.

#include "search/filter_start.h"
#include "selectors/choose.h"
#include "selectors/methods.h"

namespace slm {
namespace {

class AnovaSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    return ChooseTop(AnovaScores(problem.layout, problem.train, &context), k);
  }
};

}  // namespace

std::unique_ptr<Selector> MakeAnova() { return std::make_unique<AnovaSelector>(); }

}  // namespace slm
