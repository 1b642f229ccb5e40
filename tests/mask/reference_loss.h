#pragma once

// The whole loss of a batch in double, in plain loops, from mask argument and weights of the
// perceptron to one number:
//
//   loss = task + alpha (E + rcs_weight r_cs)    or    task - alpha HSIC
//
// It shares no code with the engine, and what it costs does not matter.

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "slm/options.h"
#include "slm/problem.h"
#include "tests/data/cells.h"
#include "tests/mask/reference_mask.h"

namespace slm {

using Grid = std::vector<std::vector<double>>;

struct ReferenceLayer {
  Grid w;                 // inputs x outputs
  std::vector<double> b;  // outputs
};

struct ReferenceLoss {
  const Problem* problem;
  const SlmOptions* options;
  Grid values;                // rows x features: rows are equal in a feature where these are
  std::vector<int32_t> rows;  // the batch
  size_t count;               // F
  std::optional<double> fixed_scale;  // of the mask; empty to let it follow the argument

  // Layers from the input to the output; the first has a row for every encoded column.
  double Compute(const std::vector<double>& v, const std::vector<ReferenceLayer>& layers) const {
    const ReferenceMask mask = MakeReferenceMask(v, count, options->mask_scale, fixed_scale);
    Grid scores;
    for (int32_t row : rows) scores.push_back(Scores(static_cast<size_t>(row), mask.p, layers));
    double sum_w = 0;
    for (size_t i = 0; i < rows.size(); ++i) sum_w += Weight(i);
    double task = 0, error = 0;
    std::vector<double> prediction(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const double share = Weight(i) / sum_w;
      if (problem->train.y.task == Task::kRegression) {
        const double y = problem->train.y.value[Row(i)];
        prediction[i] = scores[i][0];
        task += share * std::abs(scores[i][0] - y);
        error += share * (scores[i][0] - y) * (scores[i][0] - y);
      } else {
        const std::vector<double> r = Softmax(scores[i]);
        const size_t y = Class(i);
        prediction[i] = r[y];
        task -= share * std::log(r[y]);
        for (size_t c = 0; c < r.size(); ++c) {
          error += share * (c == y ? (1 - r[c]) * (1 - r[c]) : r[c] * r[c]);
        }
      }
    }
    if (options->objective == Objective::kTaskOnly) return task;
    if (options->objective == Objective::kHsic) return task - options->alpha * Hsic(v);
    return task + options->alpha * (error + options->rcs_weight * PairTerm(mask, prediction));
  }

 private:
  size_t Row(size_t i) const { return static_cast<size_t>(rows[i]); }
  size_t Class(size_t i) const { return static_cast<size_t>(problem->train.y.index[Row(i)]); }
  double Weight(size_t i) const {
    return problem->train.weight.empty() ? 1 : problem->train.weight[Row(i)];
  }

  static std::vector<double> Softmax(const std::vector<double>& z) {
    const double top = *std::max_element(z.begin(), z.end());
    std::vector<double> r;
    double sum = 0;
    for (double x : z) r.push_back(std::exp(x - top));
    for (double x : r) sum += x;
    for (double& x : r) x /= sum;
    return r;
  }

  std::vector<double> Scores(size_t row, const std::vector<double>& p,
                             const std::vector<ReferenceLayer>& layers) const {
    const FeatureLayout& layout = problem->layout;
    const double factor =
        options->mask_input == MaskInput::kLiteral ? 1 : static_cast<double>(count);
    std::vector<double> x(layout.columns());
    for (size_t j = 0; j < layout.features(); ++j) {
      for (int32_t c = layout.offsets[j]; c < layout.offsets[j + 1]; ++c) {
        const size_t column = static_cast<size_t>(c);
        x[column] = factor * p[j] * static_cast<double>(Cells(problem->train)(row, column));
      }
    }
    for (size_t l = 0; l < layers.size(); ++l) {
      std::vector<double> y = layers[l].b;
      for (size_t o = 0; o < y.size(); ++o) {
        for (size_t i = 0; i < x.size(); ++i) y[o] += x[i] * layers[l].w[i][o];
        if (l + 1 < layers.size()) y[o] = std::max(0.0, y[o]);
      }
      x = std::move(y);
    }
    return x;
  }

  double PairTerm(const ReferenceMask& mask, const std::vector<double>& r) const {
    if (options->rcs_weight == 0) return 0;
    const size_t block =
        options->rcs_block == 0 ? rows.size() : static_cast<size_t>(options->rcs_block);
    double value = 0, normaliser = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      for (size_t k = i + 1; k < rows.size(); ++k) {
        if (i / block != k / block) continue;
        double product = Weight(i) * Weight(k);
        normaliser += product;
        for (size_t j : mask.support) {
          if (values[Row(i)][j] != values[Row(k)][j]) product *= 1 - mask.p[j];
        }
        value += product * (r[i] - r[k]) * (r[i] - r[k]);
      }
    }
    return value / normaliser;
  }

  // sum_ik a_i a_k K_ik L'_ik / (1 - sum a^2)^2 with a the shares of the rows; L' is L with its
  // means under a taken away on both sides.
  double Hsic(const std::vector<double>& v) const {
    const size_t b = rows.size();
    const FeatureLayout& layout = problem->layout;
    std::vector<double> a(b), scale(layout.columns());
    double sum_w = 0, square = 0;
    for (size_t i = 0; i < b; ++i) sum_w += Weight(i);
    for (size_t i = 0; i < b; ++i) a[i] = Weight(i) / sum_w;
    for (double share : a) square += share * share;
    for (size_t j = 0; j < layout.features(); ++j) {
      for (int32_t c = layout.offsets[j]; c < layout.offsets[j + 1]; ++c) {
        scale[static_cast<size_t>(c)] = v[j];
      }
    }
    auto x = [&](size_t i, size_t c) {
      return scale[c] * static_cast<double>(Cells(problem->train)(Row(i), c));
    };
    double variance = 0;
    for (size_t c = 0; c < scale.size(); ++c) {
      double mean = 0;
      for (size_t i = 0; i < b; ++i) mean += a[i] * x(i, c);
      for (size_t i = 0; i < b; ++i) variance += a[i] * (x(i, c) - mean) * (x(i, c) - mean);
    }
    Grid inputs(b, std::vector<double>(b)), labels = inputs;
    const double label_variance = LabelVariance(a);
    for (size_t i = 0; i < b; ++i) {
      for (size_t k = 0; k < b; ++k) {
        double distance = 0;
        for (size_t c = 0; c < scale.size(); ++c) {
          distance += (x(i, c) - x(k, c)) * (x(i, c) - x(k, c));
        }
        inputs[i][k] = std::exp(-distance / (2 * variance));
        labels[i][k] = std::exp(-LabelDistance(i, k) / (2 * label_variance));
      }
    }
    std::vector<double> label_mean(b);
    double grand_mean = 0, value = 0;
    for (size_t i = 0; i < b; ++i) {
      for (size_t k = 0; k < b; ++k) label_mean[i] += a[k] * labels[i][k];
      grand_mean += a[i] * label_mean[i];
    }
    for (size_t i = 0; i < b; ++i) {
      for (size_t k = 0; k < b; ++k) {
        value += a[i] * a[k] * inputs[i][k] *
                 (labels[i][k] - label_mean[i] - label_mean[k] + grand_mean);
      }
    }
    return value / ((1 - square) * (1 - square));
  }

  double LabelVariance(const std::vector<double>& a) const {
    if (problem->train.y.task == Task::kRegression) return 1;
    std::vector<double> share(static_cast<size_t>(problem->train.y.classes));
    for (size_t i = 0; i < rows.size(); ++i) share[Class(i)] += a[i];
    double variance = 1;
    for (double s : share) variance -= s * s;
    return variance;
  }

  double LabelDistance(size_t i, size_t k) const {
    if (problem->train.y.task == Task::kClassification) return Class(i) == Class(k) ? 0 : 2;
    const double difference = static_cast<double>(problem->train.y.value[Row(i)]) -
                              static_cast<double>(problem->train.y.value[Row(k)]);
    return difference * difference;
  }
};

}  // namespace slm
