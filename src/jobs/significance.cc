#include "jobs/significance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/stop_check.h"
#include "base/streams.h"
#include "base/text.h"
#include "jobs/choice_archive.h"
#include "jobs/doubled_problem.h"
#include "numerics/conditional_randomisation.h"
#include "numerics/discoveries.h"
#include "numerics/normal_scores.h"

namespace slm {
namespace {

constexpr std::pair<std::string_view, SignificanceTest> kTestNames[] = {
    {"auto", SignificanceTest::kAuto},
    {"none", SignificanceTest::kNone},
    {"knockoffs", SignificanceTest::kKnockoffs},
    {"shadows", SignificanceTest::kShadows},
    {"randomisation", SignificanceTest::kRandomisation}};

constexpr double kUsualLevel = 0.1;  // which rounds are made for where no level is given
constexpr int kShadowRounds = 50;
constexpr double kRoundsOfLevel = 5;  // that may be lost where a column is significant
constexpr int kMostRounds = 1000000;
constexpr int kLeastDraws = 999;
constexpr double kDrawsOfLevel =
    20;  // expected below the level, of the smallest p-value that counts
constexpr double kMostDrawWork = 4e9;  // multiply-adds of one column
constexpr int kLeastChosen = 10, kMostChosen = 100;

// Streams of the random numbers.
enum class DrawnFor : uint64_t { kCopies, kPlaces, kDraws };
RandomStream StreamForTest(uint64_t seed, DrawnFor part, uint64_t round) {
  return StreamFor(seed, StreamOf::kSignificance, static_cast<uint64_t>(part) * 10000000 + round);
}

double ScoreOf(const Choice& choice, int feature) {
  const double score = double{choice.scores[static_cast<size_t>(feature)]};
  return std::isnan(score) ? 0 : score;
}

double LevelOf(const SignificanceSpec& spec) { return spec.fdr.value_or(kUsualLevel); }

// With fewer draws none of k chosen columns could be significant among all features.
double LeastDraws(const SignificanceSpec& spec, size_t features, size_t k) {
  const double ratio = static_cast<double>(features) / static_cast<double>(std::max(k, size_t{1}));
  return std::min(std::ceil(ratio / LevelOf(spec) - 1 - 1e-9), double{kMostRounds});
}

// With fewer rounds no column could be.
double LeastRounds(const SignificanceSpec& spec) { return std::ceil(1 / LevelOf(spec) - 1 - 1e-9); }

// What the test needs beside the features.
struct Tested {
  const Preparation& prepared;
  const SignificanceSpec& spec;
  std::string_view method;
  Selector& selector;
  SignificanceWork work;
  uint64_t seed;

  const Problem& problem() const { return prepared.problem(); }

  // The features beside copies of theirs, which `draw` makes.
  template <class Draw>
  DoubledProblem Beside(int round, const Draw& draw) const {
    const uint64_t index = static_cast<uint64_t>(round);
    return BesideCopies(problem(), draw(StreamForTest(seed, DrawnFor::kCopies, index)),
                        StreamForTest(seed, DrawnFor::kPlaces, index));
  }

  // The choice of the method among the features and their copies.
  Choice Choose(const DoubledProblem& doubled, int round, const Context& context) const {
    const std::string name = std::string(NameOf(spec.test)) + " " + std::to_string(round);
    return SelectOrFind(name, selector, doubled.problem, work.k,
                        seed + static_cast<uint64_t>(round), context);
  }
};

std::optional<std::vector<TestedColumn>> ByKnockoffs(const Tested& tested, Significance* found,
                                                     const Context& context) {
  std::optional<DoubledProblem> doubled;
  const bool in_time = EndsInTime(context, [&] {
    const std::optional<KnockoffCopies> fitted = KnockoffCopies::Fit(tested.problem(), context);
    if (!fitted) return;
    doubled =
        tested.Beside(0, [&](const RandomStream& random) { return fitted->Draw(random, context); });
  });
  if (!in_time || !doubled) return std::nullopt;
  CheckMemory(tested.method, tested.selector, doubled->problem, tested.work.k);
  const Choice choice = tested.Choose(*doubled, 0, context);
  found->complete = !context.ShouldStop();
  std::vector<double> w;
  for (size_t j = 0; j < doubled->original.size(); ++j) {
    w.push_back(ScoreOf(choice, doubled->original[j]) - ScoreOf(choice, doubled->copy[j]));
  }
  const bool says_nothing = std::all_of(w.begin(), w.end(), [](double one) { return one == 0; });
  if (says_nothing && !found->complete) return std::nullopt;
  if (found->fdr) {
    const double threshold = KnockoffThreshold(w, *found->fdr);
    if (std::isfinite(threshold)) found->threshold = threshold;
  }
  const std::vector<double> q_values = KnockoffQValues(w);
  std::vector<TestedColumn> columns(w.size());
  for (size_t j = 0; j < w.size(); ++j) {
    columns[j].statistic = w[j];
    columns[j].q_value = q_values[j];
  }
  found->candidates = w.size();
  return columns;
}

std::optional<std::vector<TestedColumn>> ByShadows(const Tested& tested, Significance* found,
                                                   const Context& context) {
  const size_t features = tested.problem().layout.features();
  std::vector<int> won(features);
  int rounds = 0;
  for (; rounds < tested.work.runs && !context.ShouldStop(); ++rounds) {
    std::optional<DoubledProblem> doubled;
    const bool in_time = EndsInTime(context, [&] {
      doubled = tested.Beside(rounds, [&](const RandomStream& random) {
        return DrawShadows(tested.problem(), random);
      });
    });
    if (!in_time) break;
    if (rounds == 0) {
      CheckMemory(tested.method, tested.selector, doubled->problem, tested.work.k);
    }
    const Choice choice = tested.Choose(*doubled, rounds, context);
    if (context.ShouldStop()) break;  // cut short: not what it would have found
    double best = -std::numeric_limits<double>::infinity();
    for (int copy : doubled->copy) best = std::max(best, ScoreOf(choice, copy));
    for (size_t j = 0; j < features; ++j) won[j] += ScoreOf(choice, doubled->original[j]) > best;
  }
  if (rounds == 0) return std::nullopt;
  found->rounds = rounds;
  found->complete = rounds == tested.work.runs;
  found->candidates = features;
  std::vector<TestedColumn> columns(features);
  for (size_t j = 0; j < features; ++j) {
    const int misses = rounds - won[j];
    columns[j].statistic = static_cast<double>(won[j]) / rounds;
    columns[j].p_value = static_cast<double>(1 + misses) / (1 + rounds);
    columns[j].q_value = *columns[j].p_value;  // it holds for all columns together
  }
  return columns;
}

// Each output of the target, of mean 0 and variance 1.
Matrix OutputsOf(const Labels& labels) {
  const size_t n = labels.rows(), outputs = labels.classes == 2 ? 1 : labels.outputs();
  Matrix y(n, outputs);
  for (size_t o = 0; o < outputs; ++o) {
    std::vector<double> values(n);
    for (size_t i = 0; i < n; ++i) {
      values[i] = labels.has_values()
                      ? double{labels.value[i]}
                      : static_cast<double>(labels.index[i] == static_cast<int32_t>(o));
    }
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
    double square = 0;
    for (double v : values) square += (v - mean) * (v - mean) / static_cast<double>(n);
    const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
    for (size_t i = 0; i < n; ++i) y(i, o) = static_cast<float>((values[i] - mean) * scale);
  }
  return y;
}

// Draws of randomisation: enough for the smallest p-value to pass among all features, or, where
// that costs too much, for those of all chosen columns together.
int DrawsFor(const SignificanceSpec& spec, const Problem& problem, size_t chosen) {
  if (spec.rounds > 0) return spec.rounds;
  const size_t features = problem.layout.features();
  const double wanted = kDrawsOfLevel * static_cast<double>(features) / LevelOf(spec);
  const double affordable =
      kMostDrawWork / static_cast<double>(problem.train.rows() * problem.train.y.outputs());
  return static_cast<int>(std::max(
      {double{kLeastDraws}, LeastDraws(spec, features, chosen), std::min(wanted, affordable)}));
}

std::optional<std::vector<TestedColumn>> ByRandomisation(const Tested& tested, const Choice& chosen,
                                                         Significance* found,
                                                         const Context& context) {
  const Problem& problem = tested.problem();
  const size_t features = problem.layout.features();
  found->rounds = DrawsFor(tested.spec, problem, chosen.features.size());
  found->candidates = features;
  std::vector<double> p_values;
  const bool in_time = EndsInTime(context, [&] {
    const Matrix x = ValuesOf(*problem.train.x);
    const Matrix z = NormalScores::Fit(x, *context.pool).Apply(x, *context.pool);
    p_values = ConditionalPValues({.z = z.view(),
                                   .offsets = problem.layout.offsets,
                                   .y = OutputsOf(problem.train.y),
                                   .draws = found->rounds},
                                  chosen.features, StreamForTest(tested.seed, DrawnFor::kDraws, 0),
                                  context);
  });
  if (!in_time || p_values.empty()) return std::nullopt;
  const std::vector<double> q_values = AdjustedForRate(p_values, features);
  std::vector<TestedColumn> columns(p_values.size());
  for (size_t i = 0; i < columns.size(); ++i) {
    columns[i].p_value = p_values[i];
    columns[i].q_value = q_values[i];
  }
  return columns;
}

}  // namespace

EnumNames<SignificanceTest> NamesOf(SignificanceTest) { return kTestNames; }

size_t Significance::Found() const {
  return static_cast<size_t>(std::count_if(
      columns.begin(), columns.end(), [](const TestedColumn& one) { return one.significant; }));
}

std::optional<SignificanceSpec> TestOf(const SelectionSpec& request, size_t features, size_t rows) {
  SignificanceSpec spec{request.significance, request.fdr, request.significance_rounds};
  const double level = LevelOf(spec);
  // Knockoff+ finds 1 / q columns or none.
  const double least = std::ceil(1 / level - 1e-9);
  if (spec.test == SignificanceTest::kAuto) {
    if (!spec.fdr) return std::nullopt;
    const bool find_any = static_cast<double>(features) >= 2 * least;
    spec.test = find_any && rows >= KnockoffCopies::kLeastRows ? SignificanceTest::kKnockoffs
                                                               : SignificanceTest::kShadows;
  }
  if (spec.test == SignificanceTest::kNone) return std::nullopt;
  if (spec.test != SignificanceTest::kShadows && rows < KnockoffCopies::kLeastRows) {
    throw DataError(std::string(NameOf(spec.test)) +
                    (spec.test == SignificanceTest::kKnockoffs ? " need " : " needs ") +
                    std::to_string(KnockoffCopies::kLeastRows) + " training rows, and there are " +
                    std::to_string(rows) + "; test by shadows instead");
  }
  if (spec.test == SignificanceTest::kKnockoffs && spec.rounds > 0) {
    throw UsageError(FieldRef("significance_rounds") +
                     " is for shadows and randomisation; knockoffs are drawn once: leave it out, "
                     "or give " +
                     FieldRef("significance", "shadows"));
  }
  if (spec.test == SignificanceTest::kKnockoffs && spec.fdr &&
      least > static_cast<double>(features)) {
    throw UsageError("knockoffs at " + FieldRef("fdr") + " " + FormatNumber(level) + " find " +
                     FormatNumber(least) + " columns or none, and only " +
                     std::to_string(features) +
                     " can be chosen; test by shadows, or at a higher level");
  }
  const bool by_shadows = spec.test == SignificanceTest::kShadows;
  if (by_shadows && spec.rounds == 0 && kRoundsOfLevel / level > kMostRounds) {
    throw UsageError("shadows at " + FieldRef("fdr") + " " + FormatNumber(level) +
                     " would take more than " + std::to_string(kMostRounds) +
                     " rounds; test at a higher level");
  }
  const double least_rounds =
      by_shadows ? LeastRounds(spec)
                 : LeastDraws(spec, features, static_cast<size_t>(std::max(request.k, 1)));
  if (spec.test != SignificanceTest::kKnockoffs && spec.rounds > 0 && spec.fdr &&
      spec.rounds < least_rounds) {
    throw UsageError(FieldRef("significance_rounds") + " " + std::to_string(spec.rounds) +
                     " cannot show significance at " + FormatNumber(level) + "; it takes " +
                     FormatNumber(least_rounds) + (by_shadows ? " rounds" : " draws") + " or more");
  }
  return spec;
}

SignificanceWork PlanTest(const SignificanceSpec& spec, size_t features, int k) {
  const double level = LevelOf(spec);
  if (spec.test == SignificanceTest::kRandomisation) return {};
  const int all = static_cast<int>(features);
  int chosen = std::max({2 * std::min(k, all), kLeastChosen, std::min(all / 4, kMostChosen)});
  SignificanceWork work{.runs = 1};
  if (spec.test == SignificanceTest::kKnockoffs) {
    chosen = std::max(chosen, static_cast<int>(std::min(3 / level, 1e6)));
  } else {
    work.runs = spec.rounds > 0
                    ? spec.rounds
                    : std::max(kShadowRounds, static_cast<int>(std::ceil(kRoundsOfLevel / level)));
  }
  work.k = std::min(all, chosen);
  return work;
}

double BytesOf(const SignificanceSpec& spec, const Problem& problem, int k) {
  const double columns = static_cast<double>(problem.layout.columns());
  double rows = 0;
  for (const Dataset* data : {&problem.train, &problem.valid, &problem.test}) {
    rows += static_cast<double>(data->rows());
  }
  const size_t train = problem.train.rows();
  if (spec.test == SignificanceTest::kRandomisation) {
    // Scores, four fifths of them in float and in double, and the factor.
    const double least = std::min(static_cast<double>(train), columns);
    const double of_feature = columns / static_cast<double>(problem.layout.features());
    const double outputs = static_cast<double>(problem.train.y.outputs());
    return static_cast<double>(train) * columns * 20 + 16 * least * least +
           k * BytesOfRests(train, of_feature, outputs);
  }
  const double copies = rows * columns * sizeof(float) * 5;
  return spec.test == SignificanceTest::kShadows
             ? copies
             : copies + KnockoffModel::Bytes(train, problem.layout.columns());
}

void CheckTestMemory(const SignificanceSpec& spec, const Problem& problem, int k) {
  CheckMemory(NameOf(spec.test), {BytesOf(spec, problem, k), "test fewer columns"}, problem);
}

std::optional<Significance> TestSignificance(const Preparation& prepared,
                                             const SignificanceSpec& spec, const Choice* chosen,
                                             std::string_view method, Selector& selector,
                                             std::vector<int>* order, const Context& context) {
  const FeatureLayout& layout = prepared.problem().layout;
  const int k = chosen == nullptr ? 0 : static_cast<int>(chosen->features.size());
  const Tested tested{.prepared = prepared,
                      .spec = spec,
                      .method = method,
                      .selector = selector,
                      .work = PlanTest(spec, layout.features(), k),
                      .seed = prepared.seed()};
  Significance found;
  found.test = spec.test;
  found.fdr = spec.fdr;
  found.k = tested.work.k;
  std::optional<std::vector<TestedColumn>> columns;
  std::vector<int> features(layout.features());
  std::iota(features.begin(), features.end(), 0);
  if (spec.test == SignificanceTest::kKnockoffs) {
    columns = ByKnockoffs(tested, &found, context);
  } else if (spec.test == SignificanceTest::kShadows) {
    columns = ByShadows(tested, &found, context);
  } else {
    features = chosen->features;
    columns = ByRandomisation(tested, *chosen, &found, context);
  }
  if (!columns) return std::nullopt;
  for (size_t i = 0; i < features.size(); ++i) {
    TestedColumn& one = (*columns)[i];
    const size_t j = static_cast<size_t>(features[i]);
    one.name = layout.names[j];
    one.index = prepared.IndexOf(j);
    // Rates are quotients of counts, which a level such as 0.1 is not exactly.
    one.significant = spec.fdr && one.q_value <= *spec.fdr * (1 + 1e-12);
  }
  std::vector<size_t> places(features.size());
  std::iota(places.begin(), places.end(), size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](size_t a, size_t b) {
    const TestedColumn &x = (*columns)[a], &y = (*columns)[b];
    if (x.q_value != y.q_value) return x.q_value < y.q_value;
    return x.statistic.value_or(0) > y.statistic.value_or(0);
  });
  order->clear();
  for (size_t place : places) {
    found.columns.push_back(std::move((*columns)[place]));
    order->push_back(features[place]);
  }
  return found;
}

}  // namespace slm
