// Boruta (boruta.h) as a method of the catalog.

#include "base/options.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"
#include "selectors/trees/boruta.h"

namespace slm {
namespace {

constexpr SearchDimension kSearched[] = {
    SearchDimension::OneOf("max_depth", "3,5,7,0"),
    SearchDimension::OneOf("percentile", "90,95,100"),
};
constexpr std::string_view kBudget[] = {"rounds"};

class BorutaSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    Boruta boruta(problem, options_, seed, context);
    boruta.Run();
    return boruta.Choose(static_cast<size_t>(k));
  }

  void DescribeOptions(OptionList& list) override {
    list.Int("rounds", &options_.rounds, 1, 100000, "most rounds: forests with new shadows");
    list.Real("alpha", &options_.test.alpha, 1e-9, 0.5,
              "level of the tests that confirm or reject a feature");
    list.Bool("two_step", &options_.test.two_step,
              "correct for many features by the false discovery rate and for many rounds by "
              "Bonferroni; otherwise for features alone, by Bonferroni");
    list.Real("percentile", &options_.percentile, 1, 100,
              "percentile of the shadows' importances that a hit has to be above; 100: the best "
              "shadow");
    slm::DescribeOptions(options_.forest, list);
  }

  void DescribeSearch(SearchSpace& space) const override {
    space = {.dimensions = kSearched, .budget = kBudget};
  }

 private:
  BorutaOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeBoruta() { return std::make_unique<BorutaSelector>(); }

}  // namespace slm
