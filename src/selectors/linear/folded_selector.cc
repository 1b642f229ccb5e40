// MCP and SCAD: linear models whose penalty spares what is large (folded_model.h), on a path of
// penalties (penalty_path.h). Where the lasso shrinks the coefficients that it has and takes in
// others to make up for it, these keep fewer and stronger features.

#include <algorithm>

#include "base/options.h"
#include "selectors/linear/folded_model.h"
#include "selectors/linear/penalty_path.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr SearchDimension kSearchedMcp[] = {
    SearchDimension::Log("gamma", 1.3, 20),
    SearchDimension::Linear("path_ratio", 0.7, 0.97),
};
constexpr SearchDimension kSearchedScad[] = {
    SearchDimension::Log("gamma", 2.3, 20),
    SearchDimension::Linear("path_ratio", 0.7, 0.97),
};

class FoldedSelector : public Selector {
 public:
  explicit FoldedSelector(const FoldedPenalty& penalty) : penalty_(penalty) {}

  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    FoldedModel model(problem, penalty_, path_.tolerance, context);
    return ChooseByPath(model, path_, k, context);
  }

  // A row of second moments for each column that may come in at a lambda: some four of them for
  // each that is active.
  MemoryNeed Memory(const Problem& problem, int k) const override {
    const double columns = static_cast<double>(problem.layout.columns());
    const double share = std::min(1.0, 4.0 * k / static_cast<double>(problem.layout.features()));
    return {sizeof(double) * columns * columns * share,
            "lower " + FieldRef("k") + ", or try " + FieldRef("method") + " lasso"};
  }

  void DescribeOptions(OptionList& list) override {
    const bool mcp = penalty_.kind == FoldedPenalty::Kind::kMcp;
    list.Real("gamma", &penalty_.gamma, mcp ? 1.01 : 2.01, 1e6,
              "from gamma times lambda on a coefficient is not penalised further; the larger, the "
              "more like the lasso");
    slm::DescribeOptions(path_, list);
  }

  void DescribeSearch(SearchSpace& space) const override {
    if (penalty_.kind == FoldedPenalty::Kind::kMcp) {
      space = {.dimensions = kSearchedMcp};
    } else {
      space = {.dimensions = kSearchedScad};
    }
  }

 private:
  FoldedPenalty penalty_;
  PenaltyPathOptions path_;
};

}  // namespace

std::unique_ptr<Selector> MakeMcp() {
  return std::make_unique<FoldedSelector>(
      FoldedPenalty{.kind = FoldedPenalty::Kind::kMcp, .gamma = 3});
}

std::unique_ptr<Selector> MakeScad() {
  return std::make_unique<FoldedSelector>(
      FoldedPenalty{.kind = FoldedPenalty::Kind::kScad, .gamma = 3.7});
}

}  // namespace slm
