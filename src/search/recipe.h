#pragma once

// The recipe of a search, as data: which runs there are and how each is trained, when a stage of
// them is wanted, how their columns are judged, and which predictors stay. MakeRecipe decides all
// of it before any work is done, from the shape of the table, the kind of target and the options.
// SearchMask executes a recipe, search/price_recipe.h prices it, MaskPath walks it down through
// many k, and search/explain_recipe.h prints it.

#include <array>
#include <cstdint>
#include <vector>

#include "nn/fit.h"
#include "nn/mean_fit.h"
#include "slm/options.h"
#include "slm/predictor.h"
#include "slm/problem.h"
#include "targets/losses.h"

namespace slm {

// A part of a run's steps.
struct Share {
  int part = 0, of = 1;

  double Of(int steps) const { return static_cast<double>(steps) * part / of; }
};

// How a run begins and what it learns from.
struct RunRow {
  // The lead that a filter has in the mask it starts from: as far as the mask moves in this share
  // of the steps. None is a start from all ones.
  Share filter;
  // In another way than the others, where there is one: from the task loss alone, without E and
  // r_cs, if the loss calls for such runs (absolute errors of values); from batches that hold more
  // of the rarer classes, if the metric counts these for more than their rows.
  bool other_way = false;
};

// The numbers behind the defaults that are no options, each with its reason; those that depend on
// the loss are its traits (targets/losses.h). docs/defaults.md has the measurements.
struct RecipeConstants {
  // Hundreds of passes over few rows only overfit: no more than this over the training rows, but no
  // less than so many tenths of the steps, which the mask needs to fall to k.
  int most_passes = 300;
  int least_tenths = 3;

  // The table of runs: those of a kind take its rows in turn. Two strengths of the filter, since it
  // helps where columns matter one by one and misleads where they matter together. Half of the runs
  // learn in another way, if there is one.
  std::array<RunRow, 2> from_ones = {{{{}, false}, {{}, true}}};
  std::array<RunRow, 2> from_filter = {{{{1, 15}, false}, {{1, 5}, true}}};
  // With a linear predictor, if the loss has such runs.
  std::array<RunRow, 2> linear = {{{{}, false}, {{1, 15}, true}}};
  // A hint is enough here: the held-out gradients do not follow noise.
  std::array<RunRow, 2> cross_fitted = {{{{}, false}, {{1, 40}, true}}};
  // Where rows are few, gradients say little, and all runs lean on the filter. A lead of all steps
  // is worth two points where columns matter one by one and costs five where they matter together.
  std::array<RunRow, 2> few_rows = {{{{3, 10}, false}, {{3, 10}, true}}};

  // Balanced batches repeat the rows of a class by this power of what would make it as frequent as
  // the largest one. With 1, few rows are met every other step and learned by heart.
  double balance = 0.5;

  // Cross-fitted runs. Small predictors overfit later, and each has to learn quickly, since it
  // starts afresh at every drop: fewer drops, a higher rate and more steps leave it the time. What
  // is left after the last drop only fits the last predictor.
  int cross_fit_units = 32;   // at most
  int cross_fit_steps = 3;    // times those of a plain run
  double cross_fit_rate = 3;  // times that of a plain run
  int cross_fit_drops = 3;    // divides those of a plain run
  double cross_fit_tempering = 0.8;
  // Eight passes a step would make the pair term the most expensive part of the whole search.
  double cross_fit_rcs_weight = 0;
  // Where plain runs do poorly they are worth their time, unless the columns are more than this.
  size_t cross_fit_columns = 2000;

  // Few rows: a tenth of them set aside cannot tell good columns from lucky ones, and plain runs
  // fit noise. A validation part of a hundred rows can choose; with two columns or less for each
  // row plain runs do as well.
  size_t many_rows = 1000;
  size_t columns_for_each_row = 2;

  // The predictors that stay may pass over the rows this many times as often as those that judge:
  // they are wider, and what they reach is the result.
  int final_passes = 2;

  // The way down through many k: to the smallest it is about half as far again, in factors, as to
  // one worth selecting, and no step is left for k itself.
  int path_steps = 2;              // times those of a selection
  Share path_more_drops = {1, 2};  // of those of a selection
  double path_tempering = 1;
  // Runs that differ by their random numbers alone: a path takes so many of each, since every one
  // costs its time in every fold and leaves a set of columns to be judged at every k.
  int path_repeats = 1;
  int path_mean_repeats = 2;  // of those whose mean counts: the mean of two was worse on Madelon
};

// What of a problem decides its recipe.
struct TableShape {
  size_t rows = 0;                 // for training
  size_t columns = 0;              // encoded
  const Metric* metric = nullptr;  // that choices are to serve; null for what the loss compares
};

// One run of the mask.
struct PlannedRun {
  Share filter = {};  // lead of the filter in the mask it starts from; none for all ones
  bool cross_fitted = false;
  bool balanced = false;  // batches hold more of the rarer classes than the rows do
  SlmOptions training;    // predictor, objective, schedule; the number of steps is the next field
  int steps = 0;
  uint64_t index = 0;  // among all runs of the recipe; decides its random numbers
};

struct Stage {
  enum class When { kAlways, kWherePoor };  // what the stages before it have reached
  enum class Gives { kEachRun, kMeanMask };

  const char* phase = "";  // the word for its progress
  When when = When::kAlways;
  // What stands for the runs before the judge: each of them, or, of runs whose masks differ by luck
  // more than rows set aside could tell, the mean of the masks.
  Gives gives = Gives::kEachRun;
  std::vector<PlannedRun> runs;
};

struct Recipe {
  TableShape shape;
  const LossKind* loss = nullptr;  // that all predictors minimise
  bool few_rows = false;
  std::vector<Stage> stages;
  double poor = 0;  // below this on validation rows, what was reached is poor

  int refits = 0;         // that judge a candidate; with none its own validation does
  double own_weight = 0;  // of the run's own validation, beside the mean of the refits
  double balance = 0;     // of balanced batches; 0 if no run has them
  FitOptions judge;
  MeanFitOptions final_fit;
  int final_fits = 0;               // how many predictors are fitted for it
  PredictorFactory make_predictor;  // empty for the perceptrons of the runs
};

// Throws a UsageError for options by which nothing would run.
Recipe MakeRecipe(const TableShape& shape, const LossKind& loss, const SlmOptions& options,
                  const PredictorFactory& make_predictor = {},
                  const RecipeConstants& constants = {});

// The same recipe for one walk through many k instead of a selection for each.
Recipe MakePathRecipe(const TableShape& shape, const LossKind& loss, const SlmOptions& options,
                      const RecipeConstants& constants = {});

TableShape ShapeOf(const Problem& problem);

// How many masks its stages put before the judge, if all of them are wanted.
int Candidates(const Recipe& recipe);

// The predictors whose mean stays with columns, however those were found.
MeanFitOptions FinalFitOptions(const SlmOptions& options, const LossKind& loss,
                               const PredictorFactory& make_predictor,
                               const RecipeConstants& constants = {});

}  // namespace slm
