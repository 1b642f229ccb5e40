// Gradient boosted trees, by libxgboost: what the splits on a feature gained, covered, or how many
// they are.

#include <cmath>
#include <limits>

#include "base/clock.h"
#include "base/options.h"
#include "base/text.h"
#include "selectors/choose.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"
#include "selectors/trees/xgboost_library.h"
#include "slm/errors.h"

namespace slm {
namespace {

enum class Importance { kGain, kTotalGain, kWeight, kCover, kTotalCover };

struct XgboostOptions {
  Importance importance = Importance::kGain;
  int rounds = 100;
  int max_depth = 6;
  double learning_rate = 0.3;
  double subsample = 1;
  double colsample = 1;
  int early_stopping = 0;
};

constexpr SearchDimension kSearched[] = {
    SearchDimension::OneOf("importance", "gain,total_gain"),
    SearchDimension::LogWhole("rounds", 30, 500),
    SearchDimension::Whole("max_depth", 2, 10),
    SearchDimension::Log("learning_rate", 0.03, 0.5),
    SearchDimension::Linear("subsample", 0.5, 1),
    SearchDimension::Linear("colsample", 0.3, 1),
};
constexpr std::string_view kBudget[] = {"rounds"};

class XgboostSelector : public Selector {
 public:
  // Trees are grown by one thread: sums of the library's histograms depend on the number of
  // threads, and the choice would too. A round cannot be interrupted, so that one that would not
  // end in time is not begun.
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    const XgboostLibrary library = XgboostLibrary::Load();
    const XgboostMatrix train(library, problem.train);
    if (context.deadline) CheckRound(library, train, problem.train.y, seed, context);
    XgboostModel model(library, train);
    Configure(problem.train.y, seed, model);
    Train(problem, library, model, context);
    return ChooseTop(Scores(problem.layout, model), k);
  }

  void DescribeOptions(OptionList& list) override {
    list.Choice("importance", &options_.importance,
                {{"gain", Importance::kGain},
                 {"total_gain", Importance::kTotalGain},
                 {"weight", Importance::kWeight},
                 {"cover", Importance::kCover},
                 {"total_cover", Importance::kTotalCover}},
                "importance: gain or cover of a feature's splits, their mean or total, or their "
                "number (weight)");
    list.Int("rounds", &options_.rounds, 1, 1000000, "rounds of boosting");
    list.Int("max_depth", &options_.max_depth, 1, 64, "maximum depth of a tree");
    list.Real("learning_rate", &options_.learning_rate, 1e-6, 1, "shrinkage of each round");
    list.Real("subsample", &options_.subsample, 0.001, 1, "share of the rows for each tree");
    list.Real("colsample", &options_.colsample, 0.001, 1, "share of the columns for each tree");
    list.Int("early_stopping", &options_.early_stopping, 0, 1000000,
             "stop after this many rounds without gain on the validation rows; 0: never");
  }

  void DescribeSearch(SearchSpace& space) const override {
    space = {.dimensions = kSearched, .budget = kBudget};
  }

 private:
  // A round of many classes grows a tree for each of them. Throws if there is no time for one, by
  // the time that a tree of the same rows takes: the second, since the first sorts the columns.
  void CheckRound(const XgboostLibrary& library, const XgboostMatrix& train, const Labels& labels,
                  uint64_t seed, const Context& context) const {
    if (!labels.has_classes() || labels.classes == 2) return;
    Labels one_tree;
    one_tree.task = Task::kRegression;
    XgboostModel model(library, train);
    Configure(one_tree, seed, model);
    model.Update(0);
    const Clock::time_point start = Clock::now();
    model.Update(1);
    const double seconds = labels.classes * SecondsSince(start);
    if (Clock::now() + SecondsLong(seconds) <= *context.deadline) return;
    throw RuntimeFailure("a round of " + std::to_string(labels.classes) + " trees takes about " +
                         FormatNumber(std::ceil(seconds)) +
                         " s, which is more than is left; allow more time");
  }

  void Configure(const Labels& labels, uint64_t seed, XgboostModel& model) const {
    const bool classes = labels.has_classes();
    model.Set("verbosity", "0");
    model.Set("nthread", "1");
    model.Set("tree_method", "hist");
    model.Set("seed", std::to_string(seed & 0x7fffffff));
    model.Set("objective", !classes              ? "reg:squarederror"
                           : labels.classes == 2 ? "binary:logistic"
                                                 : "multi:softprob");
    if (classes && labels.classes != 2) model.Set("num_class", std::to_string(labels.classes));
    // Versions differ in what they start from; targets are standardised, so 0 is their mean.
    model.Set("base_score", classes ? "0.5" : "0");
    model.Set("max_depth", std::to_string(options_.max_depth));
    model.Set("eta", FormatNumber(options_.learning_rate));
    model.Set("subsample", FormatNumber(options_.subsample));
    model.Set("colsample_bytree", FormatNumber(options_.colsample));
  }

  void Train(const Problem& problem, const XgboostLibrary& library, XgboostModel& model,
             const Context& context) const {
    std::unique_ptr<XgboostMatrix> valid;
    if (options_.early_stopping > 0 && problem.valid.rows() > 0) {
      valid = std::make_unique<XgboostMatrix>(library, problem.valid);
    }
    double best = std::numeric_limits<double>::infinity();
    double loss = std::numeric_limits<double>::quiet_NaN();
    int best_round = 0, round = 0;
    for (; round < options_.rounds && !context.ShouldStop(); ++round) {
      model.Update(round);
      if (valid != nullptr) {
        loss = model.Evaluate(round, *valid);
        if (loss < best) {
          best = loss;
          best_round = round;
        } else if (round - best_round >= options_.early_stopping) {
          ++round;
          break;
        }
      }
      if (context.observer != nullptr) {
        context.observer->OnProgress(
            {.phase = "rounds", .step = round + 1, .steps = options_.rounds, .loss = loss});
      }
    }
    if (valid != nullptr && best_round + 1 < round) model.CutToRounds(best_round + 1);
  }

  // Splits by any column of a feature are splits by the feature.
  std::vector<double> Scores(const FeatureLayout& layout, const XgboostModel& model) const {
    auto total = [&](const char* kind) {
      return SumByFeature(layout, model.Score(kind, layout.columns()));
    };
    switch (options_.importance) {
      case Importance::kWeight:
        return total("weight");
      case Importance::kTotalGain:
        return total("total_gain");
      case Importance::kTotalCover:
        return total("total_cover");
      default:
        break;
    }
    std::vector<double> scores =
        total(options_.importance == Importance::kGain ? "total_gain" : "total_cover");
    const std::vector<double> splits = total("weight");
    for (size_t j = 0; j < scores.size(); ++j) {
      if (splits[j] > 0) scores[j] /= splits[j];
    }
    return scores;
  }

  XgboostOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeXgboost() { return std::make_unique<XgboostSelector>(); }

}  // namespace slm
