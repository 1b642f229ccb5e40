#include "cli/selection_job.h"

#include <optional>
#include <utility>

#include "cli/path_flags.h"
#include "cli/split_flags.h"
#include "jobs/cross_validate.h"
#include "jobs/explain.h"

namespace slm {

SelectionJob::SelectionJob(Arguments arguments, const FileSetting* method)
    : method_(arguments, method) {
  flags_.k_flag = KFlag::kNumberOrAuto;
}

void SelectionJob::Describe(const OptionList& what, OptionList run, ArgParser* parser) {
  OptionList all;
  method_.DescribeMethod(&all);
  for (const OptionField& field : what.fields()) all.Add(field);
  all.Int("ensemble", &flags_.request.ensemble, 1, 1000,
          "choose by the mean weights of `N` selections, from --seed on");
  all.Add(CrossValidationOption(&folds_, &flags_.request.split_by));
  all.Int("null", &null_runs_, 0, 100000,
          "repeat everything `N` times with shuffled labels, to see what chance gives");
  DescribePathOptions(&path_, "for -k auto: ", &all);
  DescribeJob(&flags_, all, std::move(run),
              "end after `SECONDS` with the best so far (exit code 5); 0 for no limit", parser);
  method_.DescribeOptions(parser);
}

void SelectionJob::Validate(const ArgParser& parser) {
  ValidateJob("select", parser, &flags_);
  if (folds_ > 0) ValidateCrossValidation(flags_.auto_k, &flags_.request);
}

PathRequest SelectionJob::PathToK() const {
  PathRequest path = path_;
  path.select = flags_.request;
  path.method = method_.name();
  path.make = [this] { return method_.Make(); };
  return path;
}

SelectionWork SelectionJob::Work(const Job& job) const {
  return {.tables = &job.tables(),
          .request = flags_.request,
          .method = std::string(method_.name()),
          .make = [this] { return method_.Make(); },
          .folds = folds_};
}

Plan SelectionJob::MakePlan(Job& job) {
  const PathRequest path = PathToK();
  return PlanSelection(Work(job), null_runs_, flags_.auto_k ? &path : nullptr, job.context(0));
}

std::string SelectionJob::Explain(Job& job) const {
  return ExplainRecipe(job.tables(), flags_.request, method_.name(), *method_.Make(), flags_.json,
                       job.context(0));
}

PathResult SelectionJob::FindK(Job& job) {
  // Half of the time is left for the selection itself.
  PathResult found = FollowPath(job.tables(), PathToK(), job.context(flags_.time_limit / 2));
  flags_.request.k = found.chosen_k;
  return found;
}

SelectionResult SelectionJob::Run(Job& job) {
  std::optional<Json> k_path;
  if (flags_.auto_k) k_path = FindK(job).ToJson();
  const Context context = job.context(flags_.time_limit);
  SelectionResult found =
      SelectFromTable(job.tables(), flags_.request, method_.name(), method_.selector(), context);
  found.k_path = std::move(k_path);
  const SelectionWork work = Work(job);
  double actual = found.test_metric.value_or(found.valid_metric);
  if (folds_ > 0) {
    found.cross_validation = CrossValidate(work, context);
    actual = found.cross_validation->Metric().mean;
    found.stopped_early |= !found.cross_validation->Complete();
  }
  if (null_runs_ > 0) {
    found.null = CompareWithChance(work, null_runs_, actual, context);
    found.stopped_early |= !found.null->Complete();
  }
  return found;
}

}  // namespace slm
