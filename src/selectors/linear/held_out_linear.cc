#include "selectors/linear/held_out_linear.h"

#include <algorithm>
#include <utility>

#include "numerics/cholesky.h"
#include "numerics/logistic.h"
#include "numerics/moments.h"
#include "selectors/row_folds.h"
#include "targets/losses.h"

namespace slm {
namespace {

std::vector<size_t> ColumnsOfFeatures(const FeatureLayout& layout, std::span<const int> features) {
  std::vector<size_t> columns;
  for (int j : features) {
    for (int32_t c = layout.offsets[static_cast<size_t>(j)];
         c < layout.offsets[static_cast<size_t>(j) + 1]; ++c) {
      columns.push_back(static_cast<size_t>(c));
    }
  }
  return columns;
}

// Ridge regression from second moments: a set costs a factor of as many rows as it has columns.
class RidgeFold : public LinearFold {
 public:
  RidgeFold(const FeatureLayout& layout, RowFold fold, double l2, ThreadPool& pool)
      : layout_(layout),
        learn_(std::move(fold.learn)),
        held_(std::move(fold.held_out)),
        l2_(l2),
        moments_(learn_, pool),
        blocks_(moments_.Blocks(layout.offsets)),
        gram_(moments_.columns()),
        feature_of_(moments_.columns()) {
    for (size_t j = 0; j < layout.features(); ++j) {
      for (int32_t c = layout.offsets[j]; c < layout.offsets[j + 1]; ++c) {
        feature_of_[static_cast<size_t>(c)] = j;
      }
    }
  }

  void SetBase(std::span<const int> features, const Context&) override {
    const std::vector<size_t> columns = ColumnsOfFeatures(layout_, features);
    moments_.PrepareGram(columns);
    for (size_t c : columns) gram_[c] = moments_.Gram(c);
  }

  Measure MeasureOf(std::span<const int> features, const Context&) const override {
    std::vector<size_t> columns;
    std::vector<double> beta, row;
    Cholesky factor;
    for (size_t c : ColumnsOfFeatures(layout_, features)) {
      row.clear();
      for (size_t other : columns) row.push_back(Product(c, other));
      row.push_back(moments_.variance(c) + l2_);
      if (moments_.variance(c) > 0 && factor.Append(row, kDependent)) columns.push_back(c);
    }
    double shift = moments_.output_mean(0);
    for (size_t c : columns) beta.push_back(moments_.Cross(0)[c]);
    factor.Solve(beta.data());
    for (size_t a = 0; a < columns.size(); ++a) shift -= beta[a] * moments_.mean(columns[a]);
    const MatrixView<const float> x = held_.x->InMemory();
    Matrix scores(held_.rows(), 1);
    for (size_t i = 0; i < x.rows; ++i) {
      double score = shift;
      for (size_t a = 0; a < columns.size(); ++a) score += beta[a] * x(i, columns[a]);
      scores(i, 0) = static_cast<float>(score);
    }
    return MeasureForChoice(scores, held_, DefaultLoss(held_.y));
  }

 private:
  // Sum over rows of w (x_a - mean_a) (x_b - mean_b), for columns of which one is in the base, or
  // both are of one feature.
  double Product(size_t a, size_t b) const {
    if (gram_[b] != nullptr) return gram_[b][a];
    if (gram_[a] != nullptr) return gram_[a][b];
    const size_t j = feature_of_[a];
    const size_t begin = static_cast<size_t>(layout_.offsets[j]);
    const size_t width = static_cast<size_t>(layout_.offsets[j + 1]) - begin;
    return blocks_[j][(a - begin) * width + (b - begin)];
  }

  const FeatureLayout& layout_;
  const Dataset learn_, held_;
  const double l2_;
  Moments moments_;
  const std::vector<std::vector<double>> blocks_;  // of features of several columns
  std::vector<const double*> gram_;                // rows of columns that were in a base
  std::vector<size_t> feature_of_;                 // of each column
};

// Logistic regression, begun from the coefficients of the base.
class LogisticFold : public LinearFold {
 public:
  LogisticFold(const FeatureLayout& layout, RowFold fold, const HeldOutOptions& options,
               ThreadPool& pool)
      : layout_(layout),
        learn_(std::move(fold.learn)),
        held_(std::move(fold.held_out)),
        options_(options),
        pool_(pool) {}

  void SetBase(std::span<const int> features, const Context& context) override {
    std::vector<size_t> columns = ColumnsOfFeatures(layout_, features);
    base_theta_ = Fit(columns, context);  // from those of the base before
    base_columns_ = std::move(columns);
  }

  Measure MeasureOf(std::span<const int> features, const Context& context) const override {
    const std::vector<size_t> columns = ColumnsOfFeatures(layout_, features);
    const std::vector<double> theta = Fit(columns, context);
    const size_t logits = theta.size() / (columns.size() + 1);
    const MatrixView<const float> x = held_.x->InMemory();
    Matrix scores(held_.rows(), held_.y.outputs());
    for (size_t i = 0; i < x.rows; ++i) {
      for (size_t o = 0; o < logits; ++o) {
        double score = theta[columns.size() * logits + o];
        for (size_t a = 0; a < columns.size(); ++a) {
          score += theta[a * logits + o] * x(i, columns[a]);
        }
        // The one logit of two classes is that of the second.
        scores(i, logits == 1 ? 1 : o) = static_cast<float>(score);
      }
    }
    return MeasureForChoice(scores, held_, DefaultLoss(held_.y));
  }

 private:
  std::vector<double> Fit(const std::vector<size_t>& columns, const Context& context) const {
    Logistic model(learn_, columns, pool_);
    std::vector<double> theta(model.parameters());
    const size_t logits = model.logits();
    if (!base_theta_.empty()) {
      for (size_t a = 0; a < columns.size(); ++a) {
        const auto at = std::find(base_columns_.begin(), base_columns_.end(), columns[a]);
        if (at == base_columns_.end()) continue;
        const size_t from = static_cast<size_t>(at - base_columns_.begin());
        std::copy_n(base_theta_.begin() + static_cast<std::ptrdiff_t>(from * logits), logits,
                    theta.begin() + static_cast<std::ptrdiff_t>(a * logits));
      }
      std::copy_n(base_theta_.end() - static_cast<std::ptrdiff_t>(logits), logits,
                  theta.end() - static_cast<std::ptrdiff_t>(logits));
    }
    model.Fit(theta,
              {.l2 = options_.l2, .tolerance = options_.tolerance, .max_steps = options_.max_steps},
              context);
    return theta;
  }

  const FeatureLayout& layout_;
  const Dataset learn_, held_;
  const HeldOutOptions options_;
  ThreadPool& pool_;
  std::vector<size_t> base_columns_;
  std::vector<double> base_theta_;
};

}  // namespace

HeldOutLinear::HeldOutLinear(const Problem& problem, const HeldOutOptions& options,
                             const Context& context) {
  for (RowFold& fold : DealFolds(problem, options.folds, false, "sfs_folds")) {
    if (problem.train.y.has_classes()) {
      folds_.push_back(
          std::make_unique<LogisticFold>(problem.layout, std::move(fold), options, *context.pool));
    } else {
      folds_.push_back(
          std::make_unique<RidgeFold>(problem.layout, std::move(fold), options.l2, *context.pool));
    }
  }
}

void HeldOutLinear::SetBase(std::span<const int> features, const Context& context) {
  for (const std::unique_ptr<LinearFold>& fold : folds_) fold->SetBase(features, context);
}

Measure HeldOutLinear::MeasureOf(std::span<const int> features, const Context& context) const {
  Measure mean;
  for (const std::unique_ptr<LinearFold>& fold : folds_) {
    const Measure one = fold->MeasureOf(features, context);
    mean.quality += one.quality / static_cast<double>(folds_.size());
    mean.loss += one.loss / static_cast<double>(folds_.size());
  }
  return mean;
}

}  // namespace slm
