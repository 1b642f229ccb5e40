// Kinds of synthetic sets whose target is a class.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "data/synthetic/synth_draft.h"

namespace slm {
namespace {

std::vector<double> RandomLabels(const SynthPlan& plan) {
  RandomStream random = plan.LabelStream();
  return MakeColumn(plan.rows,
                    [&](size_t) { return static_cast<double>(random.Below(plan.classes)); });
}

// Every class once in each run of as many rows as there are classes: with few rows, chance would
// make some of them rare.
std::vector<double> BalancedLabels(const SynthPlan& plan) {
  std::vector<double> labels(plan.rows);
  for (size_t begin = 0; begin < plan.rows; begin += plan.classes) {
    std::vector<size_t> order =
        ShuffledPlaces(plan.classes, plan.LabelStream().Substream(begin / plan.classes));
    for (size_t i = begin; i < std::min(begin + plan.classes, plan.rows); ++i) {
      labels[i] = static_cast<double>(order[i - begin]);
    }
  }
  return labels;
}

size_t ClassOf(const Draft& draft, size_t row) { return static_cast<size_t>(draft.target[row]); }

// The paper's label. With L = salient / 5, x uniform on [-1, 1], groups of L columns and e standard
// normal, y = [T1 + T2 + T3 + T4 + T5 + 0.2 e > 3], where
//   T1 = mean of exp(x)
//   T2 = exp(mean of |sin(2 pi x)|)
//   T3 = mean of -log(1.1 + x)
//   T4 = mean of x
//   T5 = 1 / (1 + mean of |tanh(x)|)
// As printed the sum has mean 3.87, so nearly all rows are positive; without the absolute value in
// T2 it has mean 2.98.
std::vector<double> PaperLabels(const SynthPlan& plan,
                                const std::vector<std::vector<double>>& columns) {
  const size_t group = plan.salient / 5;
  const bool printed = plan.form == PaperForm::kPrinted || plan.form == PaperForm::kPrintedMedian;
  const bool median =
      plan.form == PaperForm::kSignedMedian || plan.form == PaperForm::kPrintedMedian;
  using Term = double (*)(double);
  const std::array<Term, 5> terms = {
      [](double x) { return std::exp(x); },
      printed ? Term([](double x) { return std::abs(std::sin(2 * std::numbers::pi * x)); })
              : Term([](double x) { return std::sin(2 * std::numbers::pi * x); }),
      [](double x) { return -std::log(1.1 + x); }, [](double x) { return x; },
      [](double x) { return std::abs(std::tanh(x)); }};
  RandomStream noise = plan.LabelStream();
  std::vector<double> scores(plan.rows);
  for (size_t i = 0; i < plan.rows; ++i) {
    std::array<double, 5> means = {};
    for (size_t j = 0; j < plan.salient; ++j) {
      means[j / group] += terms[j / group](columns[j][i]) / static_cast<double>(group);
    }
    scores[i] = means[0] + std::exp(means[1]) + means[2] + means[3] + 1 / (1 + means[4]) +
                0.2 * noise.Normal();
  }
  double threshold = 3;
  if (median) {
    std::vector<double> sorted = scores;
    auto middle = sorted.begin() + static_cast<ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    threshold = *middle;
  }
  return MakeColumn(plan.rows, [&](size_t i) { return scores[i] > threshold ? 1 : 0; });
}

Draft Paper(const SynthPlan& plan) {
  CheckGroups(plan, 5, "the paper's set has five groups of salient columns");
  Draft draft;
  for (size_t j = 0; j < plan.features; ++j) draft.columns.push_back(UniformColumn(plan, j));
  draft.target = PaperLabels(plan, draft.columns);
  return draft;
}

// After Madelon (Guyon, NIPS 2003): a row belongs to one of 32 clusters, one at each vertex of the
// five-dimensional cube; half of the clusters, at random, are of class 1. Five columns are the
// vertex times 1.6 plus standard normal noise, the other salient ones are linear mixtures of these
// with normal coefficients of unit length, and the rest is standard normal. No column says anything
// alone.
Draft Madelon(const SynthPlan& plan) {
  constexpr size_t kDimensions = 5, kVertices = 1 << kDimensions;
  constexpr double kHalfEdge = 1.6;
  CheckLeast(plan, kDimensions, "madelon");
  RandomStream coefficients = plan.CoefficientStream();
  std::vector<int> vertex_label(kVertices);
  for (size_t v = 0; v < kVertices; ++v) vertex_label[v] = v < kVertices / 2 ? 0 : 1;
  coefficients.Shuffle(std::span(vertex_label));
  RandomStream rows = plan.LabelStream();
  std::vector<size_t> vertex(plan.rows);
  for (size_t& v : vertex) v = rows.Below(kVertices);

  Draft draft;
  for (size_t v : vertex) draft.target.push_back(vertex_label[v]);
  for (size_t j = 0; j < plan.features; ++j) {
    RandomStream random = plan.ColumnStream(j);
    if (j < kDimensions) {
      draft.columns.push_back(MakeColumn(plan.rows, [&](size_t i) {
        return ((vertex[i] >> j & 1) != 0 ? kHalfEdge : -kHalfEdge) + random.Normal();
      }));
    } else if (j < plan.salient) {
      std::array<double, kDimensions> mixture;
      double length = 0;
      for (double& c : mixture) {
        c = coefficients.Normal();
        length += c * c;
      }
      draft.columns.push_back(MakeColumn(plan.rows, [&](size_t i) {
        double sum = 0;
        for (size_t d = 0; d < kDimensions; ++d) sum += mixture[d] * draft.columns[d][i];
        return sum / std::sqrt(length);
      }));
    } else {
      draft.columns.push_back(NormalColumn(plan, j));
    }
  }
  return draft;
}

// Few rows, many columns in blocks of 25: column j is sqrt(0.6) b + sqrt(0.4) e with b shared by
// its block and e its own. A salient column, each in a block of its own while there are blocks,
// adds a shift for each class that is normal with standard deviation 0.8.
Draft Microarray(const SynthPlan& plan) {
  constexpr size_t kBlock = 25;
  constexpr double kShared = 0.6, kShift = 0.8;
  size_t blocks = std::max<size_t>(1, plan.features / kBlock);
  RandomStream coefficients = plan.CoefficientStream();
  Draft draft;
  draft.target = RandomLabels(plan);
  for (size_t j = 0; j < plan.features; ++j) {
    RandomStream own = plan.ColumnStream(j);
    RandomStream shared = plan.ColumnStream(plan.features + j % blocks);
    std::vector<double> shifts(plan.classes);
    if (j < plan.salient) {
      for (double& shift : shifts) shift = kShift * coefficients.Normal();
    }
    draft.columns.push_back(MakeColumn(plan.rows, [&](size_t i) {
      return std::sqrt(kShared) * shared.Normal() + std::sqrt(1 - kShared) * own.Normal() +
             shifts[ClassOf(draft, i)];
    }));
  }
  return draft;
}

// Normal draws moved and scaled to mean 0 and standard deviation 1; there are at least two.
std::vector<double> StandardisedNormals(size_t count, RandomStream* random) {
  std::vector<double> values(count);
  double mean = 0, square = 0;
  for (double& v : values) {
    v = random->Normal();
    mean += v / static_cast<double>(count);
  }
  for (double& v : values) {
    v -= mean;
    square += v * v / static_cast<double>(count);
  }
  for (double& v : values) v /= std::sqrt(square);
  return values;
}

// Few rows, many columns in blocks of 20, with load l uniform on [0.3, 0.9] of each column:
// z = l b + sqrt(1 - l^2) e, b shared by its block. The classes of a salient column have means that
// are random, but with mean 0 and standard deviation `shift` over the classes, so that each tells
// something alone. Skewed columns are exp(s z + c), s uniform on [0.5, 1.8] and c on [2, 8]; one
// cell of 200 is 3 to 30 times as large.
Draft BlockSet(const SynthPlan& plan, bool skewed) {
  constexpr size_t kBlock = 20;
  constexpr double kOutliers = 0.005;
  const size_t blocks = std::max<size_t>(1, plan.features / kBlock);
  const std::vector<size_t> places = ShuffledPlaces(plan.features, plan.OrderStream());
  Draft draft;
  draft.target = BalancedLabels(plan);
  for (size_t j = 0; j < plan.features; ++j) {
    RandomStream shape = plan.CoefficientStream().Substream(j);
    const double load = shape.Uniform(0.3, 0.9), spread = shape.Uniform(0.5, 1.8),
                 centre = shape.Uniform(2, 8);
    std::vector<double> means(plan.classes);
    if (j < plan.salient) means = StandardisedNormals(plan.classes, &shape);
    RandomStream own = plan.ColumnStream(j);
    RandomStream shared = plan.ColumnStream(plan.features + places[j] % blocks);
    draft.columns.push_back(MakeColumn(plan.rows, [&](size_t i) {
      const double z = load * shared.Normal() + std::sqrt(1 - load * load) * own.Normal() +
                       plan.shift * means[ClassOf(draft, i)];
      if (!skewed) return z;
      const double outlier = own.Uniform(), factor = own.Uniform(3, 30);
      return std::exp(spread * z + centre) * (outlier < kOutliers ? factor : 1);
    }));
  }
  return draft;
}

Draft Blocks(const SynthPlan& plan) { return BlockSet(plan, false); }
Draft SkewedBlocks(const SynthPlan& plan) { return BlockSet(plan, true); }

// Poisson by multiplying uniforms: fine for the small means of word counts.
double Poisson(double mean, RandomStream* random) {
  double limit = std::exp(-mean), product = random->Uniform();
  int count = 0;
  for (; product > limit; ++count) product *= random->Uniform();
  return count;
}

// Word counts: column j of a row of length factor l = exp(0.3 z) is Poisson with mean l r_j. Noise
// words follow Zipf, r_j = min(1, 4 / rank^0.8). A salient word has r_j = 0.1, times 2.5 in one
// class.
Draft WordCounts(const SynthPlan& plan) {
  Draft draft;
  draft.target = RandomLabels(plan);
  RandomStream lengths = plan.CoefficientStream();
  std::vector<double> length(plan.rows);
  for (double& l : length) l = std::exp(0.3 * lengths.Normal());
  for (size_t j = 0; j < plan.features; ++j) {
    RandomStream random = plan.ColumnStream(j);
    double rank = static_cast<double>(j) - static_cast<double>(plan.salient) + 1;
    double rate = j < plan.salient ? 0.1 : std::min(1.0, 4 / std::pow(rank, 0.8));
    draft.columns.push_back(MakeColumn(plan.rows, [&](size_t i) {
      bool own = j < plan.salient && ClassOf(draft, i) == j % plan.classes;
      return Poisson(length[i] * rate * (own ? 2.5 : 1.0), &random);
    }));
  }
  return draft;
}

// Interactions without marginal effects: x uniform on [-1, 1],
// y = [sum over pairs x_2p x_2p+1 > 0].
Draft Xor(const SynthPlan& plan) {
  CheckGroups(plan, 2, "xor pairs its salient columns");
  Draft draft;
  for (size_t j = 0; j < plan.features; ++j) draft.columns.push_back(UniformColumn(plan, j));
  for (size_t i = 0; i < plan.rows; ++i) {
    double sum = 0;
    for (size_t j = 0; j < plan.salient; j += 2) {
      sum += draft.columns[j][i] * draft.columns[j + 1][i];
    }
    draft.target.push_back(sum > 0 ? 1 : 0);
  }
  return draft;
}

// The class is the largest of linear scores of the salient columns with normal coefficients, plus
// half the scores' standard deviation of normal noise.
std::vector<double> LargestScore(const SynthPlan& plan, const Draft& draft) {
  constexpr double kScoreNoise = 0.5;
  RandomStream coefficients = plan.CoefficientStream();
  std::vector<double> weights(plan.classes * plan.salient);
  for (double& w : weights)
    w = coefficients.Normal() / std::sqrt(static_cast<double>(plan.salient));
  RandomStream noise = plan.LabelStream();
  std::vector<double> scores(plan.classes);
  return MakeColumn(plan.rows, [&](size_t i) {
    for (size_t c = 0; c < plan.classes; ++c) {
      scores[c] = kScoreNoise * noise.Normal();
      for (size_t j = 0; j < plan.salient; ++j) {
        scores[c] += weights[c * plan.salient + j] * draft.columns[j][i];
      }
    }
    return static_cast<double>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  });
}

// Redundancy: the salient columns are standard normal, and each has ten copies with normal noise of
// standard deviation 0.1; columns beyond these are standard normal.
Draft Redundant(const SynthPlan& plan) {
  constexpr size_t kCopies = 10;
  Draft draft = NormalWithCopies(plan, kCopies, [](size_t) { return 0.1; });
  draft.target = LargestScore(plan, draft);
  return draft;
}

// Redundancy to the letter: each salient column has 5 copies that are equal to it, and 15 with
// normal noise, whose standard deviation grows from 0.02 to 0.3.
Draft Copies(const SynthPlan& plan) {
  constexpr size_t kExact = 5, kNear = 15;
  Draft draft = NormalWithCopies(plan, kExact + kNear, [](size_t copy) {
    return copy < kExact ? 0 : 0.02 * static_cast<double>(copy - kExact + 1);
  });
  draft.target = LargestScore(plan, draft);
  return draft;
}

constexpr SynthEntry kClassKinds[] = {
    {{"blocks", "few rows, columns correlated in blocks, each salient alone", 100, 5000, 20, 2},
     Blocks,
     {.any_classes = true, .shift = 0.7}},
    {{"copies", "every salient column has five copies and fifteen near copies", 1000, 400, 8, 3},
     Copies,
     {.any_classes = true}},
    {{"madelon", "like Madelon: clusters on a cube, mixtures, noise", 2600, 500, 20, 2}, Madelon},
    {{"microarray", "like a microarray: few rows, correlated columns", 150, 5000, 20, 2},
     Microarray,
     {.any_classes = true}},
    {{"paper100", "the paper's set with 100 salient columns", 50000, 3000, 100, 2},
     Paper,
     {.has_form = true}},
    {{"paper300", "the paper's set with 300 salient columns", 20000, 3000, 300, 2},
     Paper,
     {.has_form = true}},
    {{"redundant", "every salient column has ten noisy copies", 2000, 220, 20, 4},
     Redundant,
     {.any_classes = true}},
    {{"skewed", "like blocks, with long tails and outliers", 72, 3000, 20, 2},
     SkewedBlocks,
     {.any_classes = true, .shift = 0.8}},
    {{"text", "word counts, a few words for each class", 2000, 4000, 60, 4},
     WordCounts,
     {.any_classes = true}},
    {{"xor", "interactions of pairs, no column matters alone", 4000, 206, 6, 2}, Xor},
};

}  // namespace

std::span<const SynthEntry> ClassKinds() { return kClassKinds; }

}  // namespace slm
