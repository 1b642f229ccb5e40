#include "selectors/linear/folded_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/stop_check.h"
#include "kernels/products.h"

namespace slm {
namespace {

constexpr int kMostBlockSweeps = 20000;
constexpr int kMostParabolas = 2000;
constexpr size_t kKeptGram = size_t{256} << 20;  // bytes of rows that are not needed now

double NormOf(std::span<const double> values) {
  return std::sqrt(Dot(values.data(), values.data(), values.size()));
}

// No less than the largest eigenvalue of a symmetric n x n matrix without negative ones.
double EigenvalueBound(std::span<const double> matrix, size_t n) {
  double frobenius = NormOf(matrix), rows = 0;
  for (size_t a = 0; a < n; ++a) {
    double sum = 0;
    for (size_t b = 0; b < n; ++b) sum += std::abs(matrix[a * n + b]);
    rows = std::max(rows, sum);
  }
  return std::min(frobenius, rows);
}

}  // namespace

FoldedModel::FoldedModel(const Problem& problem, const FoldedPenalty& penalty, double tolerance,
                         const Context& context)
    : data_(problem.train),
      layout_(problem.layout),
      penalty_(penalty),
      pool_(*context.pool),
      moments_(problem.train, *context.pool),
      outputs_(problem.train.y.classes > 2 ? problem.train.y.outputs() : 1),
      beta_(layout_.columns() * outputs_),
      intercepts_(outputs_),
      gradient_(moments_.stride() * outputs_) {
  MeasureFeatures();
  if (data_.y.has_values()) {
    enough_ = tolerance * moments_.total() / moments_.weight();
    RateValues();
  } else {
    Logistic none(data_, {}, pool_);
    none.Fit(intercepts_, {.tolerance = 1e-14}, context);
    enough_ = tolerance * none.Forward(intercepts_, context) / none.weight();
    if (context.ShouldStop()) return;
    steepest_ = outputs_ == 1 ? 0.25 : 0.5;
    unit_ = 1e-3 * steepest_;  // for labels that are almost all the same
    for (size_t o = 0; o < outputs_; ++o) {
      const double p = none.probabilities()[o];  // the same in every row
      unit_ = std::max(unit_, p * (1 - p));
    }
    RateClasses(none);
  }
  for (double entry : Entries()) lambda_ = std::max(lambda_, entry);
}

void FoldedModel::MeasureFeatures() {
  const std::vector<std::vector<double>> blocks = moments_.Blocks(layout_.offsets);
  for (size_t j = 0; j < layout_.features(); ++j) {
    const size_t begin = static_cast<size_t>(layout_.offsets[j]);
    const size_t width = static_cast<size_t>(layout_.offsets[j + 1]) - begin;
    double variance = 0;
    for (size_t c = 0; c < width; ++c) variance += moments_.variance(begin + c);
    const double bound = width == 1 ? variance : EigenvalueBound(blocks[j], width);
    variance_.push_back(bound / moments_.weight());
    factor_.push_back(width == 1 ? 1 : std::sqrt(variance / moments_.weight()));
  }
}

std::vector<double> FoldedModel::Norms() const {
  std::vector<double> norms;
  for (size_t j = 0; j < layout_.features(); ++j) {
    const size_t begin = static_cast<size_t>(layout_.offsets[j]) * outputs_;
    const size_t end = static_cast<size_t>(layout_.offsets[j + 1]) * outputs_;
    norms.push_back(NormOf(std::span(beta_).subspan(begin, end - begin)));
  }
  return norms;
}

std::vector<double> FoldedModel::Entries() const {
  std::vector<double> entries;
  for (size_t j = 0; j < layout_.features(); ++j) {
    double squares = 0;
    for (size_t o = 0; o < outputs_; ++o) {
      for (int32_t c = layout_.offsets[j]; c < layout_.offsets[j + 1]; ++c) {
        const double g = gradient_[o * moments_.stride() + static_cast<size_t>(c)];
        squares += g * g;
      }
    }
    // Columns that do not vary never enter.
    entries.push_back(variance_[j] > 0 ? std::sqrt(squares) / factor_[j] : 0);
  }
  return entries;
}

FoldedModel::Working FoldedModel::Gather(std::span<const size_t> features) {
  Working on;
  on.features.assign(features.begin(), features.end());
  on.columns = layout_.ColumnsOf<size_t>(features);
  for (size_t j : features) {
    const int32_t width = layout_.offsets[j + 1] - layout_.offsets[j];
    on.offsets.push_back(on.offsets.back() + static_cast<size_t>(width));
  }
  moments_.PrepareGram(on.columns, kKeptGram);
  on.gram.reserve(on.columns.size() * on.columns.size());
  for (size_t c : on.columns) {
    const double* row = moments_.Gram(c);
    for (size_t other : on.columns) on.gram.push_back(row[other] / moments_.weight());
  }
  return on;
}

double FoldedModel::Penalty(const Working& on, double lambda, std::span<const double> beta) const {
  double sum = 0;
  for (size_t f = 0; f < on.features.size(); ++f) {
    const size_t j = on.features[f];
    const size_t begin = on.offsets[f] * outputs_, end = on.offsets[f + 1] * outputs_;
    const double norm = NormOf(beta.subspan(begin, end - begin));
    if (norm > 0) sum += penalty_.Value(norm, curvature(j), lambda * factor_[j]);
  }
  return sum;
}

// Minimises the parabola of a curvature in each output whose gradient at beta (working columns x
// outputs) is `gradient` (outputs x working columns), plus the penalty; both move along.
void FoldedModel::Descend(const Working& on, double lambda, double steepness,
                          std::span<double> beta, std::span<double> gradient,
                          const Context& context) const {
  const size_t n = on.columns.size();
  std::vector<double> next;
  for (int sweep = 0; sweep < kMostBlockSweeps && !context.ShouldStop(); ++sweep) {
    double most = 0;  // gain of a feature
    for (size_t f = 0; f < on.features.size(); ++f) {
      const size_t j = on.features[f];
      const double step = steepness * variance_[j];
      if (!(step > 0)) continue;
      next.clear();
      for (size_t a = on.offsets[f]; a < on.offsets[f + 1]; ++a) {
        for (size_t o = 0; o < outputs_; ++o) {
          next.push_back(beta[a * outputs_ + o] - gradient[o * n + a] / step);
        }
      }
      const double norm = NormOf(next);
      const double scale =
          norm > 0 ? penalty_.Prox(norm, step, curvature(j), lambda * factor_[j]) / norm : 0;
      double squares = 0;
      for (size_t a = on.offsets[f], i = 0; a < on.offsets[f + 1]; ++a) {
        for (size_t o = 0; o < outputs_; ++o, ++i) {
          double& own = beta[a * outputs_ + o];
          const double move = scale * next[i] - own;
          if (move == 0) continue;
          own += move;
          squares += move * move;
          AddScaled(steepness * move, on.gram.data() + a * n, gradient.data() + o * n, n);
        }
      }
      most = std::max(most, step * squares);
    }
    if (most <= enough_) break;
  }
}

void FoldedModel::SolveValues(const Working& on, double lambda, const Context& context) {
  std::vector<double> beta, gradient;
  for (size_t c : on.columns) {
    beta.push_back(beta_[c]);
    gradient.push_back(gradient_[c]);
  }
  Descend(on, lambda, 1, beta, gradient, context);
  for (size_t a = 0; a < on.columns.size(); ++a) beta_[on.columns[a]] = beta[a];
  RateValues();
}

// Derivatives from scratch, so that rounding does not add up along a path.
void FoldedModel::RateValues() {
  gradient_.assign(moments_.Cross(0), moments_.Cross(0) + moments_.stride());
  for (double& g : gradient_) g = -g / moments_.weight();
  for (size_t c = 0; c < beta_.size(); ++c) {
    if (beta_[c] == 0) continue;
    AddScaled(beta_[c] / moments_.weight(), moments_.Gram(c), gradient_.data(), gradient_.size());
  }
}

void FoldedModel::SolveClasses(const Working& on, double lambda, const Context& context) {
  Logistic model(data_, on.columns, pool_);
  const size_t n = on.columns.size(), penalised = n * outputs_;
  const double scale = 1 / model.weight();
  std::vector<double> theta;  // coefficients, then intercepts
  for (size_t c : on.columns) {
    for (size_t o = 0; o < outputs_; ++o) theta.push_back(beta_[c * outputs_ + o]);
  }
  theta.insert(theta.end(), intercepts_.begin(), intercepts_.end());
  const auto loss_at = [&](std::span<const double> at) {
    return scale * model.Forward(at, context);
  };
  const auto penalty_at = [&](std::span<const double> at) {
    return Penalty(on, lambda, at.first(penalised));
  };
  std::vector<double> slopes(theta.size()), level(outputs_), gradient(penalised), end, next;
  std::vector<double> start = theta, last = theta;
  double loss = loss_at(start), value = loss + penalty_at(start);
  double steepness = unit_;
  double pace = 1;  // of Nesterov's momentum, begun anew wherever the objective would rise
  for (int step = 0; step < kMostParabolas && !context.ShouldStop(); ++step) {
    model.Gradient(slopes);
    // The moments are about the means: there the intercepts part from the coefficients.
    for (size_t o = 0; o < outputs_; ++o) {
      level[o] = scale * slopes[penalised + o];
      for (size_t a = 0; a < n; ++a) {
        gradient[o * n + a] =
            scale * slopes[a * outputs_ + o] - moments_.mean(on.columns[a]) * level[o];
      }
    }
    double after = 0;
    for (bool enough = false; !enough && !context.ShouldStop();) {
      next = start;
      end = gradient;
      Descend(on, lambda, steepness, std::span(next).first(penalised), end, context);
      if (context.ShouldStop()) break;
      double parabola = loss;
      for (size_t o = 0; o < outputs_; ++o) {
        double intercept = -level[o] / steepness;
        parabola += intercept * level[o] / 2;
        for (size_t a = 0; a < n; ++a) {
          const double move = next[a * outputs_ + o] - start[a * outputs_ + o];
          parabola += move * (gradient[o * n + a] + end[o * n + a]) / 2;
          intercept -= moments_.mean(on.columns[a]) * move;
        }
        next[penalised + o] += intercept;
      }
      after = loss_at(next);
      // Below the rounding of the loss it cannot be told which is lower.
      enough = steepness >= steepest_ || after <= parabola + 1e-14 * std::abs(loss);
      if (!enough) steepness = std::min(2 * steepness, steepest_);
    }
    if (context.ShouldStop()) break;
    const double after_value = after + penalty_at(next);
    if (after_value <= value) {
      const bool slow = value - after_value <= enough_, done = slow && pace == 1;
      last = std::exchange(theta, next);
      value = after_value;
      if (done) break;
      const double faster = (1 + std::sqrt(1 + 4 * pace * pace)) / 2;
      const double momentum = slow ? 0 : (pace - 1) / faster;
      pace = slow ? 1 : faster;  // a plain step has the last word
      for (size_t i = 0; i < theta.size(); ++i) {
        start[i] = theta[i] + momentum * (theta[i] - last[i]);
      }
    } else {
      if (pace == 1) break;  // below the rounding of the objective
      start = theta;
      pace = 1;
    }
    loss = loss_at(start);
    steepness = std::max(unit_, 0.8 * steepness);
  }
  for (size_t a = 0; a < n; ++a) {
    std::copy_n(theta.begin() + static_cast<std::ptrdiff_t>(a * outputs_), outputs_,
                beta_.begin() + static_cast<std::ptrdiff_t>(on.columns[a] * outputs_));
  }
  std::copy(theta.begin() + static_cast<std::ptrdiff_t>(penalised), theta.end(),
            intercepts_.begin());
  model.Forward(theta, context);
  if (!context.ShouldStop()) RateClasses(model);  // nobody asks for the slopes of a path's end
}

// From the residuals of a model's last forward pass.
void FoldedModel::RateClasses(const Logistic& model) {
  const std::vector<double> products =
      TransposedProduct(*data_.x, model.residuals().data(), outputs_, pool_);
  for (size_t o = 0; o < outputs_; ++o) {
    double level = 0;
    for (size_t i = 0; i < data_.rows(); ++i) level += model.residuals()[i * outputs_ + o];
    const size_t begin = o * moments_.stride();
    for (size_t c = 0; c < layout_.columns(); ++c) {
      gradient_[begin + c] = (products[begin + c] - moments_.mean(c) * level) / model.weight();
    }
  }
}

void FoldedModel::Solve(double lambda, const Context& context) {
  // The strong rule (Tibshirani et al. 2012), then a check.
  const double strong = std::min(lambda, 2 * lambda - lambda_);
  std::vector<double> entries = Entries(), norms = Norms();
  std::vector<bool> in(entries.size());
  for (size_t j = 0; j < in.size(); ++j) in[j] = norms[j] > 0 || entries[j] >= strong;
  for (bool complete = false; !complete && !context.ShouldStop();) {
    std::vector<size_t> features;
    for (size_t j = 0; j < in.size(); ++j) {
      if (in[j]) features.push_back(j);
    }
    Working on;
    if (!EndsInTime(context, [&] { on = Gather(features); })) return;
    if (data_.y.has_values()) {
      SolveValues(on, lambda, context);
    } else {
      SolveClasses(on, lambda, context);
    }
    entries = Entries();
    complete = true;
    for (size_t j = 0; j < in.size(); ++j) {
      if (in[j] || entries[j] <= lambda) continue;
      in[j] = true;
      complete = false;
    }
  }
  lambda_ = lambda;
}

}  // namespace slm
