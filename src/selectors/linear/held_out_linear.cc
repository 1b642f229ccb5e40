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

// Ridge regression from second moments: a set that begins with the base extends its factor.
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
    const std::vector<size_t> columns = layout_.ColumnsOf<size_t>(features);
    moments_.PrepareGram(columns);
    for (size_t c : columns) gram_[c] = moments_.Gram(c);
    base_features_.assign(features.begin(), features.end());
    base_ = {};
    Extend(base_, features);
  }

  Measure MeasureOf(std::span<const int> features, const Context&) const override {
    Factored factored;
    const size_t known = base_features_.size();
    if (features.size() >= known &&
        std::equal(base_features_.begin(), base_features_.end(), features.begin())) {
      factored = base_;
      Extend(factored, features.subspan(known));
    } else {
      Extend(factored, features);
    }
    const std::vector<size_t>& columns = factored.columns;
    std::vector<double> beta;
    double shift = moments_.output_mean(0);
    for (size_t c : columns) beta.push_back(moments_.Cross(0)[c]);
    factored.factor.Solve(beta.data());
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
  // Of the moments of columns that do not depend on those before.
  struct Factored {
    std::vector<size_t> columns;
    Cholesky factor;
  };

  void Extend(Factored& factored, std::span<const int> features) const {
    std::vector<double> row;
    for (size_t c : layout_.ColumnsOf<size_t>(features)) {
      row.clear();
      for (size_t other : factored.columns) row.push_back(Product(c, other));
      row.push_back(moments_.variance(c) + l2_);
      if (moments_.variance(c) > 0 && factored.factor.Append(row, kDependent)) {
        factored.columns.push_back(c);
      }
    }
  }

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
  std::vector<int> base_features_;
  Factored base_;
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
    std::vector<size_t> columns = layout_.ColumnsOf<size_t>(features);
    base_theta_ = Fit(columns, context);  // from those of the base before
    base_columns_ = std::move(columns);
  }

  Measure MeasureOf(std::span<const int> features, const Context& context) const override {
    const std::vector<size_t> columns = layout_.ColumnsOf<size_t>(features);
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
    if (!base_theta_.empty()) CarryOver(base_columns_, base_theta_, columns, theta);
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
  double total = 0;
  for (RowFold& fold : DealFolds(problem, options.folds, false, "sfs_folds")) {
    const Dataset& held = fold.held_out;
    double weight = 0;
    for (size_t i = 0; i < held.rows(); ++i) weight += held.RowWeight(i);
    shares_.push_back(weight);
    total += weight;
    if (problem.train.y.has_classes()) {
      folds_.push_back(
          std::make_unique<LogisticFold>(problem.layout, std::move(fold), options, *context.pool));
    } else {
      folds_.push_back(
          std::make_unique<RidgeFold>(problem.layout, std::move(fold), options.l2, *context.pool));
    }
  }
  for (double& share : shares_) share /= total;
}

void HeldOutLinear::SetBase(std::span<const int> features, const Context& context) {
  for (const std::unique_ptr<LinearFold>& fold : folds_) fold->SetBase(features, context);
}

Measure HeldOutLinear::MeasureOf(std::span<const int> features, const Context& context) const {
  Measure mean;
  for (size_t f = 0; f < folds_.size(); ++f) {
    const Measure one = folds_[f]->MeasureOf(features, context);
    mean.quality += shares_[f] * one.quality;
    mean.loss += shares_[f] * one.loss;
  }
  return mean;
}

}  // namespace slm
