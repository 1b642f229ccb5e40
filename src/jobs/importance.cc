#include "jobs/importance.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "base/streams.h"
#include "base/thread_pool.h"
#include "jobs/spread.h"
#include "model/changed_columns.h"

namespace slm {
namespace {

constexpr int kRepeats = 10;
// Test rows join those of validation where these are fewer: an accuracy of 0.9 has a standard error
// of 0.03 on a hundred rows.
constexpr size_t kFewRows = 100;
// Rows enough for any importance worth a look: an accuracy has a standard error of 0.008 at most.
constexpr size_t kMostRows = 4000, kLeastRows = 100;
// Rows through the whole predictor that the work may come to. Training a final predictor is as much
// as 200,000 or more, and methods that train take several times as long.
constexpr double kRankingPasses = 30000, kTrainingPasses = 120000;

// Encoded columns of a feature, by their place among those of the model.
struct Columns {
  size_t first = 0, last = 0;
};

std::vector<Columns> ColumnsOfFeatures(const FeatureLayout& layout, std::span<const int> features,
                                       const std::vector<int32_t>& of_model) {
  auto place = [&](size_t feature) {
    const auto at = std::lower_bound(of_model.begin(), of_model.end(), layout.offsets[feature]);
    return static_cast<size_t>(at - of_model.begin());
  };
  std::vector<Columns> columns;
  for (int j : features) {
    const size_t feature = static_cast<size_t>(j);
    columns.push_back({place(feature), place(feature + 1)});
  }
  return columns;
}

template <class T>
std::vector<T> Picked(const std::vector<T>& values, std::span<const int32_t> rows) {
  std::vector<T> picked;
  if (values.empty()) return picked;
  for (int32_t row : rows) picked.push_back(values[static_cast<size_t>(row)]);
  return picked;
}

// Those rows, and those columns side by side.
Dataset Part(const Dataset& data, std::span<const int32_t> rows,
             const std::vector<int32_t>& columns) {
  Matrix x(rows.size(), columns.size());
  data.x->Gather(rows, ColumnSet(columns, data.x->columns()), x.view());
  Dataset part{MakeRows(std::move(x)), data.y, Picked(data.weight, rows)};
  part.y.index = Picked(data.y.index, rows);
  part.y.value = Picked(data.y.value, rows);
  return part;
}

Dataset Joined(const Dataset& a, const Dataset& b) {
  Matrix x(a.rows() + b.rows(), a.x->columns());
  Dataset joined = a;
  size_t next = 0;
  for (const Dataset* part : {&a, &b}) {
    const MatrixView<const float> rows = part->x->InMemory();
    for (size_t i = 0; i < rows.rows; ++i) std::copy_n(rows.row(i), rows.cols, x.row(next++));
  }
  auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(joined.y.index, b.y.index);
  append(joined.y.value, b.y.value);
  append(joined.weight, b.weight);
  joined.x = MakeRows(std::move(x));
  return joined;
}

std::vector<int32_t> AllRows(size_t count) {
  std::vector<int32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

std::vector<int32_t> ShuffledRows(size_t count, RandomStream random) {
  std::vector<int32_t> rows = AllRows(count);
  random.Shuffle(std::span(rows));
  return rows;
}

// The rows to measure on, with the columns of the model alone; at most `most` of them.
Dataset HeldOutRows(const Preparation& prepared, const std::vector<int32_t>& columns, size_t most,
                    RandomStream random, std::string* parts) {
  const Dataset& valid = prepared.problem().valid;
  std::vector<int32_t> rows = AllRows(valid.rows());
  if (rows.size() > most) {
    rows = ShuffledRows(rows.size(), random);
    rows.resize(most);
    std::sort(rows.begin(), rows.end());
  }
  *parts = "validation";
  Dataset held = Part(valid, rows, columns);
  const Dataset test = valid.rows() < kFewRows ? prepared.TestRows() : Dataset{};
  if (test.rows() == 0) return held;
  *parts = "validation and test";
  rows = ShuffledRows(test.rows(), random);
  rows.resize(std::min(rows.size(), most - held.rows()));
  return Joined(held, Part(test, rows, columns));
}

// The rows again, each as often as chance draws it.
Dataset Resampled(const Dataset& data, RandomStream random) {
  std::vector<float> times(data.rows());
  for (size_t i = 0; i < times.size(); ++i) ++times[random.Below(times.size())];
  for (size_t i = 0; i < data.weight.size(); ++i) times[i] *= data.weight[i];
  return {data.x, data.y, std::move(times)};
}

class Measurement {
 public:
  Measurement(const Preparation& prepared, const Choice& choice, double most_passes, uint64_t seed)
      : prepared_(prepared),
        seed_(seed),
        columns_(
            ColumnsOfFeatures(prepared.problem().layout, choice.features, choice.model.columns)),
        changed_(choice.model, prepared.problem().train.y.outputs()) {
    rows_ = HeldOutRows(prepared, choice.model.columns,
                        AffordableRows(choice.model.columns.size(), most_passes),
                        StreamFor(seed, StreamOf::kImportance, 0), &basis_.parts);
    basis_.rows = rows_.rows();
    basis_.repeats = kRepeats;
  }

  std::optional<Importances> Run(const Context& context) {
    if (rows_.rows() < 2) return std::nullopt;
    changed_.SetRows(rows_.x->InMemory());
    const Matrix scores = changed_.Scores();
    const double actual = Measure(scores, rows_);
    for (uint64_t r = 0; r < kRepeats; ++r) {
      Repeat& repeat = repeats_.emplace_back();
      repeat.resampled = Resampled(rows_, Stream(r).Substream(0));
      repeat.actual = Measure(scores, repeat.resampled);
    }
    std::vector<double> losses(columns_.size() * kRepeats), resampled(losses.size());
    context.pool->ParallelFor(losses.size(), [&](size_t i) {
      if (context.ShouldStop()) return;
      const Repeat& repeat = repeats_[i % kRepeats];
      const Matrix without = ScoresWithout(i / kRepeats, Stream(i % kRepeats));
      losses[i] = Loss(actual, Measure(without, rows_));
      resampled[i] = Loss(repeat.actual, Measure(without, repeat.resampled));
    });
    if (context.ShouldStop() || !std::isfinite(actual)) return std::nullopt;
    return Summary(losses, resampled);
  }

 private:
  struct Repeat {
    Dataset resampled;
    double actual = 0;
  };

  size_t AffordableRows(size_t columns, double most_passes) const {
    double work = 0;
    for (const Columns& own : columns_) work += changed_.Work(own.last - own.first);
    const double rows = most_passes * changed_.Work(columns) / (kRepeats * work);
    return static_cast<size_t>(
        std::clamp(rows, static_cast<double>(kLeastRows), static_cast<double>(kMostRows)));
  }

  RandomStream Stream(uint64_t repeat) const {
    return StreamFor(seed_, StreamOf::kImportance, 1 + repeat);
  }

  Matrix ScoresWithout(size_t feature, const RandomStream& random) const {
    const Columns& own = columns_[feature];
    return changed_.Scores(own.first, own.last,
                           ShuffledRows(rows_.rows(), random.Substream(1 + feature)));
  }

  double Measure(const Matrix& scores, const Dataset& rows) const {
    return prepared_.metric().measure(scores, rows, prepared_.target().sd());
  }

  double Loss(double with, double without) const {
    return prepared_.metric().larger_is_better ? with - without : without - with;
  }

  // The loss is the mean on the rows as they are. Its error is what it varies by over resampled
  // rows, each with a permutation of its own.
  Importances Summary(const std::vector<double>& losses,
                      const std::vector<double>& resampled) const {
    Importances all{.basis = basis_, .of = {}};
    auto of_feature = [](const std::vector<double>& values, size_t feature) {
      std::vector<double> own;
      for (size_t r = 0; r < kRepeats; ++r) {
        const double value = values[feature * kRepeats + r];
        if (std::isfinite(value)) own.push_back(value);
      }
      return SpreadOf(own);
    };
    for (size_t f = 0; f < columns_.size(); ++f) {
      all.of.push_back({of_feature(losses, f).mean, of_feature(resampled, f).sd});
    }
    return all;
  }

  const Preparation& prepared_;
  const uint64_t seed_;
  const std::vector<Columns> columns_;
  ImportanceBasis basis_;
  ChangedColumns changed_;
  Dataset rows_;
  std::vector<Repeat> repeats_;
};

}  // namespace

std::optional<Importances> MeasureImportance(const Preparation& prepared, const Choice& choice,
                                             SelectionEffort effort, uint64_t seed,
                                             const Context& context) {
  if (context.ShouldStop()) return std::nullopt;
  const double passes = effort == SelectionEffort::kTraining ? kTrainingPasses : kRankingPasses;
  return Measurement(prepared, choice, passes, seed).Run(context);
}

std::vector<size_t> RankByImportance(const Importances& importances, size_t features) {
  std::vector<size_t> order = AllIndices(features);
  if (importances.of.empty()) return order;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return importances.of[a].loss > importances.of[b].loss;
  });
  return order;
}

}  // namespace slm
