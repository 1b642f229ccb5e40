#pragma once

// What a command would do, before it does it: the rows and columns it would work on, and estimates
// of its memory and time. The data are read and prepared as for the work itself; of the work only
// about a second is done for each method (jobs/estimate.h), and nothing of it is kept.

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "jobs/compare.h"
#include "jobs/cross_validate.h"
#include "jobs/outcome.h"
#include "jobs/path.h"
#include "jobs/stability.h"
#include "jobs/tune.h"
#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

// The fields of an estimate, null where there is none.
template <class Visitor>
void VisitTime(Visitor& v, std::optional<TimeNeed>& time) {
  std::optional<double> low, high;
  if (time) low = time->low, high = time->high;
  v("low", low);
  v("high", high);
  if (!v.reading()) return;
  time.reset();
  if (low && high) time = TimeNeed{*low, *high, ""};
}

struct PlannedMethod {
  std::string name;
  std::optional<TimeNeed> time;  // of one selection; nothing if there is no estimate
  double bytes = 0;              // of memory beside the prepared table

  template <class Visitor>
  void VisitFields(Visitor& v) {
    std::string basis = time ? time->basis : "no estimate";
    v("method", name);
    VisitTime(v, time);
    v("basis", basis);
    v("bytes", bytes);
    if (v.reading() && time) time->basis = basis;
  }
};

// A part of the work: "selection", 3 times.
struct PlannedPart {
  std::string what;
  int count = 1;
  std::optional<TimeNeed> time;  // of all of them, on the clock

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("part", what);
    v("count", count);
    VisitTime(v, time);
  }
};

struct Plan : Outcome {
  std::string command;
  SelectionSpec request;
  std::optional<int> k;  // nothing if it is to be found
  size_t usable = 0;     // features that can be chosen
  size_t encoded = 0;    // columns of numbers that they are encoded as
  int threads = 1;
  std::vector<PlannedMethod> methods;
  std::vector<PlannedPart> parts;
  double prepare_seconds = 0;  // of encoding, as often as it would be done
  double peak_bytes = 0;       // of the whole process
  double available_bytes = 0;  // that the machine has left

  // Of everything, reading included; what has no estimate counts nothing.
  TimeNeed Seconds() const;
  bool Complete() const;  // every part has an estimate

  template <class Visitor>
  void VisitFields(Visitor& v) {
    VisitHead(v, "slm.plan/1", nullptr, request.target);
    v("command", command);
    v("k", k);
    v("seed", request.seed);
    v("threads", threads);
    v("data", data);
    v.Object("columns", [&](auto& in) {
      in.Derived("features", [&] { return data.features; });
      in("usable", usable);
      in("encoded", encoded);
      in.Derived("dropped", [&] { return data.dropped.size(); });
    });
    v("methods", methods);
    v("parts", parts);
    v.Object("memory", [&](auto& in) {
      in("peak_bytes", peak_bytes);
      in("available_bytes", available_bytes);
    });
    v.Object("seconds", [&](auto& in) {
      in("read", read_seconds);
      in("prepare", prepare_seconds);
      in.Derived("low", [&] { return Seconds().low; });
      in.Derived("high", [&] { return Seconds().high; });
      in.Derived("complete", [&] { return Complete(); });
    });
  }
  Json ToJson() const;
  // A plan that was written. Throws a DataError that names the field.
  static Plan FromJson(const Json& json);
};

// `null_runs` are those with shuffled labels, `path` finds k if nobody has said it (else null).
Plan PlanSelection(const SelectionWork& work, int null_runs, const PathSpec* path,
                   const Context& context);
Plan PlanComparison(const Tables& tables, const CompareSpec& request, const Context& context);
Plan PlanTuning(const Tables& tables, const TuneSpec& request, const Context& context);
Plan PlanPath(const Tables& tables, const PathSpec& request, const Context& context);
Plan PlanStability(const Tables& tables, const StabilitySpec& request, const Context& context);

}  // namespace slm
