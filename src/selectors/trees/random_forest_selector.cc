// Random forest: the mean decrease in impurity (forest.h). A feature has that of all its columns
// together, since it may be split by any of them.

#include <numeric>

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
    const Dataset& train = problem.train;
    const Forest forest(train.x->InMemory(), train.y, train.weight, context);
    std::vector<int32_t> columns(problem.layout.columns());
    std::iota(columns.begin(), columns.end(), 0);
    const ForestResult result = forest.Grow(options_, columns, seed, false, context);
    return ChooseTop(SumByFeature(problem.layout, result.importance), k);
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
