#include "jobs/evidence.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "nn/fit.h"
#include "slm/errors.h"
#include "targets/interval.h"

namespace slm {
namespace {

std::optional<double> Defined(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string_view NameOfConstant(Metric::Constant constant) {
  switch (constant) {
    case Metric::Constant::kMajority:
      return "majority";
    case Metric::Constant::kMedian:
      return "median";
    case Metric::Constant::kMean:
      break;
  }
  return "mean";
}

// The value that half of the rows, by weight, stay below.
double MedianOf(const Dataset& data) {
  std::vector<std::pair<float, double>> rows;
  double half = 0;
  for (size_t i = 0; i < data.rows(); ++i) {
    rows.emplace_back(data.y.value[i], WeightOf(data, i));
    half += WeightOf(data, i) / 2;
  }
  std::sort(rows.begin(), rows.end());
  double below = 0;
  size_t at = 0;
  while (at + 1 < rows.size() && below + rows[at].second < half) below += rows[at++].second;
  return static_cast<double>(rows[at].first);
}

double MeanOf(const Dataset& data) {
  double sum = 0, weight = 0;
  for (size_t i = 0; i < data.rows(); ++i) {
    sum += WeightOf(data, i) * data.y.value[i];
    weight += WeightOf(data, i);
  }
  return sum / weight;
}

// What the training rows say without looking at a column, as the scores of one row: the logarithm
// of each class's share, or one value.
std::vector<float> ConstantScores(const Dataset& train, Metric::Constant constant) {
  if (constant == Metric::Constant::kMedian) return {static_cast<float>(MedianOf(train))};
  if (constant == Metric::Constant::kMean) return {static_cast<float>(MeanOf(train))};
  std::vector<double> shares(static_cast<size_t>(train.y.classes));
  double total = 0;
  for (size_t i = 0; i < train.rows(); ++i) {
    shares[static_cast<size_t>(train.y.index[i])] += WeightOf(train, i);
    total += WeightOf(train, i);
  }
  std::vector<float> scores;
  // A class whose rows have no weight is as unlikely as a score can say.
  for (double share : shares) {
    scores.push_back(static_cast<float>(std::log(std::max(share / total, 1e-30))));
  }
  return scores;
}

// What the metric says of one part of the rows.
struct Measured {
  double value = 0;
  std::optional<std::array<double, 2>> interval;
  std::optional<double> baseline, beside;
};

Measured MeasurePart(const Preparation& prepared, const Model& model, const Dataset& data,
                     const std::vector<float>& constant) {
  const Metric& metric = prepared.metric();
  const double unit = prepared.target().sd();
  const Matrix scores = Scores(model, data);
  Measured measured;
  measured.value = metric.measure(scores, data, unit);
  if (data.rows() == 0) return measured;
  measured.interval = IntervalOf(metric, measured.value, scores, data, unit);
  Matrix fixed(data.rows(), constant.size());
  for (size_t i = 0; i < data.rows(); ++i) {
    std::copy(constant.begin(), constant.end(), fixed.row(i));
  }
  measured.baseline = Defined(metric.measure(fixed, data, unit));
  if (!metric.beside.empty()) {
    const Metric& other = FindMetric(metric.beside, data.y.task);
    measured.beside = Defined(other.measure(scores, data, unit));
  }
  return measured;
}

}  // namespace

Assessment Assess(const Preparation& prepared, const Model& model) {
  const Problem& problem = prepared.problem();
  const Metric& metric = prepared.metric();
  const std::vector<float> constant = ConstantScores(problem.train, metric.baseline);
  NamedOnRows baseline, beside;
  baseline.name = NameOfConstant(metric.baseline);
  beside.name = metric.beside;
  Assessment all;
  const Measured valid = MeasurePart(prepared, model, problem.valid, constant);
  all.valid = valid.value;
  IntervalOnRows interval{.valid = valid.interval, .test = {}};
  baseline.valid = valid.baseline;
  beside.valid = valid.beside;
  if (prepared.summary().test > 0) {
    const Measured test = MeasurePart(prepared, model, prepared.TestRows(), constant);
    all.test = test.value;
    interval.test = test.interval;
    baseline.test = test.baseline;
    beside.test = test.beside;
  }
  all.evidence.interval = interval;
  all.evidence.baseline = std::move(baseline);
  if (!metric.beside.empty()) all.evidence.beside = std::move(beside);
  return all;
}

ByClass AssessByClass(const Preparation& prepared, const Model& model) {
  const bool test = prepared.summary().test > 0;
  const Dataset data = test ? prepared.TestRows() : prepared.problem().valid;
  if (!data.y.has_classes()) {
    throw DataError(FieldRef("by_class") + " is for classes, and the target '" +
                    prepared.target().name() + "' has values; leave it out");
  }
  const size_t classes = static_cast<size_t>(data.y.classes);
  const Matrix scores = Scores(model, data);
  ByClass all{.rows = test ? "test" : "validation", .classes = {}, .confusion = {}};
  all.confusion.assign(classes, std::vector<size_t>(classes));
  all.classes.resize(classes);
  for (size_t i = 0; i < data.rows(); ++i) {
    const float* row = scores.row(i);
    const size_t predicted = static_cast<size_t>(std::max_element(row, row + classes) - row);
    const size_t actual = static_cast<size_t>(data.y.index[i]);
    ++all.confusion[actual][predicted];
    ++all.classes[actual].rows;
    ++all.classes[predicted].predicted;
  }
  auto share = [](size_t part, size_t of) {
    return of == 0 ? std::nullopt
                   : std::optional(static_cast<double>(part) / static_cast<double>(of));
  };
  for (size_t c = 0; c < classes; ++c) {
    ClassResult& one = all.classes[c];
    one.name = prepared.target().classes()[c];
    const size_t right = all.confusion[c][c];
    one.precision = share(right, one.predicted);
    one.recall = share(right, one.rows);
    one.f1 = share(2 * right, one.rows + one.predicted);
  }
  return all;
}

}  // namespace slm
