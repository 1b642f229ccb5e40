// Two greedy methods that ask how a feature does beside the least favourable of those already
// taken.
//
// Conditional mutual information maximisation, cmim: the one that tells most about the label
// whichever of those taken is known,
//
//   argmax_f min_{s taken} I(f; y | s)
//
// Joint mutual information maximisation, jmim: the one that tells most about the label together
// with one of those taken,
//
//   argmax_f min_{s taken} I(f, s; y), where I(f, s; y) = I(s; y) + I(f; y | s)

#include "base/options.h"
#include "selectors/choose.h"
#include "selectors/filters/information_greedy.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"

namespace slm {
namespace {

constexpr SearchDimension kSearched[] = {
    SearchDimension::LogWhole("bins", 3, 64),
};

class MinimumInformation : public Selector {
 public:
  enum class Of { kConditional, kJoint };

  explicit MinimumInformation(Of of) : of_(of) {}

  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    const BinnedProblem binned(problem, bins_, context);
    auto beside = [&](size_t s) { return of_ == Of::kJoint ? binned.Relevance(s) : 0.0; };
    const GreedyOrder order = GreedyByMinimum(binned, k, beside, context);
    return ChooseInOrder(order.features, order.scores);
  }

  void DescribeOptions(OptionList& list) override { slm::DescribeOptions(bins_, list); }

  void DescribeSearch(SearchSpace& space) const override { space = {.dimensions = kSearched}; }

 private:
  const Of of_;
  BinOptions bins_;
};

}  // namespace

std::unique_ptr<Selector> MakeCmim() {
  return std::make_unique<MinimumInformation>(MinimumInformation::Of::kConditional);
}
std::unique_ptr<Selector> MakeJmim() {
  return std::make_unique<MinimumInformation>(MinimumInformation::Of::kJoint);
}

}  // namespace slm
