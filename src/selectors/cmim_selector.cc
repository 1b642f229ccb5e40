// Conditional mutual information maximisation. The next feature is the one that tells most about
// the label whichever of those already taken is known:
//
//   argmax_f min_{s taken} I(f; y | s)

#include "base/options.h"
#include "selectors/choose.h"
#include "selectors/information_greedy.h"
#include "selectors/methods.h"

namespace slm {
namespace {

class CmimSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    const BinnedProblem binned(problem, bins_, context);
    const GreedyOrder order = GreedyByMinimum(
        binned, k, [](size_t) { return 0.0; }, context);
    return ChooseInOrder(order.features, order.scores);
  }

  void DescribeOptions(OptionList& list) override { slm::DescribeOptions(bins_, list); }

 private:
  BinOptions bins_;
};

}  // namespace

std::unique_ptr<Selector> MakeCmim() { return std::make_unique<CmimSelector>(); }

}  // namespace slm
