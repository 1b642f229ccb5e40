#include "jobs/path.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "base/checkpoint.h"
#include "base/clock.h"
#include "base/thread_pool.h"
#include "jobs/given_up.h"
#include "jobs/judge.h"
#include "jobs/keep_columns.h"
#include "jobs/resample.h"
#include "jobs/side_by_side.h"
#include "jobs/time_shares.h"
#include "selectors/catalog.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr int kLargestByDefault = 1000;

// One set of columns of one fold, and what it came to.
struct Judged {
  size_t fold;
  PathSet set;
  bool random;
  double valid = 0, held_out = 0;
  size_t index = 0;  // among those of the fold
  bool done = false;
};

struct Verdict {
  double valid = 0, held_out = 0;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("valid", valid);
    v("held_out", held_out);
  }
};

class PathRun {
 public:
  PathRun(const Tables& tables, const PathSpec& request, const Context& context)
      : tables_(tables), context_(context), crowd_(context) {
    result_.request = request;
    select_ = request.select;
    select_.k = std::max(1, static_cast<int>(select_.keep.size()));
    folds_ = Resampler(tables, select_).Folds(static_cast<size_t>(request.folds));
  }

  PathResult Run() {
    const Clock::time_point start = Clock::now();
    const size_t at_once = static_cast<size_t>(context_.pool->threads());
    // Where time is limited, one fold is finished before others begin.
    size_t count = context_.deadline ? 1 : at_once;
    for (size_t first = 0; first < folds_.size() && !GivesUp(context_, first == 0);
         first += count) {
      if (first > 0) count = std::min(at_once, folds_.size() - first);
      RunFolds(first, std::min(count, folds_.size() - first));
    }
    result_.stopped_early = context_.ShouldStop() || result_.hurried;
    if (result_.folds == 0 || result_.points.empty()) {
      throw NoResultYet(
          "stopped before the first fold was finished; allow more time, or fewer k by " +
          FieldRef("k_max"));
    }
    Choose();
    result_.total_seconds = SecondsSince(start);
    return std::move(result_);
  }

 private:
  // The first folds divide what time there is, so that there is a result. Later ones count only
  // where they come to their end.
  void RunFolds(size_t first, size_t count) {
    const bool divide = first == 0 && context_.deadline;
    std::vector<std::unique_ptr<Preparation>> prepared;
    for (size_t f = first; f < first + count; ++f) {
      prepared.push_back(
          first == 0 ? PrepareOrGiveUp(tables_, select_, folds_[f], context_, /*needed=*/true)
                     : PrepareIfTime(tables_, select_, folds_[f], context_));
      if (prepared.back() == nullptr || GivesUp(context_, first == 0)) return;
    }
    const Context selecting = divide ? TimeShares::Part(crowd_.each(), 0.5) : crowd_.each();
    if (first == 0) Describe(*prepared[0]);

    std::vector<std::vector<Judged>> by_fold(count);
    auto select = [&](size_t i) {
      by_fold[i] = SetsOf(i, first + i, prepared[i]->problem(), selecting);
      crowd_.Tell("select", ++selected_, static_cast<int>(folds_.size()));
    };
    // A single fold has the threads to itself.
    count == 1 ? select(0) : context_.pool->ParallelFor(count, select);

    std::vector<Judged> all;
    for (std::vector<Judged>& own : by_fold) {
      all.insert(all.end(), std::make_move_iterator(own.begin()),
                 std::make_move_iterator(own.end()));
    }
    // Large sets take longest: they go first, so that the threads end together.
    std::stable_sort(all.begin(), all.end(),
                     [](const Judged& a, const Judged& b) { return a.set.k > b.set.k; });
    if (divide) CoarseFirst(&all);
    std::vector<double> weights;
    for (const Judged& judged : all) {
      const Problem& problem = prepared[judged.fold]->problem();
      weights.push_back(
          static_cast<double>(problem.train.y.outputs() + judged.set.features.size()));
    }
    const TimeShares shares(context_, std::move(weights), context_.pool->threads());
    std::atomic<int> done = 0;
    std::atomic<bool> cut = selecting.ShouldStop();
    context_.pool->ParallelFor(all.size(), [&](size_t i) {
      // The largest k has a turn in any case.
      if (GivesUp(context_, divide && all[i].set.k == all[0].set.k)) return;
      const Context judging = divide ? shares.Of(i, crowd_.each()) : crowd_.each();
      Judged& judged = all[i];
      const Preparation& own = *prepared[judged.fold];
      const Verdict verdict = Checkpointed(
          judging, FoldName(first + judged.fold) + " set " + std::to_string(judged.index),
          [](Archive& archive, Verdict& kept) { Serialize(archive, kept); },
          [&](const Context& context) -> Verdict {
            const Model model = Judge(own.problem(), judged.set.features, result_.request.refits,
                                      select_.seed + first + judged.fold, context)
                                    .model;
            return {own.Validate(model), *own.Test(model)};
          });
      judged.valid = verdict.valid;
      judged.held_out = verdict.held_out;
      judged.done = true;
      if (divide && judging.ShouldStop()) cut = true;
      crowd_.Tell("judge", ++done, static_cast<int>(all.size()));
    });
    // Folds cut short would be optimistic or empty.
    if (GivesUp(context_, divide)) return;
    for (const Judged& judged : all) cut = cut || !judged.done;
    result_.hurried |= cut;
    if (cut) DropUnjudged(all);
    for (size_t i = 0; i < count; ++i) Record(i, all);
    result_.folds += static_cast<int>(count);
  }

  // Every second k after every fourth after every eighth, so that what there is time for spans the
  // range. Given and left with sets of one k together.
  static void CoarseFirst(std::vector<Judged>* all) {
    std::vector<int> ks;  // descending
    for (const Judged& judged : *all) {
      if (ks.empty() || judged.set.k != ks.back()) ks.push_back(judged.set.k);
    }
    auto level = [&](const Judged& judged) {
      const auto at = std::find(ks.begin(), ks.end(), judged.set.k) - ks.begin();
      return std::countr_zero(static_cast<size_t>(at));  // of 0 as many as there are
    };
    std::stable_sort(all->begin(), all->end(),
                     [&](const Judged& a, const Judged& b) { return level(a) > level(b); });
  }

  // Leaves the points that have what Record wants, and `all` without what was not judged.
  void DropUnjudged(std::vector<Judged>& all) {
    std::erase_if(all, [](const Judged& judged) { return !judged.done; });
    std::erase_if(result_.points, [&](const PathPoint& point) {
      auto has = [&](bool random) {
        return std::any_of(all.begin(), all.end(), [&](const Judged& judged) {
          return judged.set.k == point.k && judged.random == random;
        });
      };
      return !has(false) || !has(true);
    });
  }

  void Describe(const Preparation& prepared) {
    result_.data = prepared.summary();
    result_.metric = prepared.metric().name;
    result_.larger_is_better = prepared.metric().larger_is_better;
    for (int k : ChooseGrid(result_.request, prepared.problem())) {
      result_.points.push_back({.k = k, .method = {}, .random = {}});
    }
  }

  // The sets of a fold to be judged, each once.
  std::vector<Judged> SetsOf(size_t place, size_t fold, const Problem& problem,
                             const Context& selecting) const {
    // Another fold may have fewer columns that vary; all of them stand for more.
    std::vector<int> ks;
    const int most = static_cast<int>(problem.layout.features());
    for (const PathPoint& point : result_.points) {
      if (point.k < most || ks.empty() || ks.back() < most) ks.push_back(std::min(point.k, most));
    }
    std::vector<Judged> sets;
    auto add = [&](Selector& selector, std::string_view name, bool random) {
      CheckMemory(name, selector, problem, ks.back());
      std::set<std::vector<int>> seen;
      std::vector<PathSet> found = Checkpointed(
          selecting, FoldName(fold) + " " + std::string(name),
          [&](Archive& archive, std::vector<PathSet>& kept) {
            archive.List(kept, [&](PathSet& set) {
              archive.Value(set.k);
              archive.Require(std::binary_search(ks.begin(), ks.end(), set.k),
                              "has a number of columns that nobody asked for");
              archive.DistinctIndices(set.features, problem.layout.features());
              archive.Require(set.features.size() == static_cast<size_t>(set.k),
                              "has another number of columns");
            });
            // It stands for larger ones that a method does not come by.
            archive.Require(HasSetOf(ks.front(), kept), "lacks the fewest columns");
          },
          [&](const Context& context) {
            return SelectEachKept(selector, problem, ks, select_.seed + fold, context);
          });
      for (PathSet& set : found) {
        std::vector<int> ascending = set.features;
        std::sort(ascending.begin(), ascending.end());
        if (seen.insert(ascending).second) sets.push_back({place, std::move(set), random});
      }
    };
    add(*result_.request.make(), result_.request.method, false);
    add(*FindMethod("random").make(), "random", true);
    for (size_t i = 0; i < sets.size(); ++i) sets[i].index = i;
    return sets;
  }

  static bool HasSetOf(int k, std::span<const PathSet> sets) {
    return std::any_of(sets.begin(), sets.end(), [&](const PathSet& set) { return set.k == k; });
  }

  static std::string FoldName(size_t fold) { return "fold " + std::to_string(fold); }

  double Sign() const { return result_.larger_is_better ? 1 : -1; }

  // For each k the set that validation prefers.
  void Record(size_t place, const std::vector<Judged>& all) {
    for (PathPoint& point : result_.points) {
      for (bool random : {false, true}) {
        const Judged* best = nullptr;
        for (const Judged& judged : all) {
          if (judged.fold != place || judged.random != random || judged.set.k > point.k) continue;
          const bool nearer = best == nullptr || judged.set.k > best->set.k;
          const bool better = best != nullptr && judged.set.k == best->set.k &&
                              Sign() * judged.valid > Sign() * best->valid;
          if (nearer || better) best = &judged;
        }
        (random ? point.random : point.method).push_back(best->held_out);
      }
    }
  }

  void Choose() {
    const PathPoint* best = &result_.points[0];
    for (const PathPoint& point : result_.points) {
      if (Sign() * point.Method().mean > Sign() * best->Method().mean) best = &point;
    }
    result_.best_k = best->k;
    for (const PathPoint& point : result_.points) {
      if (Sign() * point.Method().mean < Sign() * result_.Bar()) continue;
      result_.chosen_k = point.k;
      return;
    }
  }

  const Tables& tables_;
  const Context& context_;
  const SideBySide crowd_;
  SelectionSpec select_;
  std::vector<RowParts> folds_;
  std::atomic<int> selected_ = 0;
  PathResult result_;
};

}  // namespace

std::vector<int> GeometricGrid(int largest) {
  std::vector<int> ks;
  for (double k = 1; k < largest; k *= 1.5) {
    const int rounded = static_cast<int>(std::ceil(k));
    if (rounded < largest) ks.push_back(rounded);
  }
  ks.push_back(largest);
  return ks;
}

std::vector<int> ChooseGrid(const PathSpec& request, const Problem& problem) {
  const int most = static_cast<int>(problem.layout.features());
  const int least = std::max(1, static_cast<int>(problem.keep.size()));
  if (request.ks.empty()) {
    const int largest = std::min(most, request.k_max > 0 ? request.k_max : kLargestByDefault);
    std::vector<int> grid = GeometricGrid(std::max(least, largest));
    std::erase_if(grid, [&](int k) { return k < least; });
    return grid;
  }
  const std::set<int> ks(request.ks.begin(), request.ks.end());
  if (*ks.begin() < least || *ks.rbegin() > most) {
    throw DataError("k is " + std::to_string(*ks.begin() < least ? *ks.begin() : *ks.rbegin()) +
                    ", but from " + std::to_string(least) + " to " + std::to_string(most) +
                    " columns can be chosen; change " + FieldRef("k_list"));
  }
  return {ks.begin(), ks.end()};
}

double PathResult::Bar() const {
  for (const PathPoint& point : points) {
    if (point.k != best_k) continue;
    const Spread spread = point.Method();
    const double give = request.tolerance.value_or(spread.Error());
    return larger_is_better ? spread.mean - give : spread.mean + give;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

PathResult FollowPath(const Tables& tables, const PathSpec& request, const Context& context) {
  return PathRun(tables, request, context).Run();
}

Json PathResult::ToJson() const { return WriteFields(*this); }

PathResult PathResult::FromJson(const Json& json) {
  PathResult result = ReadFields<PathResult>(json);
  if (result.points.empty()) throw DataError("its points: there are none");
  return result;
}

}  // namespace slm
