#include "search/recipe.h"

#include <algorithm>
#include <span>

#include "nn/batches.h"
#include "slm/errors.h"
#include "targets/metrics.h"

namespace slm {
namespace {

FitOptions JudgeFitOptions(const SlmOptions& options, const LossKind& loss,
                           const PredictorFactory& make_predictor) {
  return SuitedTo(loss, {.hidden_layers = options.hidden_layers,
                         .hidden_units = options.hidden_units,
                         .batch_size = options.batch_size,
                         .learning_rate = options.learning_rate,
                         .make_predictor = make_predictor});
}

class RecipeMaker {
 public:
  RecipeMaker(const TableShape& shape, const LossKind& loss, const SlmOptions& options,
              const PredictorFactory& make_predictor, const RecipeConstants& constants)
      : options_(options), constants_(constants) {
    recipe_.shape = shape;
    recipe_.loss = &loss;
    recipe_.make_predictor = make_predictor;
    recipe_.few_rows = options.cross_fit == CrossFit::kAuto && options.refits > 0 &&
                       shape.rows < constants.many_rows &&
                       shape.columns > constants.columns_for_each_row * shape.rows;
    recipe_.refits = options.refits;
    if (shape.metric != nullptr && shape.metric->choice != nullptr) {
      recipe_.poor = shape.metric->choice->good;
      // E and r_cs shrink the probabilities of a run, which says nothing about its columns.
      recipe_.own_weight = 0;
      if (shape.metric->rare_classes_count) recipe_.balance = constants.balance;
    } else {
      recipe_.poor = loss.traits.good_quality;
      recipe_.own_weight = loss.traits.own_validation;
    }
    recipe_.judge = JudgeFitOptions(options, loss, make_predictor);
    recipe_.final_fit = FinalFitOptions(options, loss, make_predictor, constants);
    recipe_.final_fits = recipe_.final_fit.Fits({});
  }

  Recipe Make() {
    const bool plain_runs = options_.starts + options_.filter_starts > 0;
    if (!plain_runs && options_.cross_fit == CrossFit::kNever) {
      throw UsageError(
          "starts and filter_starts are 0 and cross_fit is never, so nothing would run; set one of "
          "them");
    }
    if (recipe_.few_rows) {
      AddCrossFitted(Stage::When::kAlways, constants_.few_rows);
      return std::move(recipe_);
    }
    if (plain_runs) AddPlain();
    if (!plain_runs || options_.cross_fit == CrossFit::kAlways) {
      AddCrossFitted(Stage::When::kAlways, constants_.cross_fitted);
    } else if (options_.cross_fit == CrossFit::kAuto &&
               recipe_.shape.columns <= constants_.cross_fit_columns) {
      AddCrossFitted(Stage::When::kWherePoor, constants_.cross_fitted);
    }
    return std::move(recipe_);
  }

 private:
  void AddPlain() {
    Stage stage{.phase = "starts", .runs = {}};
    AddRuns(options_.starts, constants_.from_ones, {.training = options_}, &stage);
    AddRuns(options_.filter_starts, constants_.from_filter, {.training = options_}, &stage);
    if (recipe_.loss->traits.linear_runs && options_.hidden_layers > 0 && !recipe_.make_predictor) {
      SlmOptions linear = options_;
      linear.hidden_layers = 0;
      AddRuns(options_.linear_starts, constants_.linear, {.training = linear}, &stage);
    }
    recipe_.stages.push_back(std::move(stage));
  }

  void AddCrossFitted(Stage::When when, std::span<const RunRow> rows) {
    SlmOptions own = options_;
    own.hidden_units = std::min(own.hidden_units, constants_.cross_fit_units);
    own.steps *= constants_.cross_fit_steps;
    own.learning_rate *= constants_.cross_fit_rate;
    own.drops = std::max(1, own.drops / constants_.cross_fit_drops);
    own.tempering = constants_.cross_fit_tempering;
    own.rcs_weight = constants_.cross_fit_rcs_weight;
    // Without refits nothing could judge the mean, which has no predictor of its own.
    Stage stage{.phase = "cross-fit",
                .when = when,
                .gives = options_.refits > 0 ? Stage::Gives::kMeanMask : Stage::Gives::kEachRun,
                .runs = {}};
    AddRuns(options_.cross_fit_runs, rows, {.cross_fitted = true, .training = own}, &stage);
    recipe_.stages.push_back(std::move(stage));
  }

  // `count` runs of the kind of `model`, which take the rows in turn.
  void AddRuns(int count, std::span<const RunRow> rows, const PlannedRun& model, Stage* stage) {
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      const RunRow& row = rows[i % rows.size()];
      PlannedRun& run = stage->runs.emplace_back(model);
      run.filter = row.filter;
      run.steps = StepsOf(run.training);
      run.index = next_index_++;
      if (!row.other_way) continue;
      run.balanced = recipe_.balance > 0;
      if (!recipe_.loss->traits.task_alone_in_turn) continue;
      if (run.training.objective != Objective::kMi) continue;
      run.training.objective = Objective::kTaskOnly;
      // Cross-fitted runs have a high rate already.
      if (!run.cross_fitted) run.training.learning_rate *= recipe_.loss->traits.rate;
    }
  }

  int StepsOf(const SlmOptions& training) const {
    if (training.epochs <= 0) {
      return BoundedSteps(training.steps, constants_.most_passes, constants_.least_tenths,
                          recipe_.shape.rows, training.batch_size);
    }
    const size_t batch = static_cast<size_t>(training.batch_size);
    return training.epochs * static_cast<int>((recipe_.shape.rows + batch - 1) / batch);
  }

  const SlmOptions& options_;
  const RecipeConstants& constants_;
  Recipe recipe_;
  uint64_t next_index_ = 0;
};

}  // namespace

Recipe MakeRecipe(const TableShape& shape, const LossKind& loss, const SlmOptions& options,
                  const PredictorFactory& make_predictor, const RecipeConstants& constants) {
  return RecipeMaker(shape, loss, options, make_predictor, constants).Make();
}

Recipe MakePathRecipe(const TableShape& shape, const LossKind& loss, const SlmOptions& options,
                      const RecipeConstants& constants) {
  SlmOptions longer = options;
  longer.steps *= constants.path_steps;
  longer.epochs *= constants.path_steps;
  longer.drops += static_cast<int>(constants.path_more_drops.Of(options.drops));
  Recipe recipe = MakeRecipe(shape, loss, longer, {}, constants);
  for (Stage& stage : recipe.stages) {
    std::vector<PlannedRun> few;
    for (PlannedRun& run : stage.runs) {
      run.training.tempering = constants.path_tempering;
      const auto repeats = std::count_if(few.begin(), few.end(), [&](const PlannedRun& other) {
        return other.filter.Of(1) == run.filter.Of(1) && other.balanced == run.balanced &&
               other.training.hidden_layers == run.training.hidden_layers &&
               other.training.objective == run.training.objective;
      });
      const bool mean = stage.gives == Stage::Gives::kMeanMask;
      if (repeats < (mean ? constants.path_mean_repeats : constants.path_repeats)) {
        few.push_back(std::move(run));
      }
    }
    stage.runs = std::move(few);
  }
  return recipe;
}

TableShape ShapeOf(const Problem& problem) {
  return {problem.train.rows(), problem.layout.columns(), problem.valid.metric};
}

int Candidates(const Recipe& recipe) {
  int count = 0;
  for (const Stage& stage : recipe.stages) {
    count += stage.gives == Stage::Gives::kMeanMask ? 1 : static_cast<int>(stage.runs.size());
  }
  return count;
}

MeanFitOptions FinalFitOptions(const SlmOptions& options, const LossKind& loss,
                               const PredictorFactory& make_predictor,
                               const RecipeConstants& constants) {
  MeanFitOptions mean{JudgeFitOptions(options, loss, make_predictor), options.final_predictors,
                      options.final_noise};
  mean.fit.hidden_units = options.final_units;
  mean.fit.steps = options.final_steps;
  mean.fit.passes *= constants.final_passes;
  return mean;
}

}  // namespace slm
