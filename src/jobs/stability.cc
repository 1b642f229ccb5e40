#include "jobs/stability.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>

#include "base/checkpoint.h"
#include "base/clock.h"
#include "base/thread_pool.h"
#include "jobs/given_up.h"
#include "jobs/keep_columns.h"
#include "jobs/method_failure.h"
#include "jobs/resample.h"
#include "jobs/side_by_side.h"
#include "jobs/time_shares.h"

namespace slm {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kNormal95 = 1.959963984540054;

// One method on one resample.
struct RunOfResample {
  bool done = false;
  bool late = false;  // ended by its share of the time limit
  std::string failure;
  std::vector<int> columns;
  double seconds = 0;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("done", done);
    v("late", late);
    v("failure", failure);
    v("columns", columns);
    v("seconds", seconds);
  }
};

// Cut short, a selection is not what the method would have chosen; with `keep_late` it counts.
RunOfResample SelectOnce(const ComparedMethod& method, const Preparation& prepared, int k,
                         uint64_t seed, bool keep_late, const Context& context) {
  RunOfResample run;
  run.failure = FailureOf([&] {
    std::unique_ptr<Selector> selector = method.make();
    CheckMemory(method.name, *selector, prepared.problem(), k);
    const Clock::time_point start = Clock::now();
    const Choice choice = SelectKept(*selector, prepared.problem(), k, seed, context);
    run.seconds = SecondsSince(start);
    run.late = context.ShouldStop();
    run.done = !run.late || (keep_late && !Cancelled(context));
    for (int feature : choice.features) {
      run.columns.push_back(prepared.IndexOf(static_cast<size_t>(feature)));
    }
    std::sort(run.columns.begin(), run.columns.end());
  });
  return run;
}

// A run that a checkpoint holds must be one that SelectOnce can have come to.
void RequireRun(const Archive& archive, const RunOfResample& run, const Preparation& prepared,
                int k) {
  archive.Require(run.done == run.failure.empty(), "neither succeeded nor failed");
  archive.Require(!run.late, "was cut short");
  if (!run.done) return;
  archive.Require(run.columns.size() == static_cast<size_t>(k), "has another number of columns");
  std::set<int> possible;
  for (size_t j = 0; j < prepared.problem().layout.features(); ++j) {
    possible.insert(prepared.IndexOf(j));
  }
  for (int column : run.columns) {
    archive.Require(possible.erase(column) == 1,
                    "has a column twice, or one that cannot be chosen");
  }
}

void Summarise(const std::map<int, std::string>& names, StabilityRow* row) {
  // Columns of the table become 0, 1, 2 ... among those that could be chosen.
  std::map<int, int> place;
  for (const auto& [column, name] : names) place.emplace(column, static_cast<int>(place.size()));
  std::map<int, int> counts;
  std::vector<std::vector<int>> sets = row->sets;
  for (std::vector<int>& set : sets) {
    for (int& column : set) {
      ++counts[column];
      column = place.at(column);
    }
  }
  row->stability = MeasureStability(sets, names.size());
  row->overlap = MeasureOverlap(sets);
  std::map<int, FeatureFrequency> by_column;
  for (const auto& [column, count] : counts) {
    by_column[column] = {names.at(column), column, count / static_cast<double>(sets.size())};
  }
  row->frequencies = MostFrequentFirst(std::move(by_column));
}

}  // namespace

StabilityIndex MeasureStability(std::span<const std::vector<int>> sets, size_t features) {
  const double m = static_cast<double>(sets.size()), d = static_cast<double>(features);
  std::vector<double> share(features);
  double size = 0;  // mean of the sets
  for (const std::vector<int>& set : sets) {
    for (int feature : set) share[static_cast<size_t>(feature)] += 1 / m;
    size += static_cast<double>(set.size()) / m;
  }
  const double chance = size / d * (1 - size / d);
  if (sets.size() < 2 || !(chance > 0)) return {kNaN, kNaN, {kNaN, kNaN}};
  double spread = 0;
  for (double p : share) spread += m / (m - 1) * p * (1 - p) / d;
  StabilityIndex result;
  result.index = 1 - spread / chance;

  // What each set contributes.
  std::vector<double> parts;
  double mean = 0;
  for (const std::vector<int>& set : sets) {
    const double own = static_cast<double>(set.size());
    double agreement = 0;
    for (int feature : set) agreement += share[static_cast<size_t>(feature)] / d;
    const double expected = own * size / (d * d);
    parts.push_back(
        (agreement - expected + result.index / 2 * (2 * expected - own / d - size / d + 1)) /
        chance);
    mean += parts.back() / m;
  }
  for (double part : parts) result.variance += 4 / (m * m) * (part - mean) * (part - mean);
  const double reach = kNormal95 * std::sqrt(result.variance);
  result.interval = {result.index - reach, result.index + reach};
  return result;
}

PairOverlap MeasureOverlap(std::span<const std::vector<int>> sets) {
  PairOverlap sum;
  double pairs = 0;
  for (size_t a = 0; a < sets.size(); ++a) {
    const std::set<int> first(sets[a].begin(), sets[a].end());
    for (size_t b = a + 1; b < sets.size(); ++b) {
      const size_t both = static_cast<size_t>(std::count_if(
          sets[b].begin(), sets[b].end(), [&](int feature) { return first.contains(feature); }));
      const size_t either = sets[a].size() + sets[b].size() - both;
      const size_t smaller = std::min(sets[a].size(), sets[b].size());
      sum.jaccard += static_cast<double>(both) / static_cast<double>(either);
      sum.shared += static_cast<double>(both) / static_cast<double>(smaller);
      pairs += 1;
    }
  }
  if (pairs == 0) return {kNaN, kNaN};
  return {sum.jaccard / pairs, sum.shared / pairs};
}

StabilityResult CompareStability(const Tables& tables, const StabilitySpec& request,
                                 const Context& context) {
  const Clock::time_point start = Clock::now();
  StabilityResult result;
  result.request = request;
  for (const ComparedMethod& method : request.methods) {
    result.rows.push_back({.method = method.name,
                           .failure = {},
                           .sets = {},
                           .late = 0,
                           .stability = {},
                           .overlap = {},
                           .frequencies = {}});
  }
  const SideBySide crowd(context);
  const Resampler resampler(tables, request.select);
  const size_t methods = request.methods.size();
  const size_t total = static_cast<size_t>(request.resamples);
  // At least two where time is short: fewer have no stability.
  const int fewest = context.deadline ? 2 : 1;
  const size_t at_once = static_cast<size_t>(std::max(context.pool->threads(), fewest));
  std::map<int, std::string> names;  // by column
  std::atomic<int> finished = 0;
  for (size_t first = 0; first < total && !GivesUp(context, first == 0); first += at_once) {
    std::vector<std::unique_ptr<Preparation>> prepared;
    for (size_t r = first; r < std::min(first + at_once, total); ++r) {
      if (r > first && GivesUp(context, r == 1)) break;
      const uint64_t seed = request.select.seed + r;
      RowParts parts = request.subsample ? resampler.Subsample(*request.subsample, seed)
                                         : resampler.Bootstrap(seed);
      std::unique_ptr<Preparation> one =
          r == 0 ? PrepareOrGiveUp(tables, request.select, std::move(parts), context,
                                   /*needed=*/true)
                 : PrepareIfTime(tables, request.select, std::move(parts), context,
                                 /*needed=*/r == 1);
      if (one == nullptr) break;
      prepared.push_back(std::move(one));
      const FeatureLayout& layout = prepared.back()->problem().layout;
      for (size_t j = 0; j < layout.features(); ++j) {
        names.emplace(prepared.back()->IndexOf(j), layout.names[j]);
      }
    }
    const size_t count = prepared.size();
    if (count == 0) break;
    if (first == 0) result.data = prepared[0]->summary();
    std::vector<RunOfResample> runs(count * methods);
    // The first selections divide what time there is, so that there is a result. Later ones count
    // only where they come to their end.
    const TimeShares shares(context, std::vector<double>(runs.size(), 1), context.pool->threads());
    context.pool->ParallelFor(runs.size(), [&](size_t i) {
      const size_t m = i / count, r = i % count;
      const bool needed = context.deadline && first == 0 && m == 0;
      if (GivesUp(context, needed) || !result.rows[m].failure.empty()) return;
      runs[i] =
          Checkpointed(first == 0 ? shares.Of(i, crowd.each()) : crowd.each(),
                       "resample " + std::to_string(first + r) + " " + request.methods[m].name,
                       FieldsWith([&](const Archive& archive, const RunOfResample& run) {
                         RequireRun(archive, run, *prepared[r], request.select.k);
                       }),
                       [&](const Context& own) {
                         return SelectOnce(request.methods[m], *prepared[r], request.select.k,
                                           request.select.seed + first + r, first == 0, own);
                       });
      crowd.Tell("stability", ++finished, static_cast<int>(total * methods));
    });
    for (size_t i = 0; i < runs.size(); ++i) {
      StabilityRow& row = result.rows[i / count];
      if (!runs[i].failure.empty()) row.failure = runs[i].failure;
      if (!runs[i].done) continue;
      row.late += runs[i].late ? 1 : 0;
      row.sets.push_back(std::move(runs[i].columns));
      row.select_seconds += runs[i].seconds;
    }
  }
  result.stopped_early = context.ShouldStop();
  for (const StabilityRow& row : result.rows) result.stopped_early |= row.late > 0;
  result.features = names.size();
  for (StabilityRow& row : result.rows) {
    if (!row.sets.empty()) row.select_seconds /= static_cast<double>(row.sets.size());
    Summarise(names, &row);
  }
  auto rank = [](const StabilityRow& row) {
    return !row.failure.empty() || std::isnan(row.stability.index) ? -2 : row.stability.index;
  };
  std::stable_sort(result.rows.begin(), result.rows.end(),
                   [&](const StabilityRow& a, const StabilityRow& b) { return rank(a) > rank(b); });
  result.total_seconds = SecondsSince(start);
  return result;
}

size_t StabilityResult::Finished() const {
  size_t fewest = static_cast<size_t>(request.resamples);
  for (const StabilityRow& row : rows) {
    if (row.failure.empty()) fewest = std::min(fewest, row.sets.size());
  }
  return fewest;
}

Json StabilityResult::ToJson() const { return WriteFields(*this); }

StabilityResult StabilityResult::FromJson(const Json& json) {
  return ReadFields<StabilityResult>(json);
}

}  // namespace slm
