#pragma once

#include <optional>
#include <string_view>

#include "base/json.h"
#include "jobs/prepare.h"
#include "slm/errors.h"

namespace slm {

// Stopped before there was anything to give back.
class NoResultYet : public RuntimeFailure {
 public:
  using RuntimeFailure::RuntimeFailure;
};

// What the result of every command has beside its own findings.
struct Outcome {
  DataSummary data;            // where rows are drawn again and again, of the first time
  bool stopped_early = false;  // the deadline or the observer ended it
  double read_seconds = 0, total_seconds = 0;

  // The JSON opens with schema, version, method (if it is about one), task and target ...
  Json Head(std::string_view schema, std::string_view method, std::string_view target) const;
  // ... and ends with whether it was stopped, and the seconds.
  Json WithEnd(Json json) const;
};

// Name of the metric, and its value on validation and test rows.
Json MetricsToJson(std::string_view name, double valid, std::optional<double> test);

}  // namespace slm
