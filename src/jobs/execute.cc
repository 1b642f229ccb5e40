#include "jobs/execute.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "jobs/cross_validate.h"
#include "jobs/methods.h"
#include "slm/errors.h"

namespace slm {
namespace {

SelectionSpec SpecOf(const SelectRequest& request, Job& job) {
  SelectionSpec spec = job.Resolve(request.k);
  spec.ensemble = request.ensemble;
  spec.all_columns = request.all_columns;
  spec.by_class = request.by_class;
  spec.fdr = request.fdr;
  spec.significance = request.significance;
  spec.significance_rounds = request.significance_rounds;
  spec.choose_significant = !request.k.given();
  if (spec.choose_significant) spec.k = 1;  // until it is known how many there are
  // With folds that evaluate, no rows of the data are kept for testing.
  if (request.cv > 0) {
    const double rest = spec.split[0] + spec.split[1];
    spec.split = {spec.split[0] / rest, spec.split[1] / rest, 0};
  }
  job.CheckData(&spec);
  return spec;
}

SelectionWork WorkOf(const SelectRequest& request, SelectionSpec spec, Job& job) {
  return {.tables = &job.tables(),
          .request = std::move(spec),
          .method = request.method,
          .make = FactoryOf(request),
          .folds = request.cv};
}

// The path that finds the k of a selection.
PathSpec PathToK(const SelectRequest& request, const SelectionSpec& spec) {
  PathSpec path;
  path.select = spec;
  path.method = request.method;
  path.make = FactoryOf(request);
  path.folds = request.folds;
  path.tolerance = request.tolerance;
  return path;
}

CompareSpec SpecOf(const CompareRequest& request, Job& job) {
  CompareSpec spec;
  spec.select = job.Resolve(request.k);
  spec.seeds = request.seeds;
  spec.refits = request.refits;
  spec.selection_limit = request.selection_limit;
  MethodList methods = request;
  methods.methods.push_back("random");  // a baseline to compare with
  spec.methods = MethodsOf(methods);
  job.CheckData(&spec.select);
  return spec;
}

TuneSpec SpecOf(const TuneRequest& request, Job& job) {
  TuneSpec spec;
  spec.select = job.Resolve(request.k);
  spec.method = request.method;
  MethodChoice untouched = request;
  untouched.options.clear();
  spec.make = FactoryOf(untouched);
  spec.fixed = request.options;
  spec.trials = request.trials;
  spec.strategy = request.strategy;
  spec.judges = request.judges;
  spec.journal = request.journal;
  spec.resume = request.resume;
  job.CheckData(&spec.select);
  return spec;
}

PathSpec SpecOf(const PathRequest& request, Job& job) {
  PathSpec spec;
  spec.select = job.Resolve({});
  spec.method = request.method;
  spec.make = FactoryOf(request);
  spec.ks = request.k_list;
  spec.k_max = request.k_max;
  spec.folds = request.folds;
  spec.refits = request.refits;
  spec.tolerance = request.tolerance;
  job.CheckData(&spec.select);
  return spec;
}

StabilitySpec SpecOf(const StabilityRequest& request, Job& job) {
  StabilitySpec spec;
  spec.select = job.Resolve(request.k);
  spec.resamples = request.resamples;
  spec.subsample = request.subsample;
  spec.methods = MethodsOf(request);
  job.CheckData(&spec.select);
  return spec;
}

PathResult Follow(const PathSpec& spec, double time_limit, Job& job) {
  try {
    return FollowPath(job.tables(), spec, job.context(time_limit));
  } catch (const NoResultYet&) {
    job.Flush();
    throw;
  }
}

// The result of the work, once the job has added what it knows of it. A checkpoint that does not
// fit passes through the work as a failure of the run; to the caller it is bad input.
template <class Work>
auto Finished(const Work& work, Job& job) {
  try {
    auto found = work();
    job.Finish(&found);
    return found;
  } catch (const UnfitCheckpoint& error) {
    throw DataError(error.marked());
  }
}

SelectionResult SelectAndRepeat(const SelectRequest& request, Job& job) {
  SelectionWork work = WorkOf(request, SpecOf(request, job), job);
  std::optional<Json> k_path;
  bool cut = false;
  if (request.k.best) {
    // Half of the time is left for the selection itself.
    const PathResult path = Follow(PathToK(request, work.request), request.time_limit / 2, job);
    work.request.k = path.chosen_k;
    k_path = path.ToJson();
    cut = path.stopped_early;
  }
  const Context context = job.context(request.time_limit);
  SelectionResult found =
      SelectFromParts(job.tables(), work.request, CutRows(job.tables(), work.request), work.method,
                      *work.make(), context);
  found.k_path = std::move(k_path);
  found.stopped_early |= cut;
  double actual = found.test_metric.value_or(found.valid_metric);
  if (request.cv > 0) {
    found.cross_validation = CrossValidate(work, context);
    actual = found.cross_validation->Metric().mean;
    found.stopped_early |= !found.cross_validation->Complete();
  }
  if (request.null > 0) {
    found.null = CompareWithChance(work, request.null, actual, context);
    found.stopped_early |= !found.null->Complete();
  }
  return found;
}

}  // namespace

SelectionResult Execute(const SelectRequest& request, Job& job) {
  return Finished([&] { return SelectAndRepeat(request, job); }, job);
}

ComparisonResult Execute(const CompareRequest& request, Job& job, MemoryMeter* memory) {
  CompareSpec spec = SpecOf(request, job);
  spec.memory = memory;
  return Finished(
      [&] { return CompareMethods(job.tables(), spec, job.context(request.time_limit)); }, job);
}

TuningResult Execute(const TuneRequest& request, Job& job) {
  return Finished(
      [&] { return Tune(job.tables(), SpecOf(request, job), job.context(request.time_limit)); },
      job);
}

PathResult Execute(const PathRequest& request, Job& job) {
  return Finished([&] { return Follow(SpecOf(request, job), request.time_limit, job); }, job);
}

StabilityResult Execute(const StabilityRequest& request, Job& job) {
  return Finished(
      [&] {
        return CompareStability(job.tables(), SpecOf(request, job),
                                job.context(request.time_limit));
      },
      job);
}

Plan PlanOf(const SelectRequest& request, Job& job) {
  const SelectionWork work = WorkOf(request, SpecOf(request, job), job);
  const PathSpec path = PathToK(request, work.request);
  return Finished(
      [&] {
        return PlanSelection(work, request.null, request.k.best ? &path : nullptr, job.context(0));
      },
      job);
}

Plan PlanOf(const CompareRequest& request, Job& job) {
  return Finished(
      [&] { return PlanComparison(job.tables(), SpecOf(request, job), job.context(0)); }, job);
}

Plan PlanOf(const TuneRequest& request, Job& job) {
  return Finished([&] { return PlanTuning(job.tables(), SpecOf(request, job), job.context(0)); },
                  job);
}

Plan PlanOf(const PathRequest& request, Job& job) {
  return Finished([&] { return PlanPath(job.tables(), SpecOf(request, job), job.context(0)); },
                  job);
}

Plan PlanOf(const StabilityRequest& request, Job& job) {
  return Finished([&] { return PlanStability(job.tables(), SpecOf(request, job), job.context(0)); },
                  job);
}

Beginning BeginningOf(const SelectRequest& request, Job& job) {
  const SelectionSpec spec = SpecOf(request, job);
  RowParts parts = CutRows(job.tables(), spec);
  Beginning beginning{
      .task = Task::kClassification, .k = spec.k, .dropped = {}, .training_rows = parts.train.rows};
  std::sort(beginning.training_rows.begin(), beginning.training_rows.end());
  const Preparation prepared(job.tables(), spec, std::move(parts), job.pool());
  beginning.task = prepared.summary().task;
  beginning.dropped = prepared.summary().dropped;
  return beginning;
}

std::string ExplainRecipe(const SelectRequest& request, Job& job, bool json) {
  SelectionSpec spec = SpecOf(request, job);
  // The recipe does not depend on k.
  spec.k = std::max({1, spec.k, static_cast<int>(spec.keep.size())});
  const Preparation prepared(job.tables(), spec, CutRows(job.tables(), spec), job.pool());
  std::string text = FactoryOf(request)()->ExplainRecipe(prepared.problem(), json);
  if (text.empty()) {
    throw UsageError(FieldRef("explain_recipe") + ": method " + request.method +
                     " has no recipe of runs; it is for slm, slm-hsic, softmax-topk and "
                     "sparsemax-free");
  }
  return text;
}

}  // namespace slm
