// Kinds of synthetic sets whose target is a value.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "data/synthetic/synth_draft.h"
#include "slm/errors.h"

namespace slm {
namespace {

// A coefficient for each salient column, of either sign and its size uniform on [low, high].
std::vector<double> SignedCoefficients(const SynthPlan& plan, double low, double high) {
  RandomStream random = plan.CoefficientStream();
  std::vector<double> weights(plan.salient);
  for (double& w : weights) {
    const double sign = random.Below(2) == 0 ? -1 : 1;
    w = sign * random.Uniform(low, high);
  }
  return weights;
}

double Dot(const Draft& draft, const std::vector<double>& weights, size_t row) {
  double sum = 0;
  for (size_t j = 0; j < weights.size(); ++j) sum += weights[j] * draft.columns[j][row];
  return sum;
}

// The sum of the salient columns by their weights, plus `noise` of its standard deviation of normal
// noise. correlation(a, b) is that of two columns, which have unit variance: the deviation is that
// of the function, not of the rows drawn.
template <class Correlation>
std::vector<double> NoisySum(const SynthPlan& plan, const Draft& draft,
                             const std::vector<double>& weights, double noise,
                             const Correlation& correlation) {
  double variance = 0;
  for (size_t a = 0; a < weights.size(); ++a) {
    for (size_t b = 0; b < weights.size(); ++b) {
      variance += weights[a] * weights[b] * (a == b ? 1 : correlation(a, b));
    }
  }
  RandomStream random = plan.LabelStream();
  return MakeColumn(plan.rows, [&](size_t i) {
    return Dot(draft, weights, i) + noise * std::sqrt(variance) * random.Normal();
  });
}

// Linear: the columns are a chain in a random order, each 0.6 times the one before it plus noise;
// the salient ones have coefficients of size 0.3 to 1.5, and half of the sum's deviation is noise.
Draft Linear(const SynthPlan& plan) {
  constexpr double kStep = 0.6;
  const std::vector<size_t> place = ShuffledPlaces(plan.features, plan.OrderStream());
  std::vector<size_t> column(plan.features);  // at each place of the chain
  for (size_t j = 0; j < plan.features; ++j) column[place[j]] = j;
  Draft draft;
  draft.columns.resize(plan.features);
  for (size_t p = 0; p < plan.features; ++p) {
    std::vector<double>& x = draft.columns[column[p]];
    x = NormalColumn(plan, column[p]);
    if (p == 0) continue;
    const std::vector<double>& before = draft.columns[column[p - 1]];
    x = MakeColumn(plan.rows, [&](size_t i) {
      return kStep * before[i] + std::sqrt(1 - kStep * kStep) * x[i];
    });
  }
  draft.target =
      NoisySum(plan, draft, SignedCoefficients(plan, 0.3, 1.5), 0.5, [&](size_t a, size_t b) {
        const size_t steps = place[a] > place[b] ? place[a] - place[b] : place[b] - place[a];
        return std::pow(kStep, static_cast<double>(steps));
      });
  return draft;
}

// Few rows, many columns in blocks of 25: sqrt(0.5) b + sqrt(0.5) e with b shared by the block. The
// salient ones, in random blocks, have coefficients of size 0.5 to 1.5, and the noise has 0.4 of
// the sum's deviation.
Draft Wide(const SynthPlan& plan) {
  constexpr size_t kBlock = 25;
  constexpr double kShared = 0.5;
  const size_t blocks = std::max<size_t>(1, plan.features / kBlock);
  const std::vector<size_t> places = ShuffledPlaces(plan.features, plan.OrderStream());
  Draft draft;
  for (size_t j = 0; j < plan.features; ++j) {
    RandomStream own = plan.ColumnStream(j);
    RandomStream shared = plan.ColumnStream(plan.features + places[j] % blocks);
    draft.columns.push_back(MakeColumn(plan.rows, [&](size_t) {
      return std::sqrt(kShared) * shared.Normal() + std::sqrt(1 - kShared) * own.Normal();
    }));
  }
  draft.target = NoisySum(
      plan, draft, SignedCoefficients(plan, 0.5, 1.5), 0.4,
      [&](size_t a, size_t b) { return places[a] % blocks == places[b] % blocks ? kShared : 0; });
  return draft;
}

// Friedman's first function (Multivariate Adaptive Regression Splines, Annals of Statistics 1991):
// x uniform on [0, 1], y = 10 sin(pi x0 x1) + 20 (x2 - 0.5)^2 + 10 x3 + 5 x4 + e, e standard
// normal.
Draft Friedman(const SynthPlan& plan) {
  if (plan.salient != 5) {
    throw UsageError("friedman is a function of 5 columns, so " + FieldRef("salient") +
                     " can only be 5");
  }
  Draft draft;
  for (size_t j = 0; j < plan.features; ++j) draft.columns.push_back(UniformColumn(plan, j, 0, 1));
  RandomStream noise = plan.LabelStream();
  const auto& x = draft.columns;
  draft.target = MakeColumn(plan.rows, [&](size_t i) {
    return 10 * std::sin(std::numbers::pi * x[0][i] * x[1][i]) +
           20 * (x[2][i] - 0.5) * (x[2][i] - 0.5) + 10 * x[3][i] + 5 * x[4][i] + noise.Normal();
  });
  return draft;
}

// Interactions without marginal effects: x uniform on [-1, 1], y = 3 times the sum over pairs
// x_2p x_2p+1, but 2 times the last, plus normal noise of standard deviation 0.2.
Draft Products(const SynthPlan& plan) {
  CheckGroups(plan, 2, "products pairs its salient columns");
  Draft draft;
  for (size_t j = 0; j < plan.features; ++j) draft.columns.push_back(UniformColumn(plan, j));
  RandomStream noise = plan.LabelStream();
  draft.target = MakeColumn(plan.rows, [&](size_t i) {
    double sum = 0.2 * noise.Normal();
    for (size_t j = 0; j < plan.salient; j += 2) {
      sum += (j + 2 == plan.salient ? 2 : 3) * draft.columns[j][i] * draft.columns[j + 1][i];
    }
    return sum;
  });
  return draft;
}

// A target with a long tail: x standard normal, y = exp(0.8 f) + 0.3 t, f the sum of all salient
// columns but the last by weights uniform on [0.3, 0.8] plus 0.7 times the size of the last, and t
// of Student's distribution with three degrees of freedom.
Draft HeavyTail(const SynthPlan& plan) {
  constexpr int kDegrees = 3;
  CheckLeast(plan, 2, "heavy-tail");
  Draft draft;
  for (size_t j = 0; j < plan.features; ++j) draft.columns.push_back(NormalColumn(plan, j));
  RandomStream coefficients = plan.CoefficientStream(), noise = plan.LabelStream();
  std::vector<double> weights(plan.salient - 1);
  for (double& w : weights) w = coefficients.Uniform(0.3, 0.8);
  draft.target = MakeColumn(plan.rows, [&](size_t i) {
    const double f = Dot(draft, weights, i) + 0.7 * std::abs(draft.columns[plan.salient - 1][i]);
    const double normal = noise.Normal();
    double square = 0;
    for (int d = 0; d < kDegrees; ++d) square += std::pow(noise.Normal(), 2) / kDegrees;
    return std::exp(0.8 * f) + 0.3 * normal / std::sqrt(square);
  });
  return draft;
}

// Redundancy: each salient column has eight copies with normal noise of standard deviation 0.15. y
// is their sum by weights uniform on [0.3, 1.2], plus max(x0, x1) + 0.5 x2 x3, plus 0.4 of its
// deviation of normal noise.
Draft ValueCopies(const SynthPlan& plan) {
  CheckLeast(plan, 4, "value-copies");
  Draft draft = NormalWithCopies(plan, 8, [](size_t) { return 0.15; });
  RandomStream coefficients = plan.CoefficientStream(), noise = plan.LabelStream();
  std::vector<double> weights(plan.salient);
  for (double& w : weights) w = coefficients.Uniform(0.3, 1.2);
  // max(x0, x1) has variance 1 - 1 / pi and covariance 1/2 with x0 and with x1; the product has
  // variance 1 and no covariance with the others.
  double variance = weights[0] + weights[1] + 1 - 1 / std::numbers::pi + 0.25;
  for (double w : weights) variance += w * w;
  const auto& x = draft.columns;
  draft.target = MakeColumn(plan.rows, [&](size_t i) {
    return Dot(draft, weights, i) + std::max(x[0][i], x[1][i]) + 0.5 * x[2][i] * x[3][i] +
           0.4 * std::sqrt(variance) * noise.Normal();
  });
  return draft;
}

constexpr SynthEntry kValueKinds[] = {
    {{"friedman", "Friedman's first function of five columns", 1000, 100, 5, 0}, Friedman},
    {{"heavy-tail", "an exponential of a sum, with heavy-tailed noise", 1000, 100, 11, 0},
     HeavyTail},
    {{"linear", "a sum of a few of many correlated columns", 1000, 200, 15, 0}, Linear},
    {{"products", "products of pairs, no column matters alone", 1500, 60, 6, 0}, Products},
    {{"value-copies", "every salient column has eight noisy copies", 1000, 200, 15, 0},
     ValueCopies},
    {{"wide", "few rows, a sum of a few columns correlated in blocks", 350, 1000, 12, 0}, Wide},
};

}  // namespace

std::span<const SynthEntry> ValueKinds() { return kValueKinds; }

}  // namespace slm
