#include "mask/objective.h"

#include <algorithm>

namespace slm {

BatchObjective::BatchObjective(const Problem& problem, std::span<const ValueCodes> codes,
                               const SlmOptions& options)
    : problem_(problem),
      codes_(codes),
      options_(options),
      loss_kind_(FindLoss(options.loss, problem.train.y)),
      loss_(loss_kind_.make()) {
  if (options.objective != Objective::kHsic) return;
  columns_ = ColumnSet::All(problem.layout.columns());
  column_scale_.resize(problem.layout.columns());
  d_column_scale_.resize(problem.layout.columns());
  d_argument_.resize(problem.layout.features());
}

double BatchObjective::Compute(std::span<const int32_t> rows, MatrixView<const float> scores,
                               const Mask& mask, MatrixView<float> d_scores,
                               std::span<float> d_weights) {
  std::fill(d_weights.begin(), d_weights.end(), 0.0f);
  loss_->Prepare(scores, problem_.train, rows);
  double value = loss_->task();
  const bool mi = options_.objective == Objective::kMi;
  const double error_weight = mi ? options_.alpha : 0;
  value += error_weight * loss_->error();
  d_predictions_.clear();
  if (UsesPairTerm(options_)) {
    const double pair_weight = options_.alpha * options_.rcs_weight;
    d_predictions_.resize(rows.size());
    value += pair_weight * pair_term_.Compute(codes_, mask.support(), rows, mask.weights(),
                                              loss_->predictions(), loss_->weights(),
                                              static_cast<size_t>(options_.rcs_block),
                                              d_predictions_, d_weights);
    const float factor = static_cast<float>(pair_weight);
    for (float& d : d_predictions_) d *= factor;
    for (float& d : d_weights) d *= factor;
  }
  loss_->Gradient(error_weight, d_predictions_, d_scores);
  if (options_.objective == Objective::kHsic) value += HsicTerm(rows, mask);
  return value;
}

double BatchObjective::HsicTerm(std::span<const int32_t> rows, const Mask& mask) {
  const FeatureLayout& layout = problem_.layout;
  if (x_.rows() < rows.size()) x_ = Matrix(rows.size(), columns_.size());
  problem_.train.x->Gather(rows, columns_, x_.view());
  auto each_column = [&](auto&& visit) {
    for (size_t j = 0; j < layout.features(); ++j) {
      for (int32_t c = layout.offsets[j]; c < layout.offsets[j + 1]; ++c) {
        visit(j, static_cast<size_t>(c));
      }
    }
  };
  each_column([&](size_t j, size_t c) { column_scale_[c] = mask.argument()[j]; });
  double hsic = hsic_.Compute({x_.data(), rows.size(), x_.cols(), x_.stride()}, column_scale_,
                              problem_.train.y, rows, loss_->weights(), d_column_scale_);
  std::fill(d_argument_.begin(), d_argument_.end(), 0.0f);
  const float factor = static_cast<float>(-options_.alpha);
  each_column([&](size_t j, size_t c) { d_argument_[j] += factor * d_column_scale_[c]; });
  return -options_.alpha * hsic;
}

}  // namespace slm
