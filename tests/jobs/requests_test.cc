#include "jobs/requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "jobs/execute.h"
#include "slm/errors.h"
#include "slm/slm.h"
#include "tests/jobs/planted_table.h"

namespace slm {
namespace {

template <class Request>
std::string ComplaintOf(const std::string& json) {
  Request request;
  try {
    FillRequest(ParseJson(json), &request);
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), InputError::Kind::kUsage);
    return error.what();
  }
  return "";
}

// Written, read and written again, with every default.
template <class Request>
void ExpectRoundTrip(Request request) {
  if constexpr (std::is_base_of_v<DataRequest, Request>) request.target = "y";
  if constexpr (requires { request.k; }) request.k = 3;
  const std::string text = ToJson(request);
  EXPECT_EQ(ToJson(FromJson<Request>(text)), text);
}

TEST(Requests, AreTheSameAfterJson) {
  ExpectRoundTrip(SelectRequest());
  ExpectRoundTrip(CompareRequest());
  ExpectRoundTrip(TuneRequest());
  ExpectRoundTrip(PathRequest());
  ExpectRoundTrip(StabilityRequest());
  ExpectRoundTrip(PredictRequest());
  ExpectRoundTrip(ApplyRequest());

  SelectRequest request;
  request.target = "y";
  request.k = FeatureCount::Share(0.25);
  request.split_by = {SplitRule::Kind::kGroup, "who"};
  request.keep = {"a", "b,c"};
  request.cv = 4;
  request.options = {{"steps", "7"}, {"starts", "1"}};
  request.seed = 9223372036854775807u;
  const SelectRequest again = FromJson<SelectRequest>(ToJson(request));
  EXPECT_EQ(again.k.share, 0.25);
  EXPECT_EQ(again.split_by.Text(), "group:who");
  EXPECT_EQ(again.keep, request.keep);
  EXPECT_EQ(again.cv, 4);
  EXPECT_EQ(again.options, request.options);
  EXPECT_EQ(again.seed, request.seed);

  request.cv = 0;
  request.k = FeatureCount::Auto();
  request.tolerance = 0.125;
  EXPECT_EQ(FromJson<SelectRequest>(ToJson(request)).tolerance, 0.125);
}

TEST(Requests, HaveADefaultThatEachFieldTakes) {
  for (const char* command :
       {"select", "compare", "tune", "path", "stability", "predict", "apply"}) {
    const OptionList list = FieldsOf(command);
    for (const OptionField& field : list.fields()) {
      EXPECT_FALSE(field.help.empty()) << command << " " << field.name;
      if (field.missing.empty()) {
        EXPECT_TRUE(field.FromJson(field.ToJson())) << command << " " << field.name;
      }
    }
  }
}

TEST(Requests, ComplaintsComeAllAtOnceAndNameTheField) {
  const std::string fields = ComplaintOf<SelectRequest>(
      R"({"k": 0, "time_limit": "soon", "sed": 3, "cv": 1, "options": 5})");
  for (const char* part :
       {"target is missing", "k cannot be '0'", "time_limit cannot be 'soon'; it takes 0 to",
        "there is no option 'sed'; did you mean 'seed'?", "cv cannot be '1'",
        "options cannot be '5'"}) {
    EXPECT_NE(fields.find(part), std::string::npos) << part << " in\n" << fields;
  }
  const std::string together = ComplaintOf<SelectRequest>(
      R"({"target": "y", "k": "auto", "cv": 3, "resume": true, "options": {"stepz": 1, "epochs": 1}})");
  for (const char* part : {"cv evaluates one k", "resume needs the checkpoint",
                           "method slm: there is no option 'stepz'; did you mean 'steps'?"}) {
    EXPECT_NE(together.find(part), std::string::npos) << part << " in\n" << together;
  }
  const std::string methods = ComplaintOf<CompareRequest>(
      R"({"target": "y", "k": 2, "methods": ["laso", "slm"], "set": {"stg": {"epochs": -1}}})");
  EXPECT_NE(methods.find("did you mean 'lasso'?"), std::string::npos) << methods;
  EXPECT_NE(methods.find("method stg: epochs cannot be '-1'"), std::string::npos) << methods;
}

TEST(Requests, FieldsAreNamedAsTheCallerWritesThem) {
  try {
    SelectRequest request;
    FillRequest(ParseJson(R"({"target": "y", "k": 2, "checkpoint_every": -1})"), &request);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("checkpoint_every cannot be '-1'"));
    const std::string own = RenderFields(
        error.marked(),
        [](std::string_view field, std::string_view) { return "<" + std::string(field) + ">"; });
    EXPECT_TRUE(own.starts_with("<checkpoint_every> cannot be '-1'")) << own;
  }
}

TEST(FieldRef, WithAValueIsWhatTheCallerWouldWrite) {
  EXPECT_EQ(RenderFields("give " + FieldRef("types", "zip=text") + " or " + FieldRef("cv", "5")),
            "give types='zip=text' or cv=5");
  EXPECT_EQ(RenderFields(FieldRef("drop", "it's")), "drop='it\\'s'");
  const std::string hostile = FieldRef("drop", "a\x03" + FieldRef("b"));
  EXPECT_EQ(RenderFields(hostile), "drop='a??b?'");
}

TEST(FeatureCount, IsReadInEveryForm) {
  auto k_of = [](const std::string& k) {
    return FromJson<SelectRequest>(R"({"target": "y", "k": )" + k + "}").k;
  };
  EXPECT_EQ(k_of("3").number, 3);
  EXPECT_EQ(k_of("0.5").share, 0.5);
  EXPECT_EQ(k_of("\"30%\"").share, 0.3);
  EXPECT_EQ(k_of("\"max:10\"").most, 10);
  EXPECT_TRUE(k_of("\"auto\"").best);
  for (const char* bad : {"0", "-1", "1.5", "\"max:0\"", "\"0%\"", "\"101%\"", "\"ten\"", "[1]"}) {
    EXPECT_NE(ComplaintOf<SelectRequest>(R"({"target": "y", "k": )" + std::string(bad) + "}")
                  .find("k cannot be"),
              std::string::npos)
        << bad;
  }
  EXPECT_NE(ComplaintOf<TuneRequest>(R"({"target": "y", "k": "auto"})"), "");
}

SelectRequest Anova(FeatureCount k) {
  SelectRequest request;
  request.target = "y";
  request.k = k;
  request.method = "anova";
  return request;
}

TEST(SelectByRequest, ResolvesARelativeNumberOfFeatures) {
  const Tables tables{PlantedTable(200, 9, true, 1), {}, {}};
  EXPECT_EQ(Select(Anova(FeatureCount::Share(0.34)), tables).features().size(), 3u);
  EXPECT_EQ(Select(Anova(FeatureCount::Share(0.01)), tables).features().size(), 1u);
  EXPECT_EQ(Select(Anova(FeatureCount::AtMost(4)), tables).features().size(), 4u);
  EXPECT_EQ(Select(Anova(FeatureCount::AtMost(40)), tables).features().size(), 9u);
  EXPECT_EQ(Select(Anova(FeatureCount::Auto()), tables).features().size(), 3u);
}

TEST(SelectByRequest, KeepsDropsGroupsAndEvaluates) {
  const Tables tables{PlantedTable(200, 9, true, 1), {}, {}};
  SelectRequest request = Anova(3);
  request.keep = {"x7"};
  request.drop = {"x0"};
  request.groups = {"pair=x1,x2"};
  request.cv = 3;
  request.null = 3;
  const SelectResult result = Select(request, tables);
  std::vector<std::string> names;
  for (const RankedFeature& feature : result.features()) {
    names.push_back(feature.name);
    EXPECT_EQ(feature.kept, feature.name == "x7");
    if (feature.name == "pair") {
      EXPECT_EQ(feature.columns, (std::vector<std::string>{"x1", "x2"}));
    }
  }
  EXPECT_EQ(names.size(), 3u);
  for (const char* name : {"x7", "pair"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
  EXPECT_TRUE(result.cross_validated().has_value());
  EXPECT_LE(result.p_value().value(), 1.0);
  EXPECT_FALSE(result.test().has_value());
  EXPECT_EQ(Predict(result.model(), tables.data).classes.size(), tables.data.rows);
  EXPECT_EQ(Apply(result.model(), tables.data).columns.size(), 4u);
}

TEST(SelectByRequest, TakesASelectorOfTheCallersOwn) {
  class First : public Selector {
    Choice Select(const Problem& problem, int k, uint64_t, const Context&) override {
      Choice choice;
      choice.weights.resize(problem.layout.features());
      choice.scores.resize(problem.layout.features());
      for (int j = 0; j < k; ++j) {
        choice.features.push_back(j);
        choice.weights[static_cast<size_t>(j)] = 1;
      }
      return choice;
    }
  };
  SelectRequest request = Anova(2);
  request.make_selector = [] { return std::make_unique<First>(); };
  const Tables tables{PlantedTable(100, 5, true, 1), {}, {}};
  const std::vector<RankedFeature> features = Select(request, tables).features();
  EXPECT_EQ(features[0].name, "x0");
  EXPECT_EQ(features[1].name, "x1");
}

TEST(EveryRequest, IsCarriedOutOnTablesInMemory) {
  const Tables tables{PlantedTable(200, 6, true, 1), {}, {}};
  CompareRequest compare;
  compare.target = "y";
  compare.k = 2;
  compare.methods = {"anova,mrmr"};
  compare.seeds = 1;
  compare.refits = 1;
  EXPECT_GE(Compare(compare, tables).rows().size(), 3u);

  TuneRequest tune;
  tune.target = "y";
  tune.k = 2;
  tune.method = "lasso";
  tune.trials = 2;
  tune.judges = 1;
  EXPECT_FALSE(Tune(tune, tables).metric().empty());

  PathRequest path;
  path.target = "y";
  path.method = "anova";
  path.k_list = {1, 3};
  path.folds = 2;
  EXPECT_EQ(FindPath(path, tables).points().size(), 2u);

  StabilityRequest stability;
  stability.target = "y";
  stability.k = 2;
  stability.methods = {"anova"};
  stability.resamples = 3;
  EXPECT_EQ(MeasureStability(stability, tables).rows()[0].method, "anova");
}

TEST(EveryRequest, IsCheckedBeforeTheWork) {
  StabilityRequest request;
  request.resamples = 1;
  request.k = 2;
  request.target = "y";
  request.threads = -1;
  try {
    MeasureStability(request, {});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("resamples cannot be '1'"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("threads cannot be '-1'"), std::string::npos);
  }
}

}  // namespace
}  // namespace slm
