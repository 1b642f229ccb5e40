#include "jobs/estimate.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/options.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "jobs/draw_settings.h"

namespace slm {
namespace {

constexpr double kShares[] = {1.0 / 64, 1.0 / 16, 1.0 / 4, 1};
// Seconds of a piece after which no larger one is tried; a first one, which may be all start-up,
// has to take longer for that.
constexpr double kEnough = 0.25, kEnoughAtFirst = 1;
constexpr double kLongest = 3;  // seconds after which a piece is given up
constexpr size_t kFewestRows = 50;
constexpr std::string_view kCounted[] = {"steps", "trees", "rounds"};

struct TimedPiece {
  double size, seconds;
};

// Runs work(share, context) for growing shares; sizes are those it gives back. Pieces that were cut
// short are left out.
template <class Work>
std::vector<TimedPiece> RunPieces(const Context& context, Work work) {
  std::vector<TimedPiece> pieces;
  for (double share : kShares) {
    const Clock::time_point start = Clock::now();
    const Context own{.pool = context.pool,
                      .observer = context.observer,
                      .deadline = start + SecondsLong(kLongest)};
    const double size = work(share, own);
    if (own.ShouldStop()) break;
    if (size <= 0) continue;
    pieces.push_back({size, SecondsSince(start)});
    if (pieces.back().seconds >= (pieces.size() > 1 ? kEnough : kEnoughAtFirst)) break;
  }
  return pieces;
}

std::string Percent(double share) { return FormatNumber(std::round(1000 * share) / 10) + " %"; }

bool IsCounted(const SearchSpace& space) {
  return std::any_of(space.budget.begin(), space.budget.end(), [](std::string_view option) {
    return std::find(std::begin(kCounted), std::end(kCounted), option) != std::end(kCounted);
  });
}

TimeNeed Exactly(double seconds) { return {seconds, seconds, "the selection itself"}; }

// Seconds at a size of 1, from pieces whose time is a line over it.
TimeNeed AlongLine(const std::vector<TimedPiece>& pieces) {
  const TimedPiece& last = pieces.back();
  if (last.size == 1) return Exactly(last.seconds);
  double each = last.seconds / last.size, once = 0;
  if (pieces.size() > 1) {
    const TimedPiece& before = pieces[pieces.size() - 2];
    each = std::max(0.0, (last.seconds - before.seconds) / (last.size - before.size));
    once = std::max(0.0, last.seconds - each * last.size);
  }
  return {once + each, once + each, Percent(last.size) + " of its training, in proportion"};
}

TimeNeed AlongPower(const std::vector<TimedPiece>& pieces, double rows) {
  const TimedPiece& last = pieces.back();
  if (last.size == rows) return Exactly(last.seconds);
  double power = 1;
  if (pieces.size() > 1) {
    const TimedPiece& before = pieces[pieces.size() - 2];
    power = GrowthOf(before.size, before.seconds, last.size, last.seconds);
  }
  const double seconds = last.seconds * std::pow(rows / last.size, power);
  return {seconds, seconds,
          FormatNumber(last.size) + " of its rows, growing by their power of " +
              FormatNumber(std::round(100 * power) / 100)};
}

Dataset SomeRows(const Dataset& data, double share) {
  const size_t rows = data.rows();
  const size_t count = std::min(
      rows,
      std::max(kFewestRows, static_cast<size_t>(std::lround(share * static_cast<double>(rows)))));
  Dataset some;
  some.y.task = data.y.task;
  some.y.classes = data.y.classes;
  std::vector<int32_t> taken;
  for (size_t i = 0; i < count; ++i) {
    const size_t row = i * rows / count;
    taken.push_back(static_cast<int32_t>(row));
    if (!data.y.index.empty()) some.y.index.push_back(data.y.index[row]);
    if (!data.y.value.empty()) some.y.value.push_back(data.y.value[row]);
    if (!data.weight.empty()) some.weight.push_back(data.weight[row]);
  }
  Matrix x(count, data.x->columns());
  data.x->Gather(taken, ColumnSet::All(x.cols()), x.view());
  some.x = MakeRows(std::move(x));
  return some;
}

}  // namespace

double GrowthOf(double fewer_rows, double fewer_seconds, double rows, double seconds) {
  if (!(rows > fewer_rows) || !(fewer_seconds > 0) || !(seconds > 0)) return 1;
  return std::clamp(std::log(seconds / fewer_seconds) / std::log(rows / fewer_rows), 1.0, 3.0);
}

Problem ShareOfRows(const Problem& problem, double share) {
  Problem some;
  some.layout = problem.layout;
  some.keep = problem.keep;
  some.train = SomeRows(problem.train, share);
  some.valid = SomeRows(problem.valid, share);
  some.test = SomeRows(problem.test, share);
  return some;
}

std::optional<TimeNeed> EstimateTime(const std::function<std::unique_ptr<Selector>()>& make,
                                     const Problem& problem, std::span<const int> ks, uint64_t seed,
                                     const Context& context) {
  auto select = [&](Selector& selector, const Problem& own, const Context& piece) {
    ks.size() > 1 ? void(selector.SelectEach(own, ks, seed, piece))
                  : void(selector.Select(own, ks.back(), seed, piece));
  };
  try {
    if (auto told = make()->Time(problem, ks, seed, context)) return told;
    const SearchSpace space = SpaceOf(*make());
    const bool counted = IsCounted(space);
    size_t latest = 0;
    const std::vector<TimedPiece> pieces =
        RunPieces(context, [&](double share, const Context& piece) -> double {
          const std::unique_ptr<Selector> selector = make();
          if (counted) {
            OptionList options;
            selector->DescribeOptions(options);
            ScaleBudget(space, share, options);
            select(*selector, problem, piece);
            return share;
          }
          if (share == 1) {
            select(*selector, problem, piece);
            return static_cast<double>(problem.train.rows());
          }
          const Problem some = ShareOfRows(problem, share);
          if (some.train.rows() == latest) return 0;  // no more than before
          latest = some.train.rows();
          select(*selector, some, piece);
          return static_cast<double>(latest);
        });
    if (pieces.empty()) return std::nullopt;
    return counted ? AlongLine(pieces)
                   : AlongPower(pieces, static_cast<double>(problem.train.rows()));
  } catch (const std::exception&) {
    return std::nullopt;  // the method cannot do it, which the work itself will explain
  }
}

std::optional<TimeNeed> EstimateTimeBeside(size_t beside,
                                           const std::function<std::unique_ptr<Selector>()>& make,
                                           const Problem& problem, std::span<const int> ks,
                                           uint64_t seed, const Context& context) {
  std::vector<std::optional<TimeNeed>> all(beside);
  context.pool->ParallelFor(beside, [&](size_t i) {
    ThreadPool alone(1);
    Context own = context;
    own.pool = &alone;
    all[i] = EstimateTime(make, problem, ks, seed, own);
  });
  TimeNeed mean;
  for (const std::optional<TimeNeed>& one : all) {
    if (!one) return std::nullopt;
    mean.low += one->low / static_cast<double>(beside);
    mean.high += one->high / static_cast<double>(beside);
    mean.basis = one->basis;
  }
  return mean;
}

}  // namespace slm
