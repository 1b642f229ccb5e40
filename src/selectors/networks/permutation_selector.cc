// Permutation importance: by how much a predictor that was trained on all columns gets worse on
// rows that it has not learned from when the cells of a feature change places between them. A
// predictor for each fold of the training rows, so that every row counts; the columns of a feature
// change places together.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/streams.h"
#include "base/thread_pool.h"
#include "model/changed_columns.h"
#include "nn/fit.h"
#include "nn/model_archive.h"
#include "selectors/choose.h"
#include "selectors/methods.h"
#include "selectors/row_folds.h"
#include "selectors/search_space.h"
#include "slm/errors.h"
#include "targets/losses.h"
#include "targets/metrics.h"

namespace slm {
namespace {

struct PermutationOptions {
  int permutation_folds = 5;
  int repeats = 5;
  int hidden_layers = 1;
  int hidden_units = 128;
  int steps = 1500;
  int batch_size = 64;
  double learning_rate = 2e-3;
};

constexpr SearchDimension kSearched[] = {
    SearchDimension::Whole("hidden_layers", 0, 2),
    SearchDimension::LogWhole("hidden_units", 32, 256),
    SearchDimension::Log("learning_rate", 5e-4, 1e-2),
};
constexpr std::string_view kBudget[] = {"steps"};

// The larger, the worse: the task loss, or what the metric of the rows is chosen by.
double Badness(const Matrix& scores, const Dataset& rows) {
  const Measure measure = MeasureForChoice(scores, rows, DefaultLoss(rows.y));
  const bool by_metric = rows.metric != nullptr && rows.metric->choice != nullptr;
  return by_metric ? -measure.quality : measure.loss;
}

class PermutationSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    const std::vector<RowFold> folds =
        DealFolds(problem, options_.permutation_folds, true, "permutation_folds");
    std::vector<double> scores(problem.layout.features());
    std::vector<int> measured(scores.size());  // in how many folds
    const std::vector<FitResult> fits = FitFolds(problem, folds, seed, context);
    for (size_t f = 0; f < folds.size(); ++f) {
      if (!fits[f].model.predictor) continue;
      AddRises(problem.layout, fits[f].model, folds[f].held_out,
               StreamFor(seed, StreamOf::kImportance, f), context, &scores, &measured);
    }
    for (size_t j = 0; j < scores.size(); ++j) scores[j] /= std::max(measured[j], 1);
    return ChooseTop(scores, k);
  }

  MemoryNeed Memory(const Problem& problem, int) const override {
    return {2 * sizeof(float) * static_cast<double>(options_.permutation_folds) *
                static_cast<double>(problem.train.rows()) *
                static_cast<double>(problem.layout.columns()),
            "each fold has its rows; lower " + FieldRef("permutation_folds")};
  }

  void DescribeOptions(OptionList& list) override {
    list.Int(
        "permutation_folds", &options_.permutation_folds, 3, 100,
        "parts of the training rows: each in turn is held out to measure on, and the next one to "
        "choose the best epoch by");
    list.Int("repeats", &options_.repeats, 1, 1000,
             "how often the cells of a column change places");
    list.Int("hidden_layers", &options_.hidden_layers, 0, 8,
             "hidden layers of the predictor; 0 is a linear model");
    list.Int("hidden_units", &options_.hidden_units, 1, 65536, "units of each hidden layer");
    list.Int("steps", &options_.steps, 1, 100000000, "training steps of each predictor");
    list.Int("batch_size", &options_.batch_size, 1, 1048576, "rows in a step");
    list.Real("learning_rate", &options_.learning_rate, 1e-8, 10, "learning rate of Adam");
  }

  void DescribeSearch(SearchSpace& space) const override {
    space = {.dimensions = kSearched, .budget = kBudget};
  }

 private:
  // A fit that was not begun in time has no predictor, but the first has one.
  std::vector<FitResult> FitFolds(const Problem& problem, const std::vector<RowFold>& folds,
                                  uint64_t seed, const Context& context) const {
    std::vector<int32_t> columns(problem.layout.columns());
    std::iota(columns.begin(), columns.end(), 0);
    const FitOptions fit =
        SuitedTo(DefaultLoss(problem.train.y), {.hidden_layers = options_.hidden_layers,
                                                .hidden_units = options_.hidden_units,
                                                .steps = options_.steps,
                                                .batch_size = options_.batch_size,
                                                .learning_rate = options_.learning_rate,
                                                .make_predictor = {}});
    std::vector<FitResult> fits(folds.size());
    context.pool->ParallelFor(fits.size(), [&](size_t f) {
      if (f > 0 && context.ShouldStop()) return;
      Problem own = problem;
      own.train = folds[f].learn;
      own.valid = folds[f].choose;
      fits[f] = FitOrFind("permutation " + std::to_string(f), own, columns, fit,
                          StreamFor(seed, StreamOf::kJudge, f), context);
    });
    return fits;
  }

  // Adds, for every feature that there was time for, the mean rise over the repeats.
  void AddRises(const FeatureLayout& layout, const Model& model, const Dataset& rows,
                const RandomStream& random, const Context& context, std::vector<double>* scores,
                std::vector<int>* measured) const {
    ChangedColumns changed(model, rows.y.outputs());
    changed.SetRows(rows.x->InMemory());
    const double actual = Badness(changed.Scores(), rows);
    context.pool->ParallelFor(scores->size(), [&](size_t j) {
      std::vector<int32_t> from(rows.rows());
      double sum = 0;
      for (int r = 0; r < options_.repeats; ++r) {
        if (context.ShouldStop()) return;
        std::iota(from.begin(), from.end(), 0);
        // The same order for every feature: equal columns are equally important.
        random.Substream(static_cast<uint64_t>(r)).Shuffle(std::span(from));
        const Matrix without = changed.Scores(static_cast<size_t>(layout.offsets[j]),
                                              static_cast<size_t>(layout.offsets[j + 1]), from);
        sum += Badness(without, rows) - actual;
      }
      if (std::isfinite(sum)) (*scores)[j] += sum / options_.repeats;
      ++(*measured)[j];
    });
  }

  PermutationOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakePermutation() { return std::make_unique<PermutationSelector>(); }

}  // namespace slm
