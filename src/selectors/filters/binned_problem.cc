#include "selectors/filters/binned_problem.h"

#include <algorithm>
#include <numeric>

#include "base/options.h"
#include "base/thread_pool.h"
#include "selectors/filters/feature_values.h"

namespace slm {
namespace {

constexpr size_t kMostLevels = 256;

// Codes as bytes. The most frequent levels keep their own, the first among equals.
std::vector<uint8_t> ToBytes(std::span<const uint32_t> codes, size_t* levels) {
  std::vector<uint8_t> number(*levels, kMostLevels - 1);
  std::vector<uint32_t> counts(*levels), order(*levels);
  std::iota(order.begin(), order.end(), 0u);
  if (*levels > kMostLevels) {
    for (uint32_t code : codes) ++counts[code];
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return counts[a] > counts[b]; });
    order.resize(kMostLevels - 1);
    *levels = kMostLevels;
  }
  for (size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<uint8_t>(i);
  std::vector<uint8_t> bytes;
  bytes.reserve(codes.size());
  for (uint32_t code : codes) bytes.push_back(number[code]);
  return bytes;
}

std::vector<float> PositiveWeights(const Dataset& data) {
  std::vector<float> out;
  for (float w : data.weight) {
    if (w > 0) out.push_back(w);
  }
  return out;
}

}  // namespace

void DescribeOptions(BinOptions& options, OptionList& list) {
  list.Int("bins", &options.bins, 2, 256,
           "quantile bins for columns with more distinct values, in features and target");
}

BinnedProblem::BinnedProblem(const Problem& problem, const BinOptions& options,
                             const Context& context)
    : weights_(PositiveWeights(problem.train)),
      tables_(problem.train.rows(), weights_),
      features_(problem.layout.features()) {
  const FeatureColumns columns(problem);
  const size_t bins = static_cast<size_t>(options.bins);
  BinLabel(problem, columns.source_rows(), bins);
  context.pool->ParallelFor(features_.size(), [&](size_t j) {
    Feature& feature = features_[j];
    feature.codes.resize(columns.rows());
    if (!context.ShouldStop()) {
      FeatureValues values = columns.Feature(j, bins);
      for (std::span<const float> column : values.numbers) {
        values.levels = RefineCodes(values.codes, values.levels, QuantileBins(column, bins), bins);
      }
      feature.levels = values.levels;
      feature.codes = ToBytes(values.codes, &feature.levels);
    }
    const CountTables::Nested sums =
        tables_.SumNested(label_, 1, label_levels_, feature.codes, feature.levels);
    feature.sum = sums.outer;
    feature.sum_with_label = sums.all;
  });
}

void BinnedProblem::BinLabel(const Problem& problem, std::span<const uint32_t> rows, size_t bins) {
  const Labels& y = problem.train.y;
  if (y.has_classes()) {
    for (uint32_t row : rows) label_.push_back(static_cast<uint32_t>(y.index[row]));
    label_levels_ = static_cast<size_t>(y.classes);
  } else {
    std::vector<float> values;
    for (uint32_t row : rows) values.push_back(y.value[row]);
    label_ = ValueCodesUpTo(values, bins, &label_levels_);
    if (label_.empty()) {
      label_ = QuantileBins(values, bins);
      label_levels_ = bins;
    }
  }
  const std::vector<uint8_t> none(rows.size());
  label_sum_ = tables_.Sum(label_, label_levels_, std::span(none), 1);
}

double BinnedProblem::Relevance(size_t f) const {
  return std::max(0.0, Entropy(f) + LabelEntropy() - tables_.Entropy(features_[f].sum_with_label));
}

std::vector<uint32_t> BinnedProblem::Keys(size_t f) const {
  return {features_[f].codes.begin(), features_[f].codes.end()};
}

double BinnedProblem::JointEntropy(std::span<const uint32_t> keys_of_s, size_t s, size_t f) const {
  return tables_.Entropy(tables_.Sum(keys_of_s, features_[s].levels, std::span(features_[f].codes),
                                     features_[f].levels));
}

std::vector<uint32_t> BinnedProblem::KeysWithLabel(size_t f) const {
  std::vector<uint32_t> keys(label_.size());
  const uint32_t levels = static_cast<uint32_t>(label_levels_);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = features_[f].codes[i] * levels + label_[i];
  return keys;
}

double BinnedProblem::ConditionalRelevance(std::span<const uint32_t> keys_of_f, size_t f,
                                           size_t s) const {
  const Feature &own = features_[f], &given = features_[s];
  const CountTables::Nested sums =
      tables_.SumNested(keys_of_f, own.levels, label_levels_, given.codes, given.levels);
  // H(f, s) + H(y, s) - H(f, y, s) - H(s)
  return std::max(0.0,
                  (sums.all + given.sum - sums.outer - given.sum_with_label) / tables_.total());
}

}  // namespace slm
