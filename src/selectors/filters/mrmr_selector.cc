// Minimum redundancy, maximum relevance. Features are taken one at a time, with S those taken:
//
//   difference: I(f; y) - 1/|S| sum_{s in S} I(f; s)
//   quotient:   I(f; y) / (1/|S| sum_{s in S} I(f; s))

#include "base/options.h"
#include "selectors/choose.h"
#include "selectors/filters/information_greedy.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"

namespace slm {
namespace {

// Keeps quotients finite; information below it, in nats, is noise on any number of rows.
constexpr double kLeastRedundancy = 1e-9;

constexpr SearchDimension kSearched[] = {
    SearchDimension::LogWhole("bins", 3, 64),
    SearchDimension::OneOf("form", "difference,quotient"),
};

class MrmrSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    const BinnedProblem binned(problem, bins_, context);
    auto redundancy = [&](std::span<const uint32_t> keys, size_t s, size_t f) {
      return binned.Entropy(s) + binned.Entropy(f) - binned.JointEntropy(keys, s, f);
    };
    auto score = [&](size_t f, double sum, size_t count) {
      const double relevance = binned.Relevance(f);
      if (count == 0) return relevance;
      const double mean = sum / static_cast<double>(count);
      return form_ == Form::kDifference ? relevance - mean
                                        : relevance / std::max(mean, kLeastRedundancy);
    };
    const GreedyOrder order =
        GreedyBySum(binned, AllFeatures(binned.features()), k, redundancy, score, context);
    return ChooseInOrder(order.features, order.scores);
  }

  void DescribeOptions(OptionList& list) override {
    slm::DescribeOptions(bins_, list);
    list.Choice("form", &form_, {{"difference", Form::kDifference}, {"quotient", Form::kQuotient}},
                "how relevance and redundancy are combined");
  }

  void DescribeSearch(SearchSpace& space) const override { space = {.dimensions = kSearched}; }

 private:
  enum class Form { kDifference, kQuotient };

  BinOptions bins_;
  Form form_ = Form::kDifference;
};

}  // namespace

std::unique_ptr<Selector> MakeMrmr() { return std::make_unique<MrmrSelector>(); }

}  // namespace slm
