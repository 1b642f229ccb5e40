#include "data/synth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/options.h"
#include "base/random.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr uint64_t kSynthStream = 0x5e7;

// A set before it is named and shuffled: the salient columns are the first.
struct Draft {
  std::vector<std::vector<double>> columns;
  std::vector<int> labels;
};

// The sizes of a set with its defaults filled in, and its random streams.
struct Plan {
  size_t rows, features, salient, classes;
  PaperForm form;
  RandomStream random;

  // Streams of their own for columns, rows' labels, coefficients and the final shuffle.
  RandomStream ColumnStream(size_t j) const { return random.Substream(0).Substream(j); }
  RandomStream LabelStream() const { return random.Substream(1); }
  RandomStream CoefficientStream() const { return random.Substream(2); }
  RandomStream ShuffleStream() const { return random.Substream(3); }
};

// Six decimals, so that the table and the file written from it are the same.
double Rounded(double x) { return std::round(x * 1e6) / 1e6; }

template <class Value>
std::vector<double> MakeColumn(size_t rows, const Value& value) {
  std::vector<double> column(rows);
  for (size_t i = 0; i < rows; ++i) column[i] = Rounded(value(i));
  return column;
}

std::vector<double> NormalColumn(const Plan& plan, size_t j) {
  RandomStream random = plan.ColumnStream(j);
  return MakeColumn(plan.rows, [&](size_t) { return random.Normal(); });
}

std::vector<double> UniformColumn(const Plan& plan, size_t j) {
  RandomStream random = plan.ColumnStream(j);
  return MakeColumn(plan.rows, [&](size_t) { return random.Uniform(-1, 1); });
}

std::vector<int> RandomLabels(const Plan& plan) {
  RandomStream random = plan.LabelStream();
  std::vector<int> labels(plan.rows);
  for (int& label : labels) label = static_cast<int>(random.Below(plan.classes));
  return labels;
}

// The paper's label. With L = salient / 5, x uniform on [-1, 1], groups of L columns and e standard
// normal:
//   T1 = mean of exp(x),              T2 = exp(mean of |sin(2 pi x)|),   T3 = mean of -log(1.1 +
//   x), T4 = mean of x,                   T5 = 1 / (1 + mean of |tanh(x)|), y  = [T1 + T2 + T3 + T4
//   + T5 + 0.2 e > 3]
// As printed the sum has mean 3.87, so nearly all rows are positive; without the absolute value in
// T2 it has mean 2.98.
std::vector<int> PaperLabels(const Plan& plan, const std::vector<std::vector<double>>& columns) {
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
  std::vector<int> labels;
  labels.reserve(scores.size());
  for (double score : scores) labels.push_back(score > threshold ? 1 : 0);
  return labels;
}

Draft Paper(const Plan& plan) {
  if (plan.salient % 5 != 0) {
    throw UsageError("the paper's set has five groups of salient columns, so their number, " +
                     std::to_string(plan.salient) + ", must be a multiple of 5");
  }
  Draft draft;
  for (size_t j = 0; j < plan.features; ++j) draft.columns.push_back(UniformColumn(plan, j));
  draft.labels = PaperLabels(plan, draft.columns);
  return draft;
}

// After Madelon (Guyon, NIPS 2003): a row belongs to one of 32 clusters, one at each vertex of the
// five-dimensional cube; half of the clusters, at random, are of class 1. Five columns are the
// vertex times 1.6 plus standard normal noise, the other salient ones are linear mixtures of these
// with normal coefficients of unit length, and the rest is standard normal. No column says anything
// alone.
Draft Madelon(const Plan& plan) {
  constexpr size_t kDimensions = 5, kVertices = 1 << kDimensions;
  constexpr double kHalfEdge = 1.6;
  if (plan.salient < kDimensions) {
    throw UsageError("madelon needs at least 5 salient columns, not " +
                     std::to_string(plan.salient));
  }
  RandomStream coefficients = plan.CoefficientStream();
  std::vector<int> vertex_label(kVertices);
  for (size_t v = 0; v < kVertices; ++v) vertex_label[v] = v < kVertices / 2 ? 0 : 1;
  coefficients.Shuffle(std::span(vertex_label));
  RandomStream rows = plan.LabelStream();
  std::vector<size_t> vertex(plan.rows);
  for (size_t& v : vertex) v = rows.Below(kVertices);

  Draft draft;
  for (size_t v : vertex) draft.labels.push_back(vertex_label[v]);
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
Draft Microarray(const Plan& plan) {
  constexpr size_t kBlock = 25;
  constexpr double kShared = 0.6, kShift = 0.8;
  size_t blocks = std::max<size_t>(1, plan.features / kBlock);
  RandomStream coefficients = plan.CoefficientStream();
  Draft draft;
  draft.labels = RandomLabels(plan);
  for (size_t j = 0; j < plan.features; ++j) {
    RandomStream own = plan.ColumnStream(j);
    RandomStream shared = plan.ColumnStream(plan.features + j % blocks);
    std::vector<double> shifts(plan.classes);
    if (j < plan.salient) {
      for (double& shift : shifts) shift = kShift * coefficients.Normal();
    }
    draft.columns.push_back(MakeColumn(plan.rows, [&](size_t i) {
      return std::sqrt(kShared) * shared.Normal() + std::sqrt(1 - kShared) * own.Normal() +
             shifts[static_cast<size_t>(draft.labels[i])];
    }));
  }
  return draft;
}

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
Draft WordCounts(const Plan& plan) {
  Draft draft;
  draft.labels = RandomLabels(plan);
  RandomStream lengths = plan.CoefficientStream();
  std::vector<double> length(plan.rows);
  for (double& l : length) l = std::exp(0.3 * lengths.Normal());
  for (size_t j = 0; j < plan.features; ++j) {
    RandomStream random = plan.ColumnStream(j);
    double rank = static_cast<double>(j) - static_cast<double>(plan.salient) + 1;
    double rate = j < plan.salient ? 0.1 : std::min(1.0, 4 / std::pow(rank, 0.8));
    draft.columns.push_back(MakeColumn(plan.rows, [&](size_t i) {
      bool own = j < plan.salient && static_cast<size_t>(draft.labels[i]) == j % plan.classes;
      return Poisson(length[i] * rate * (own ? 2.5 : 1.0), &random);
    }));
  }
  return draft;
}

// Interactions without marginal effects: x uniform on [-1, 1], y = [sum over pairs x_2p x_2p+1 >
// 0].
Draft Xor(const Plan& plan) {
  if (plan.salient % 2 != 0) {
    throw UsageError("xor pairs its salient columns, so their number, " +
                     std::to_string(plan.salient) + ", must be even");
  }
  Draft draft;
  for (size_t j = 0; j < plan.features; ++j) draft.columns.push_back(UniformColumn(plan, j));
  for (size_t i = 0; i < plan.rows; ++i) {
    double sum = 0;
    for (size_t j = 0; j < plan.salient; j += 2) {
      sum += draft.columns[j][i] * draft.columns[j + 1][i];
    }
    draft.labels.push_back(sum > 0 ? 1 : 0);
  }
  return draft;
}

// Redundancy: the salient columns are standard normal, and each has ten copies with normal noise of
// standard deviation 0.1; columns beyond these are standard normal. The class is the largest of
// linear scores with normal coefficients, plus half the scores' standard deviation of normal noise.
Draft Redundant(const Plan& plan) {
  constexpr size_t kCopies = 10;
  constexpr double kCopyNoise = 0.1, kScoreNoise = 0.5;
  Draft draft;
  for (size_t j = 0; j < plan.features; ++j) {
    if (j < plan.salient || j >= plan.salient * (1 + kCopies)) {
      draft.columns.push_back(NormalColumn(plan, j));
      continue;
    }
    RandomStream random = plan.ColumnStream(j);
    const size_t original = j % plan.salient;
    draft.columns.push_back(MakeColumn(plan.rows, [&](size_t i) {
      return draft.columns[original][i] + kCopyNoise * random.Normal();
    }));
  }
  RandomStream coefficients = plan.CoefficientStream();
  std::vector<double> weights(plan.classes * plan.salient);
  for (double& w : weights)
    w = coefficients.Normal() / std::sqrt(static_cast<double>(plan.salient));
  RandomStream noise = plan.LabelStream();
  for (size_t i = 0; i < plan.rows; ++i) {
    std::vector<double> scores(plan.classes);
    for (size_t c = 0; c < plan.classes; ++c) {
      scores[c] = kScoreNoise * noise.Normal();
      for (size_t j = 0; j < plan.salient; ++j) {
        scores[c] += weights[c * plan.salient + j] * draft.columns[j][i];
      }
    }
    draft.labels.push_back(
        static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin()));
  }
  return draft;
}

struct Entry {
  SynthKind kind;
  Draft (*make)(const Plan&);
};
constexpr Entry kEntries[] = {
    {{"madelon", "like Madelon: clusters on a cube, mixtures, noise", 2600, 500, 20, 2}, Madelon},
    {{"microarray", "like a microarray: few rows, correlated columns", 150, 5000, 20, 2},
     Microarray},
    {{"paper100", "the paper's set with 100 salient columns", 50000, 3000, 100, 2}, Paper},
    {{"paper300", "the paper's set with 300 salient columns", 20000, 3000, 300, 2}, Paper},
    {{"redundant", "every salient column has ten noisy copies", 2000, 220, 20, 4}, Redundant},
    {{"text", "word counts, a few words for each class", 2000, 4000, 60, 4}, WordCounts},
    {{"xor", "interactions of pairs, no column matters alone", 4000, 206, 6, 2}, Xor},
};

constexpr std::pair<std::string_view, PaperForm> kForms[] = {
    {"signed", PaperForm::kSigned},
    {"signed_median", PaperForm::kSignedMedian},
    {"printed", PaperForm::kPrinted},
    {"printed_median", PaperForm::kPrintedMedian},
};

const Entry& FindKind(const std::string& name) {
  std::vector<std::string> names;
  std::string all;
  for (const Entry& entry : kEntries) {
    if (entry.kind.name == name) return entry;
    all.append(all.empty() ? "" : ", ").append(entry.kind.name);
    names.emplace_back(entry.kind.name);
  }
  std::string near = NearestName(name, names);
  throw UsageError("there is no synthetic set '" + name + "'; " +
                   (near.empty() ? "the kinds are " + all : "did you mean '" + near + "'?"));
}

// Hands the columns to the table in a random order and lists where the salient ones went.
SyntheticSet Assemble(const Plan& plan, Draft draft) {
  std::vector<size_t> place(plan.features);
  std::iota(place.begin(), place.end(), size_t{0});
  plan.ShuffleStream().Shuffle(std::span(place));
  SyntheticSet set;
  set.table.rows = plan.rows;
  set.table.columns.resize(plan.features + 1);
  for (size_t j = 0; j < plan.features; ++j) {
    Column& column = set.table.columns[place[j]];
    column.name = "x" + std::to_string(place[j]);
    column.numbers = std::move(draft.columns[j]);
    if (j < plan.salient) set.salient.push_back(static_cast<int>(place[j]));
  }
  std::sort(set.salient.begin(), set.salient.end());
  set.table.columns.back().name = "y";
  set.table.columns.back().numbers.assign(draft.labels.begin(), draft.labels.end());
  return set;
}

}  // namespace

std::vector<SynthKind> SynthKinds() {
  std::vector<SynthKind> kinds;
  for (const Entry& entry : kEntries) kinds.push_back(entry.kind);
  return kinds;
}

void DescribeOptions(SynthOptions* options, OptionList* list) {
  list->Int("rows", &options->rows, 0, 100000000, "rows; 0 takes the default of the kind");
  list->Int("features", &options->features, 0, 10000000,
            "columns other than the target; 0 takes the default of the kind");
  list->Int("salient", &options->salient, 0, 10000000,
            "columns the target depends on; 0 takes the default of the kind");
  list->Int("classes", &options->classes, 0, 1000,
            "classes, for the kinds that can have more than two; 0 takes the default of the kind");
  list->Choice(
      "form", &options->form,
      std::vector<std::pair<std::string_view, PaperForm>>(std::begin(kForms), std::end(kForms)),
      "label of the paper's sets: as printed nearly all rows are positive; signed drops an "
      "absolute value; a median threshold balances either");
}

SyntheticSet Synthesize(const SynthOptions& options) {
  const auto& [kind, make] = FindKind(options.kind);
  auto pick = [](int wanted, int standard) {
    return static_cast<size_t>(wanted > 0 ? wanted : standard);
  };
  Plan plan{pick(options.rows, kind.rows),
            pick(options.features, kind.features),
            pick(options.salient, kind.salient),
            pick(options.classes, kind.classes),
            options.form,
            RandomStream(options.seed, kSynthStream)};
  if (plan.salient > plan.features) {
    throw UsageError("the set cannot have " + std::to_string(plan.salient) +
                     " salient columns among " + std::to_string(plan.features) +
                     "; ask for fewer of them or more features");
  }
  if (plan.classes < 2 || (plan.classes != 2 && kind.classes == 2 && kind.name != "microarray")) {
    throw UsageError("the set '" + options.kind + "' cannot have " + std::to_string(plan.classes) +
                     " classes");
  }
  SyntheticSet set = Assemble(plan, make(plan));
  set.description = options.kind + ": " + std::to_string(plan.rows) + " rows, " +
                    std::to_string(plan.features) + " features, " + std::to_string(plan.salient) +
                    " of them salient";
  if (make == Paper) {
    for (const auto& [name, form] : kForms) {
      if (form == plan.form) set.description += ", label form " + std::string(name);
    }
  }
  return set;
}

}  // namespace slm
