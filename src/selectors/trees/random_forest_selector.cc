// Random forest: the mean decrease in impurity (forest.h).

#include "base/options.h"
#include "selectors/choose.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"
#include "selectors/trees/forest.h"

namespace slm {
namespace {

constexpr SearchDimension kSearched[] = {
    SearchDimension::LogWhole("trees", 50, 500),
    SearchDimension::OneOf("max_depth", "0,5,10,20"),
    SearchDimension::OneOf("max_features", "0,0.05,0.1,0.3,1"),
    SearchDimension::OneOf("min_samples_leaf", "1,2,5,10"),
};
constexpr std::string_view kBudget[] = {"trees"};

class RandomForestSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    return ChooseTop(ImportanceByFeature(problem, options_, seed, context), k);
  }

  void DescribeOptions(OptionList& list) override { slm::DescribeOptions(options_, list); }

  void DescribeSearch(SearchSpace& space) const override {
    space = {.dimensions = kSearched, .budget = kBudget};
  }

 private:
  ForestOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeRandomForest() { return std::make_unique<RandomForestSelector>(); }

}  // namespace slm
