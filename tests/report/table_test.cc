#include "report/table.h"

#include <gtest/gtest.h>

#include <string>

#include "report/path_svg.h"

namespace slm {
namespace {

SelectionResult Sample() {
  SelectionResult result;
  result.method = "slm";
  result.request.target = "price";
  result.data.features = 300;
  result.data.train = 70;
  result.data.valid = 10;
  result.data.test = 20;
  result.metric = "accuracy";
  result.valid_metric = 0.9;
  result.test_metric = 0.85;
  result.selected = {{.rank = 1, .name = "area", .index = 4, .weight = 0.6f},
                     {.rank = 2, .name = "größe", .index = 1, .weight = 0.3f},
                     {.rank = 3, .name = "x", .index = 9, .weight = 0.0f}};
  return result;
}

TEST(RenderSelection, RanksNamesWeightsAndMetrics) {
  EXPECT_EQ(RenderSelection(Sample(), Terminal{}),
            "rank  name   importance  weight\n"
            "   1  area            -  0.6000  ########################\n"
            "   2  größe           -  0.3000  ############\n"
            "   3  x               -  0.0000\n"
            "\n"
            "3 features of 300 chosen by slm for price from 70 training rows\n"
            "accuracy 0.9000 on 10 validation rows, 0.8500 on 20 test rows\n");
}

TEST(RenderSelection, ShowsMeasuredImportanceAndSaysWhatItIs) {
  SelectionResult result = Sample();
  result.importance = ImportanceBasis{.parts = "validation", .rows = 10, .repeats = 5};
  const double losses[] = {0.25, 0.125, -0.01};
  for (size_t i = 0; i < 3; ++i) {
    result.selected[i].importance = losses[i];
    result.selected[i].importance_sd = 0.02;
  }
  result.selected[2].weight.reset();  // kept, and not weighed
  result.selected[2].kept = true;
  EXPECT_EQ(RenderSelection(result, Terminal{}),
            "rank  name          importance  weight\n"
            "   1  area    0.2500 +- 0.0200  0.6000  ########################\n"
            "   2  größe   0.1250 +- 0.0200  0.3000  ############\n"
            "   3  x      -0.0100 +- 0.0200       -\n"
            "\n"
            "3 features of 300 chosen by slm for price from 70 training rows\n"
            "accuracy 0.9000 on 10 validation rows, 0.8500 on 20 test rows\n"
            "importance: how much accuracy falls when its cells are shuffled, on 10 validation "
            "rows, +- a "
            "standard error\n"
            "weight: what slm itself gave it\n"
            "always included: x\n");
  result.metric = "mae";
  result.selected[0].importance = 5123.4;
  const std::string text = RenderSelection(result, Terminal{});
  EXPECT_NE(text.find("5123 +- 0 "), std::string::npos) << text;
  EXPECT_NE(text.find("mae rises when its cells are shuffled"), std::string::npos) << text;
}

TEST(RenderSelection, SaysNothingOfTestRowsWhenThereAreNone) {
  SelectionResult result = Sample();
  result.test_metric.reset();
  EXPECT_TRUE(RenderSelection(result, Terminal{}).ends_with("on 10 validation rows\n"));
}

TEST(RenderSelection, ColorsOnlyForTerminalsThatWantIt) {
  EXPECT_EQ(RenderSelection(Sample(), Terminal{.interactive = true}).find('\x1b'),
            std::string::npos);
  EXPECT_NE(RenderSelection(Sample(), Terminal{.interactive = true, .color = true}).find('\x1b'),
            std::string::npos);
}

TEST(RenderSelection, WeightsOfAnyScaleStayReadable) {
  SelectionResult result = Sample();
  result.selected[0].weight = 1.25e7f;
  EXPECT_NE(RenderSelection(result, Terminal{}).find("1.250e+07"), std::string::npos);
}

TEST(RenderSelection, NamesCannotSteerTheTerminal) {
  SelectionResult result = Sample();
  result.selected[0].name = "a\x1b[2Jb\nc";
  std::string text = RenderSelection(result, Terminal{});
  EXPECT_NE(text.find("a\\x1b[2Jb\\x0ac"), std::string::npos) << text;
}

TEST(RenderSelection, AnEnsembleShowsHowOftenEachColumnWasChosen) {
  SelectionResult result = Sample();
  result.request.ensemble = 4;
  for (SelectedFeature& feature : result.selected) feature.frequency = 0.75;
  const std::string text = RenderSelection(result, Terminal{});
  EXPECT_TRUE(text.starts_with(
      "rank  name   importance  weight  chosen\n   1  area            -  0.6000    75 %  ####"))
      << text;
  EXPECT_NE(text.find("mean of 4 selections"), std::string::npos);
}

PathResult SamplePath() {
  PathResult result;
  result.request.method = "slm";
  result.request.select.target = "a<b";
  result.data.features = 9;
  result.data.test = 50;
  result.metric = "accuracy";
  result.folds = 2;
  result.points = {{.k = 1, .method = {0.5, 0.5}, .random = {0.25, 0.25}},
                   {.k = 4, .method = {0.8, 0.9}, .random = {0.5, 0.5}},
                   {.k = 9, .method = {0.9, 0.9}, .random = {0.9, 0.9}}};
  result.best_k = result.chosen_k = 9;
  return result;
}

TEST(RenderPath, HasARowForEachKAndSaysWhatIsEnough) {
  PathResult result = SamplePath();
  result.request.tolerance = 0.1;
  result.chosen_k = 4;
  EXPECT_EQ(RenderPath(result, Terminal{}),
            "   k          accuracy            random\n"
            "   1  0.5000 +- 0.0000  0.2500 +- 0.0000  #############\n"
            "   4  0.8500 +- 0.0500  0.5000 +- 0.0000  #######################   enough\n"
            "   9  0.9000 +- 0.0000  0.9000 +- 0.0000  ########################  best\n"
            "\n"
            "4 features of 9 for a<b by slm are within 0.1 of the best, which is at least 0.8000\n"
            "2 folds of about 50 rows, each held out from selection and training; +- is a standard "
            "error\n");
}

TEST(PathToSvg, EscapesNamesAndDrawsEveryPoint) {
  PathResult result = SamplePath();
  const std::string svg = PathToSvg(result);
  EXPECT_NE(svg.find("enough for a&lt;b"), std::string::npos);
  size_t dots = 0;
  for (size_t at = 0; (at = svg.find("<circle", at)) != std::string::npos; ++at) ++dots;
  EXPECT_EQ(dots, 3u);
  result.points.resize(1);
  result.best_k = result.chosen_k = 1;
  EXPECT_EQ(PathToSvg(result).find("nan"), std::string::npos) << "a path of one point";
}

TEST(RenderDropped, NamesTheFirstColumnsWithTheirReasons) {
  SelectionResult result = Sample();
  EXPECT_EQ(RenderDropped(result.data, 5), "");
  result.data.dropped = {{"c", {DropKind::kConstant, ""}}, {"d", {DropKind::kDuplicate, "area"}}};
  EXPECT_EQ(RenderDropped(result.data, 5),
            "2 columns could not be chosen: c (constant), d (duplicate of area)");
  EXPECT_EQ(RenderDropped(result.data, 1),
            "2 columns could not be chosen: c (constant), and 1 more");
}

TEST(Fit, PadsAndCutsByCodePoints) {
  EXPECT_EQ(Fit("größe", 7), "größe  ");
  EXPECT_EQ(Fit("größe", 4), "grö~");
  EXPECT_EQ(Fit("abc", 0), "");
}

TEST(Printable, EscapesControlCharactersOfBothRanges) {
  EXPECT_EQ(Printable("tab\tdel\x7f"), "tab\\x09del\\x7f");
  EXPECT_EQ(Printable("csi\xC2\x9Bm"), "csi\\x9bm");
  EXPECT_EQ(Printable("latin 1 \x9Bm"), "latin 1 \\x9bm") << "not UTF-8";
  EXPECT_EQ(Printable("größe"), "größe");
}

TuningResult Tuned() {
  TuningResult result;
  result.request.method = "rf";
  result.request.trials = 3;
  result.request.select.target = "kind";
  result.metric = "accuracy";
  result.data.features = 9;
  Trial given, best;
  given.settings = {{"trees", "100"}, {"max_depth", "0"}};
  given.valid_metric = 0.75;
  best = given;
  best.index = 2;
  best.settings[1].value = "5";
  best.valid_metric = 0.875;
  best.selected = {{1, "x1", 0, 1.0f}};
  result.trials = {best, given};
  result.valid_metric = 0.9;
  result.test_metric = 0.8;
  return result;
}

TEST(RenderTuning, TrialsSayWhereTheyDifferFromTheFirst) {
  const std::string text = RenderTuning(Tuned(), 10, {});
  EXPECT_NE(text.find("    2          0.8750     0.00  max_depth=5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    0          0.7500     0.00  as given\n"), std::string::npos) << text;
  EXPECT_NE(text.find("best settings of rf, trial 2 of 3:\n  trees      100\n  max_depth  5\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("accuracy 0.9000 on 0 validation rows, 0.8000 on 0 test rows\n"),
            std::string::npos)
      << text;
}

TEST(RenderTuning, ShowsNoMoreThanTheLimitAndBudgetsWhereTheyDiffer) {
  TuningResult result = Tuned();
  EXPECT_EQ(RenderTuning(result, 1, {}).find("as given"), std::string::npos);
  EXPECT_EQ(RenderTuning(result, 1, {}).find("budget"), std::string::npos);
  result.trials[1].budget = 1.0 / 3;
  EXPECT_NE(RenderTuning(result, 10, {}).find("  0.33  "), std::string::npos);
}

}  // namespace
}  // namespace slm
