#include "jobs/significance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

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

// What the test needs beside the features.
struct Tested {
  const Preparation& prepared;
  const SignificanceSpec& spec;
  std::string_view method;
  Selector& selector;
  SignificanceWork work;
  uint64_t seed;

  const Problem& problem() const { return prepared.problem(); }

  // The choice of the method among the features and their copies.
  Choice Choose(const DoubledProblem& doubled, int round, const Context& context) const {
    const std::string name = std::string(NameOf(spec.test)) + " " + std::to_string(round);
    return SelectOrFind(name, selector, doubled.problem, work.k,
                        seed + static_cast<uint64_t>(round), context);
  }
};

std::optional<std::vector<TestedColumn>> ByKnockoffs(const Tested& tested, Significance* found,
                                                     const Context& context) {
  const std::optional<KnockoffCopies> fitted = KnockoffCopies::Fit(tested.problem(), context);
  if (!fitted) return std::nullopt;
  const Copies copies = fitted->Draw(StreamForTest(tested.seed, DrawnFor::kCopies, 0), context);
  const DoubledProblem doubled =
      BesideCopies(tested.problem(), copies, StreamForTest(tested.seed, DrawnFor::kPlaces, 0));
  CheckMemory(tested.method, tested.selector, doubled.problem, tested.work.k);
  const Choice choice = tested.Choose(doubled, 0, context);
  std::vector<double> w;
  for (size_t j = 0; j < doubled.original.size(); ++j) {
    w.push_back(ScoreOf(choice, doubled.original[j]) - ScoreOf(choice, doubled.copy[j]));
  }
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
    const uint64_t round = static_cast<uint64_t>(rounds);
    const Copies copies = DrawShadows(
        tested.problem(), StreamForTest(tested.seed, DrawnFor::kCopies, round), *context.pool);
    const DoubledProblem doubled = BesideCopies(
        tested.problem(), copies, StreamForTest(tested.seed, DrawnFor::kPlaces, round));
    if (rounds == 0) {
      CheckMemory(tested.method, tested.selector, doubled.problem, tested.work.k);
    }
    const Choice choice = tested.Choose(doubled, rounds, context);
    if (context.ShouldStop()) break;  // cut short: not what it would have found
    double best = -std::numeric_limits<double>::infinity();
    for (int copy : doubled.copy) best = std::max(best, ScoreOf(choice, copy));
    for (size_t j = 0; j < features; ++j) won[j] += ScoreOf(choice, doubled.original[j]) > best;
  }
  if (rounds == 0) return std::nullopt;
  found->rounds = rounds;
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

std::optional<std::vector<TestedColumn>> ByRandomisation(const Tested& tested, const Choice& chosen,
                                                         Significance* found,
                                                         const Context& context) {
  const Problem& problem = tested.problem();
  if (problem.train.rows() < KnockoffCopies::kLeastRows) {
    throw DataError("randomisation needs " + std::to_string(KnockoffCopies::kLeastRows) +
                    " training rows, and there are " + std::to_string(problem.train.rows()) +
                    "; test by shadows instead");
  }
  const size_t features = problem.layout.features();
  const Matrix x = ValuesOf(*problem.train.x);
  const Matrix z = NormalScores::Fit(x, *context.pool).Apply(x, *context.pool);
  Matrix y = OutputsOf(problem.train.y);
  int draws = tested.spec.rounds;
  if (draws == 0) {
    // The smallest p-value has to pass among all features.
    const double wanted = kDrawsOfLevel * static_cast<double>(features) / LevelOf(tested.spec);
    const double affordable = kMostDrawWork / (static_cast<double>(x.rows() * y.cols()));
    draws = std::max(kLeastDraws, static_cast<int>(std::min(wanted, affordable)));
  }
  const std::vector<double> p_values = ConditionalPValues(
      {.z = z.view(), .offsets = problem.layout.offsets, .y = std::move(y), .draws = draws},
      chosen.features, StreamForTest(tested.seed, DrawnFor::kDraws, 0), context);
  if (p_values.empty()) return std::nullopt;
  const std::vector<double> q_values = AdjustedForRate(p_values, features);
  std::vector<TestedColumn> columns(p_values.size());
  for (size_t i = 0; i < columns.size(); ++i) {
    columns[i].p_value = p_values[i];
    columns[i].q_value = q_values[i];
  }
  found->rounds = draws;
  found->candidates = features;
  return columns;
}

}  // namespace

EnumNames<SignificanceTest> NamesOf(SignificanceTest) { return kTestNames; }

size_t Significance::Found() const {
  return static_cast<size_t>(std::count_if(
      columns.begin(), columns.end(), [](const TestedColumn& one) { return one.significant; }));
}

std::optional<SignificanceSpec> TestOf(const SelectionSpec& request, size_t features) {
  SignificanceSpec spec{request.significance, request.fdr, request.significance_rounds};
  const double level = LevelOf(spec);
  // Knockoff+ finds 1 / q columns or none.
  const double least = std::ceil(1 / level - 1e-9);
  if (spec.test == SignificanceTest::kAuto) {
    if (!spec.fdr) return std::nullopt;
    spec.test = static_cast<double>(features) >= 2 * least ? SignificanceTest::kKnockoffs
                                                           : SignificanceTest::kShadows;
  }
  if (spec.test == SignificanceTest::kNone) return std::nullopt;
  if (spec.test == SignificanceTest::kKnockoffs && spec.fdr &&
      least > static_cast<double>(features)) {
    throw UsageError("knockoffs at " + FieldRef("fdr") + " " + FormatNumber(level) + " find " +
                     FormatNumber(least) + " columns or none, and only " +
                     std::to_string(features) +
                     " can be chosen; test by shadows, or at a higher level");
  }
  if (spec.test == SignificanceTest::kShadows && spec.rounds > 0 && spec.fdr &&
      1.0 / (1 + spec.rounds) > level) {
    throw UsageError(FieldRef("significance_rounds") + " " + std::to_string(spec.rounds) +
                     " cannot show significance at " + FormatNumber(level) + "; it takes " +
                     FormatNumber(least - 1) + " rounds or more");
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
    work.runs = spec.rounds > 0 ? spec.rounds
                                : std::max(kShadowRounds, static_cast<int>(std::ceil(5 / level)));
  }
  work.k = std::min(all, chosen);
  return work;
}

double BytesOf(const SignificanceSpec& spec, const Problem& problem) {
  const double columns = static_cast<double>(problem.layout.columns());
  double rows = 0;
  for (const Dataset* data : {&problem.train, &problem.valid, &problem.test}) {
    rows += static_cast<double>(data->rows());
  }
  const size_t train = problem.train.rows();
  if (spec.test == SignificanceTest::kRandomisation) {
    // Scores, four fifths of them in float and in double, and the factor.
    const double least = std::min(static_cast<double>(train), columns);
    return static_cast<double>(train) * columns * 20 + 16 * least * least;
  }
  const double copies = rows * columns * sizeof(float) * 5;
  return spec.test == SignificanceTest::kShadows
             ? copies
             : copies + KnockoffModel::Bytes(train, problem.layout.columns());
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
  CheckMemory(NameOf(spec.test), {BytesOf(spec, prepared.problem()), "test fewer columns"},
              prepared.problem());
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
