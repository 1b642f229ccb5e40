#include "search/explain_recipe.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "base/options.h"
#include "base/streams.h"
#include "base/text.h"
#include "mask/objective.h"
#include "search/describe_options.h"
#include "targets/metrics.h"

namespace slm {
namespace {

// The value of an option as the command line has it.
std::string OptionText(SlmOptions options, std::string_view name) {
  OptionList list;
  DescribeOptions(options, list);
  for (const OptionField& field : list.fields()) {
    if (field.name == name) return field.get();
  }
  return "";
}

std::string StartText(const Share& filter) {
  if (filter.part == 0) return "all ones";
  return "filter, " + FormatNumber(filter.part) + "/" + FormatNumber(filter.of) + " of the steps";
}

std::string PredictorText(bool own, int layers, int units) {
  if (own) return "the caller's";
  if (layers == 0) return "linear";
  std::string text = "perceptron ";
  for (int i = 0; i < layers; ++i) text += (i > 0 ? "x" : "") + FormatNumber(units);
  return text;
}

std::string ObjectiveText(const SlmOptions& training) {
  if (training.objective == Objective::kHsic) return "task + HSIC";
  if (training.objective == Objective::kTaskOnly || training.alpha == 0) return "task";
  return BatchObjective::UsesPairTerm(training) ? "task + E + r_cs" : "task + E";
}

std::string ScheduleText(const PlannedRun& run) {
  const std::string steps = FormatNumber(run.steps) + " steps";
  if (run.training.schedule == Schedule::kNone) return steps + ", no tempering";
  return steps + ", " + OptionText(run.training, "schedule") + " in " +
         FormatNumber(run.training.drops) + " drops over " + FormatNumber(run.training.tempering);
}

std::vector<std::string> RunCells(const Recipe& recipe, const PlannedRun& run) {
  const SlmOptions& training = run.training;
  return {"run " + std::to_string(run.index),
          StartText(run.filter),
          PredictorText(bool{recipe.make_predictor}, training.hidden_layers, training.hidden_units),
          ObjectiveText(training) + (run.balanced ? ", balanced batches" : ""),
          ScheduleText(run),
          "rate " + FormatNumber(training.learning_rate),
          "stream " + std::to_string(StreamNumber(StreamOf::kRun, run.index))};
}

std::string StageText(const Recipe& recipe, const Stage& stage) {
  std::string text = stage.runs.front().cross_fitted ? "cross-fitted runs, " : "plain runs, ";
  text += stage.when == Stage::When::kAlways
              ? "always"
              : "only where nothing before reaches " + FormatNumber(recipe.poor) + " in validation";
  return text + (stage.gives == Stage::Gives::kMeanMask
                     ? "; the mean of their masks is one candidate"
                     : "; each is a candidate");
}

// What validation compares.
std::string ChosenBy(const Recipe& recipe) {
  const Metric* metric = recipe.shape.metric;
  if (metric != nullptr && metric->choice != nullptr) return std::string(metric->choice->name);
  return recipe.loss->task == Task::kClassification ? "accuracy" : "loss";
}

std::string JudgeText(const Recipe& recipe) {
  if (recipe.refits == 0) return "the validation of each run itself";
  std::string text =
      "mean " + ChosenBy(recipe) + " on validation rows of " + std::to_string(recipe.refits) +
      (recipe.refits == 1 ? " predictor" : " predictors") + " fitted on a candidate's columns";
  if (recipe.own_weight > 0)
    text += ", plus " + FormatNumber(recipe.own_weight) + " of the run's own";
  return text + "; " +
         PredictorText(bool{recipe.make_predictor}, recipe.judge.hidden_layers,
                       recipe.judge.hidden_units) +
         ", " + std::to_string(StepsOf(recipe.judge, recipe.shape.rows)) + " steps, rate " +
         FormatNumber(recipe.judge.learning_rate);
}

std::string FinalText(const Recipe& recipe) {
  if (recipe.refits == 0) return "that of the chosen run";
  const MeanFitOptions& fit = recipe.final_fit;
  std::string text = fit.members == 1 ? "one predictor" : "mean of " + std::to_string(fit.members);
  text += "; " +
          PredictorText(bool{recipe.make_predictor}, fit.fit.hidden_layers, fit.fit.hidden_units);
  text += ", " + std::to_string(StepsOf(fit.fit, recipe.shape.rows)) + " steps, rate " +
          FormatNumber(fit.fit.learning_rate);
  if (recipe.final_fits > fit.members) {
    text += ", noise " + FormatNumber(fit.noise) + " on inputs where it helps validation";
  }
  return text;
}

Json PredictorJson(int layers, int units) {
  Json json = Json::MakeObject();
  json.Add("hidden_layers", layers);
  json.Add("hidden_units", units);
  return json;
}

Json RunJson(const PlannedRun& run) {
  const SlmOptions& training = run.training;
  Json json = Json::MakeObject();
  json.Add("index", run.index);
  json.Add("stream", StreamNumber(StreamOf::kRun, run.index));
  json.Add("start", run.filter.part == 0 ? "ones" : "filter");
  json.Add("filter_share", run.filter.Of(1));
  json.Add("cross_fitted", run.cross_fitted);
  json.Add("predictor", PredictorJson(training.hidden_layers, training.hidden_units));
  json.Add("objective", OptionText(training, "objective"));
  json.Add("balanced", run.balanced);
  json.Add("alpha", training.alpha);
  json.Add("rcs_weight", training.rcs_weight);
  json.Add("steps", run.steps);
  json.Add("schedule", OptionText(training, "schedule"));
  json.Add("drops", training.drops);
  json.Add("tempering", training.tempering);
  json.Add("learning_rate", training.learning_rate);
  return json;
}

Json FitJson(const FitOptions& fit, size_t rows) {
  Json json = PredictorJson(fit.hidden_layers, fit.hidden_units);
  json.Add("steps", StepsOf(fit, rows));
  json.Add("learning_rate", fit.learning_rate);
  json.Add("l2", fit.l2);
  return json;
}

}  // namespace

std::string RecipeText(const Recipe& recipe) {
  std::vector<size_t> widths;
  for (const Stage& stage : recipe.stages) {
    for (const PlannedRun& run : stage.runs) {
      const std::vector<std::string> cells = RunCells(recipe, run);
      widths.resize(cells.size());
      for (size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
    }
  }
  std::string text = "table    " + std::to_string(recipe.shape.rows) + " training rows, " +
                     std::to_string(recipe.shape.columns) + " encoded columns" +
                     (recipe.few_rows ? ": few rows" : "") + "; loss " +
                     std::string(recipe.loss->name) + "\n";
  for (size_t s = 0; s < recipe.stages.size(); ++s) {
    const Stage& stage = recipe.stages[s];
    text += "stage " + std::to_string(s + 1) + "  " + StageText(recipe, stage) + "\n";
    for (const PlannedRun& run : stage.runs) {
      const std::vector<std::string> cells = RunCells(recipe, run);
      text += " ";
      for (size_t i = 0; i < cells.size(); ++i) {
        text += " " + cells[i];
        if (i + 1 < cells.size()) text.append(widths[i] - cells[i].size() + 1, ' ');
      }
      text += "\n";
    }
  }
  text += "judge    " + JudgeText(recipe) + "\n";
  return text + "final    " + FinalText(recipe) + "\n";
}

Json RecipeJson(const Recipe& recipe) {
  Json stages = Json::MakeArray();
  for (const Stage& stage : recipe.stages) {
    Json runs = Json::MakeArray();
    for (const PlannedRun& run : stage.runs) runs.Push(RunJson(run));
    Json item = Json::MakeObject();
    item.Add("when", stage.when == Stage::When::kAlways ? "always" : "where-poor");
    item.Add("gives", stage.gives == Stage::Gives::kMeanMask ? "mean-mask" : "each-run");
    item.Add("runs", std::move(runs));
    stages.Push(std::move(item));
  }
  Json judge = FitJson(recipe.judge, recipe.shape.rows);
  judge.Add("refits", recipe.refits);
  judge.Add("own_weight", recipe.own_weight);
  Json final_fit = FitJson(recipe.final_fit.fit, recipe.shape.rows);
  final_fit.Add("predictors", recipe.final_fit.members);
  final_fit.Add("noise", recipe.final_fit.noise);
  final_fit.Add("fits", recipe.final_fits);

  Json json = Json::MakeObject();
  json.Add("schema", "slm.recipe/1");
  json.Add("rows", static_cast<uint64_t>(recipe.shape.rows));
  json.Add("columns", static_cast<uint64_t>(recipe.shape.columns));
  json.Add("loss", recipe.loss->name);
  json.Add("few_rows", recipe.few_rows);
  json.Add("poor_below", recipe.poor);
  json.Add("chosen_by", ChosenBy(recipe));
  json.Add("stages", std::move(stages));
  json.Add("judge", std::move(judge));
  json.Add("final", std::move(final_fit));
  return json;
}

}  // namespace slm
