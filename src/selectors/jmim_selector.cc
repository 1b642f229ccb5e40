// Joint mutual information maximisation. The next feature is the one that, together with the least
// helpful of those already taken, tells most about the label:
//
//   argmax_f min_{s taken} I(f, s; y), where I(f, s; y) = I(s; y) + I(f; y | s)

#include "base/options.h"
#include "selectors/choose.h"
#include "selectors/information_greedy.h"
#include "selectors/methods.h"

namespace slm {
namespace {

class JmimSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    const BinnedProblem binned(problem, bins_, context);
    const GreedyOrder order = GreedyByMinimum(
        binned, k, [&](size_t s) { return binned.Relevance(s); }, context);
    return ChooseInOrder(order.features, order.scores);
  }

  void DescribeOptions(OptionList& list) override { slm::DescribeOptions(bins_, list); }

 private:
  BinOptions bins_;
};

}  // namespace

std::unique_ptr<Selector> MakeJmim() { return std::make_unique<JmimSelector>(); }

}  // namespace slm
