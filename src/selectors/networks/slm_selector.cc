// SLM, and the variants of it that differ by a few options: the HSIC objective (paper, section
// A.8), and the two rivals of the exact mask (section A.5).

#include "base/options.h"
#include "search/describe_options.h"
#include "search/explain_recipe.h"
#include "search/mask_path.h"
#include "search/price_recipe.h"
#include "search/recipe.h"
#include "search/search.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"
#include "slm/options.h"

namespace slm {
namespace {

// What a variant changes in the options of SLM, `paper` saying in those of the paper's setting.
using Variant = void (*)(SlmOptions& options, bool paper);

// Around the defaults of SLM, whose batches are smaller than the paper's and whose steps fewer.
// Deep predictors cost up to ten times the time of a shallow one and seldom win, so they are drawn
// less.
constexpr SearchDimension kSearched[] = {
    SearchDimension::OneOf("batch_size", "32,64,128,256"),
    SearchDimension::Log("learning_rate", 5e-4, 1e-2),
    SearchDimension::OneOf("decay_rate", "0.7,0.9,0.95,0.99"),
    SearchDimension::OneOf("decay_steps", "300,1000,10000"),
    SearchDimension::LogWhole("steps", 1000, 4000),
    SearchDimension::LogWhole("hidden_units", 50, 256),
    SearchDimension::OneOf("hidden_layers", "1,1,1,2,3,4"),
    SearchDimension::OneOf("alpha", "0,0.1,0.3,3,10"),
    SearchDimension::OneOf("schedule", "geometric,linear"),
    SearchDimension::LogWhole("drops", 5, 100),
    SearchDimension::Linear("tempering", 0.4, 0.9),
    SearchDimension::OneOf("l2", "0.00001,0.0001,0.001,0.01"),
    SearchDimension::OneOf("input_dropout", "0.1,0.2,0.4"),
};
// The paper's own table (its section on experimental details) around its own setting.
constexpr SearchDimension kSearchedByPaper[] = {
    SearchDimension::OneOf("batch_size", "512,1024,2048,4096"),
    SearchDimension::OneOf("learning_rate", "0.001,0.003,0.01"),
    SearchDimension::OneOf("decay_steps", "1000,10000"),
    SearchDimension::OneOf("decay_rate", "0.7,0.9,0.95,0.99"),
    SearchDimension::OneOf("epochs", "30,100,200"),
    SearchDimension::OneOf("hidden_units", "50,100,200"),
    SearchDimension::OneOf("hidden_layers", "1,2,3,4"),
};
constexpr std::string_view kBudget[] = {"steps", "epochs", "decay_steps"};
constexpr std::pair<std::string_view, std::string_view> kUnjudged[] = {{"final_predictors", "1"},
                                                                       {"final_steps", "1"}};

class SlmSelector : public Selector {
 public:
  explicit SlmSelector(Variant variant) : variant_(variant) { SetPreset("auto"); }

  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    return SearchMask(problem, k, options_, seed, context);
  }

  std::vector<PathSet> SelectEach(const Problem& problem, std::span<const int> ks, uint64_t seed,
                                  const Context& context) override {
    return WalksThroughK(options_) ? MaskPath(problem, ks, options_, seed, context)
                                   : Selector::SelectEach(problem, ks, seed, context);
  }

  int SetsForEachK(const Problem& problem) const override {
    return WalksThroughK(options_)
               ? Candidates(MakePathRecipe(ShapeOf(problem),
                                           FindLoss(options_.loss, problem.train.y), options_))
               : Selector::SetsForEachK(problem);
  }

  Model FitOn(const Problem& problem, std::span<const int> features, uint64_t seed,
              const Context& context) override {
    return FitFinal(problem, features, options_, seed, context);
  }

  std::optional<TimeNeed> Time(const Problem& problem, std::span<const int> ks, uint64_t seed,
                               const Context& context) const override {
    return ks.size() > 1 && WalksThroughK(options_)
               ? TimeOfMaskPath(problem, ks, options_, seed, context)
               : TimeOfSearch(problem, ks.back(), options_, seed, context);
  }

  std::string ExplainRecipe(const Problem& problem, bool json) const override {
    const Recipe recipe =
        MakeRecipe(ShapeOf(problem), FindLoss(options_.loss, problem.train.y), options_);
    return json ? RecipeJson(recipe).Dump(2) + "\n" : RecipeText(recipe);
  }

  void DescribeOptions(OptionList& list) override {
    // Described first: setting it replaces every other option, so it gives way to those after it.
    list.Add({"preset", "all options at once: auto, or the setting of the paper", "auto, paper",
              OptionField::Kind::kText, [this] { return preset_; },
              [this](const std::string& text) { return SetPreset(text); }});
    slm::DescribeOptions(options_, list);
  }

  void DescribeSearch(SearchSpace& space) const override {
    space = {.dimensions = kSearched, .unchanged = 0.5, .budget = kBudget, .unjudged = kUnjudged};
    if (preset_ != "paper") return;
    space.dimensions = kSearchedByPaper;
    space.unchanged = 0;
  }

 private:
  bool SetPreset(const std::string& name) {
    const bool paper = name == "paper";
    if (!paper && name != "auto") return false;
    preset_ = name;
    options_ = paper ? PaperOptions() : SlmOptions();
    variant_(options_, paper);
    return true;
  }

  Variant variant_;
  std::string preset_;
  SlmOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeSlm() {
  return std::make_unique<SlmSelector>([](SlmOptions&, bool) {});
}

std::unique_ptr<Selector> MakeSlmHsic() {
  return std::make_unique<SlmSelector>(
      [](SlmOptions& options, bool) { options.objective = Objective::kHsic; });
}

// Softmax and plain sparsemax depend on the size of the mask argument, not only on its order and
// proportions, so steps of one would leave a single feature with weight: theirs are small.
std::unique_ptr<Selector> MakeSoftmaxTopK() {
  return std::make_unique<SlmSelector>([](SlmOptions& options, bool paper) {
    options.mask_scale = MaskScale::kSoftmaxTopK;
    if (!paper) options.mask_rate = 0.01;
  });
}

std::unique_ptr<Selector> MakeSparsemaxFree() {
  return std::make_unique<SlmSelector>([](SlmOptions& options, bool paper) {
    options.mask_scale = MaskScale::kNone;
    if (!paper) options.mask_rate = 1e-4;
  });
}

}  // namespace slm
