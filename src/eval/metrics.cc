#include "eval/metrics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/options.h"
#include "nn/fit.h"
#include "slm/errors.h"

namespace slm {
namespace {

double WeightOf(const Dataset& data, size_t row) {
  return data.weight.empty() ? 1 : data.weight[row];
}

double Accuracy(const Matrix& scores, const Dataset& data, double) {
  return MeasureScores(scores, data).quality;
}

double LogLoss(const Matrix& scores, const Dataset& data, double) {
  return MeasureScores(scores, data).loss;
}

// The mean over classes of the share of its rows that are found.
double BalancedAccuracy(const Matrix& scores, const Dataset& data, double) {
  const size_t classes = static_cast<size_t>(data.y.classes);
  std::vector<double> found(classes), all(classes);
  for (size_t i = 0; i < data.rows(); ++i) {
    const float* row = scores.row(i);
    size_t label = static_cast<size_t>(data.y.index[i]);
    bool right = std::max_element(row, row + classes) == row + label;
    all[label] += WeightOf(data, i);
    found[label] += right ? WeightOf(data, i) : 0;
  }
  double sum = 0, present = 0;
  for (size_t c = 0; c < classes; ++c) {
    if (all[c] <= 0) continue;
    sum += found[c] / all[c];
    ++present;
  }
  return sum / present;
}

double MeanAbsoluteError(const Matrix& scores, const Dataset& data, double unit) {
  return unit * MeasureScores(scores, data).loss;
}

struct SquareSums {
  double error = 0, spread = 0, weight = 0;
};

SquareSums Squares(const Matrix& scores, const Dataset& data) {
  SquareSums sums;
  double mean = 0;
  for (size_t i = 0; i < data.rows(); ++i) {
    sums.weight += WeightOf(data, i);
    mean += WeightOf(data, i) * data.y.value[i];
  }
  mean /= sums.weight;
  for (size_t i = 0; i < data.rows(); ++i) {
    double y = data.y.value[i], error = y - static_cast<double>(scores(i, 0));
    sums.error += WeightOf(data, i) * error * error;
    sums.spread += WeightOf(data, i) * (y - mean) * (y - mean);
  }
  return sums;
}

double RootMeanSquareError(const Matrix& scores, const Dataset& data, double unit) {
  SquareSums sums = Squares(scores, data);
  return unit * std::sqrt(sums.error / sums.weight);
}

double R2(const Matrix& scores, const Dataset& data, double) {
  SquareSums sums = Squares(scores, data);
  return 1 - sums.error / sums.spread;
}

constexpr Metric kMetrics[] = {
    {"accuracy", Task::kClassification, true, Accuracy},
    {"balanced_accuracy", Task::kClassification, true, BalancedAccuracy},
    {"log_loss", Task::kClassification, false, LogLoss},
    {"mae", Task::kRegression, false, MeanAbsoluteError},
    {"r2", Task::kRegression, true, R2},
    {"rmse", Task::kRegression, false, RootMeanSquareError},
};

}  // namespace

std::span<const Metric> Metrics() { return kMetrics; }

const Metric& FindMetric(std::string_view name, Task task) {
  const bool classes = task == Task::kClassification;
  if (name == "auto") name = classes ? "accuracy" : "mae";
  std::vector<std::string> names;
  std::string fitting;
  for (const Metric& metric : kMetrics) {
    names.emplace_back(metric.name);
    if (metric.task == task) fitting += (fitting.empty() ? "" : ", ") + names.back();
    if (metric.name != name) continue;
    if (metric.task == task) return metric;
    throw DataError("the metric '" + std::string(name) + "' is for " +
                    (classes ? "regression, and the target has classes"
                             : "classes, and the target has values") +
                    "; set --task, or take one of: " +
                    (classes ? "accuracy, balanced_accuracy, log_loss" : "mae, r2, rmse"));
  }
  std::string near = NearestName(name, names);
  throw UsageError("there is no metric '" + std::string(name) + "'" +
                   (near.empty() ? "" : "; did you mean '" + near + "'?") +
                   " For this task there are: " + fitting);
}

}  // namespace slm
