#include "targets/weights.h"

#include <cmath>

#include "slm/errors.h"

namespace slm {
namespace {

// The column of weights, null if there is none.
const Column* FindWeights(const Table& table, const std::string& name) {
  if (name.empty()) return nullptr;
  const Column& column = table.Find(name);
  if (column.type != ColumnType::kText) return &column;
  throw DataError("the weights '" + name + "' are text, such as '" +
                  (column.levels.empty() ? std::string() : column.levels[0]) +
                  "'; choose a numeric column");
}

}  // namespace

double WeightRule::Raw(const Table& table, const Column* column, size_t row, const Labels& labels,
                       size_t i) const {
  double weight = column == nullptr ? 1.0 : column->numbers[row];
  if (!(weight >= 0)) {
    throw DataError(table.Where(row) + ": the weight '" + column->name + "' is " +
                    (std::isnan(weight) ? "missing" : "negative") +
                    "; weights are 0 (the row does not count) or positive");
  }
  const std::vector<double>& of_classes = weighting_.class_weights;
  if (!of_classes.empty()) weight *= of_classes[static_cast<size_t>(labels.index[i])];
  return weight;
}

WeightRule WeightRule::Fit(const Table& table, std::span<const size_t> rows, const Labels& labels,
                           const std::string& column, bool balanced) {
  WeightRule rule;
  rule.weighting_.column = column;
  if (balanced && !labels.has_classes()) {
    throw DataError(FieldRef("class_weight") +
                    " balanced is for classes, and the target has values; leave it out, or set " +
                    FieldRef("task") + " classification");
  }
  const Column* weights = FindWeights(table, column);
  if (balanced) {
    std::vector<double> totals(static_cast<size_t>(labels.classes));
    for (size_t i = 0; i < rows.size(); ++i) {
      totals[static_cast<size_t>(labels.index[i])] += rule.Raw(table, weights, rows[i], labels, i);
    }
    for (double& total : totals) total = total > 0 ? 1 / total : 0.0;
    rule.weighting_.class_weights = std::move(totals);
  }
  double sum = 0;
  for (size_t i = 0; i < rows.size(); ++i) sum += rule.Raw(table, weights, rows[i], labels, i);
  if (!(sum > 0) || !std::isfinite(sum)) {
    throw DataError("the weights '" + column + "' of the training rows sum to " +
                    (sum > 0 ? "infinity" : "0") + "; choose another column of weights");
  }
  rule.weighting_.scale = static_cast<double>(rows.size()) / sum;
  return rule;
}

std::vector<float> WeightRule::Weights(const Table& table, std::span<const size_t> rows,
                                       const Labels& labels) const {
  if (weighting_.column.empty() && weighting_.class_weights.empty()) return {};
  const Column* column = FindWeights(table, weighting_.column);
  std::vector<float> weights;
  for (size_t i = 0; i < rows.size(); ++i) {
    weights.push_back(
        static_cast<float>(Raw(table, column, rows[i], labels, i) * weighting_.scale));
  }
  return weights;
}

}  // namespace slm
