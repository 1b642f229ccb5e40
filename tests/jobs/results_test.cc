// Results as JSON and back: what a command wrote is read, and written the same again.

#include <gtest/gtest.h>

#include <string>

#include "base/json_reader.h"
#include "base/thread_pool.h"
#include "jobs/compare.h"
#include "jobs/path.h"
#include "jobs/plan.h"
#include "jobs/select.h"
#include "jobs/stability.h"
#include "jobs/tune.h"
#include "selectors/catalog.h"
#include "slm/errors.h"
#include "tests/data/temp_file.h"
#include "tests/jobs/planted_table.h"

namespace slm {
namespace {

class ResultsTest : public testing::Test {
 protected:
  ResultsTest() {
    // What a result leaves out unless it is asked for.
    select_.target = "y";
    select_.k = 3;
    select_.drop = {"x6"};
    select_.keep = {"x5"};
    select_.groups = {"pair=x3,x4"};
  }

  static std::unique_ptr<Selector> Make() { return FindMethod("anova").make(); }

  template <class Result>
  static void ExpectSameAgain(const Result& result) {
    const std::string text = result.ToJson().Dump(2);
    EXPECT_EQ(Result::FromJson(ParseJson(text)).ToJson().Dump(2), text);
  }

  // Each value in turn becomes one of another type, or goes: reading refuses it or does without it,
  // and nothing else happens.
  template <class Result>
  static void ExpectNoSurprise(const Json& json) {
    int refused = 0;
    const std::string text = json.Dump(1);
    size_t end = 0;
    for (size_t at = text.find("\": "); at != text.npos; at = text.find("\": ", end)) {
      const size_t value = at + 3;
      end = text.find('\n', value);
      if (text[value] == '[' || text[value] == '{') continue;
      const bool comma = text[end - 1] == ',';
      for (const char* other : {"\"?\"", "-1.5", "null", "[[]]", "{}", "true"}) {
        std::string changed = text;
        changed.replace(value, end - value - (comma ? 1 : 0), other);
        try {
          Result::FromJson(ParseJson(changed)).ToJson();
        } catch (const InputError&) {
          ++refused;
        }
      }
    }
    EXPECT_GT(refused, 20);
  }

  Tables tables_{.data = PlantedTable(200, 8, true, 1), .valid = {}, .test = {}};
  SelectionSpec select_;
  ThreadPool pool_{2};
  Context context_{.pool = &pool_};
};

TEST_F(ResultsTest, ASelectionWithAllItsParts) {
  const SelectionWork work{
      .tables = &tables_, .request = select_, .method = "anova", .make = Make, .folds = 3};
  SelectionResult result = SelectFromTable(tables_, select_, "anova", *Make(), context_);
  ExpectSameAgain(result);
  result.request.ensemble = 4;
  result.selected[0].frequency = 0.75;
  result.cross_validation = CrossValidate(work, context_);
  result.null = CompareWithChance(work, 2, 0.9, context_);
  result.k_path = Json::MakeObject();
  result.data.remarks = {"odd"};
  ExpectSameAgain(result);
  ExpectNoSurprise<SelectionResult>(result.ToJson());
  const SelectionResult again = SelectionResult::FromJson(result.ToJson());
  EXPECT_EQ(again.selected[0].columns, result.selected[0].columns);
  EXPECT_EQ(again.request.ensemble, 4);
  EXPECT_EQ(again.data.dropped[0].reason.Text(), "dropped by the user");
}

TEST_F(ResultsTest, AComparisonWithAMethodThatFails) {
  CompareSpec request;
  request.select = select_;
  request.seeds = 2;
  request.refits = 1;
  request.methods = {{"anova", Make},
                     {"bad", []() -> std::unique_ptr<Selector> { throw DataError("it cannot"); }}};
  const ComparisonResult result = CompareMethods(tables_, request, context_);
  ExpectSameAgain(result);
  ExpectNoSurprise<ComparisonResult>(result.ToJson());
  std::string text = result.ToJson().Dump();
  const size_t at = text.find("\"overlap\":[[");
  ASSERT_NE(at, text.npos);
  text.insert(at + 11, "[],");
  EXPECT_NE(DataErrorOf([&] { ComparisonResult::FromJson(ParseJson(text)); }).find("overlap"),
            text.npos);
}

TEST_F(ResultsTest, ATuningWithItsTrials) {
  TuneSpec request;
  request.select = select_;
  request.method = "rf";
  request.make = [] { return FindMethod("rf").make(); };
  request.fixed = {{"trees", "10"}};
  request.trials = 3;
  request.judges = 1;
  const TuningResult result = Tune(tables_, request, context_);
  ExpectSameAgain(result);
  ExpectNoSurprise<TuningResult>(result.ToJson());
  bool kept = false;
  const TuningResult again = TuningResult::FromJson(result.ToJson());
  for (const SelectedFeature& feature : again.best().selected) {
    kept |= feature.kept;
  }
  EXPECT_TRUE(kept);
}

TEST_F(ResultsTest, APath) {
  PathSpec request;
  request.select = select_;
  request.method = "anova";
  request.make = Make;
  request.folds = 2;
  request.ks = {1, 3};
  const PathResult result = FollowPath(tables_, request, context_);
  ExpectSameAgain(result);
  ExpectNoSurprise<PathResult>(result.ToJson());
}

TEST_F(ResultsTest, StabilityByShareAndByBootstrap) {
  StabilitySpec request;
  request.select = select_;
  request.resamples = 3;
  request.methods = {{"anova", Make}};
  const StabilityResult result = CompareStability(tables_, request, context_);
  ExpectSameAgain(result);
  ExpectNoSurprise<StabilityResult>(result.ToJson());
  request.subsample.reset();
  const StabilityResult other = CompareStability(tables_, request, context_);
  ExpectSameAgain(other);
  EXPECT_FALSE(StabilityResult::FromJson(other.ToJson()).request.subsample.has_value());
}

TEST_F(ResultsTest, APlan) {
  CompareSpec request;
  request.select = select_;
  request.seeds = 1;
  request.refits = 1;
  request.methods = {{"anova", Make}};
  Plan plan = PlanComparison(tables_, request, context_);
  plan.parts.push_back({"part without an estimate", 2, {}});
  ExpectSameAgain(plan);
  ExpectNoSurprise<Plan>(plan.ToJson());
}

TEST_F(ResultsTest, AResultOfAnotherCommandIsRefusedByItsSchema) {
  const SelectionResult result = SelectFromTable(tables_, select_, "anova", *Make(), context_);
  EXPECT_EQ(DataErrorOf([&] { TuningResult::FromJson(result.ToJson()); }),
            "its schema is 'slm.selection/1' and not 'slm.tuning/1'");
}

}  // namespace
}  // namespace slm
