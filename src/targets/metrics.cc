#include "targets/metrics.h"

#include <string>
#include <vector>

#include "base/options.h"
#include "slm/errors.h"
#include "targets/target.h"

namespace slm {
namespace {

const Metric* FindIn(const Target& target, std::string_view name) {
  for (const Metric& metric : target.metrics()) {
    if (metric.name == name) return &metric;
  }
  return nullptr;
}

}  // namespace

const Metric* FindMetricOfAnyTask(std::string_view name) {
  for (const Target* target : Targets()) {
    if (const Metric* metric = FindIn(*target, name)) return metric;
  }
  return nullptr;
}

const Metric& FindMetric(std::string_view name, Task task) {
  const Target& own = TargetOf(task);
  if (name == "auto") name = own.default_metric();
  if (const Metric* metric = FindIn(own, name)) return *metric;
  std::string fitting;
  for (const Metric& metric : own.metrics()) {
    fitting += (fitting.empty() ? "" : ", ") + std::string(metric.name);
  }
  std::vector<std::string> names;
  for (const Target* target : Targets()) {
    if (FindIn(*target, name) != nullptr) {
      throw DataError("the metric '" + std::string(name) + "' is for " +
                      std::string(target->name()) + ", and the target has " +
                      std::string(own.labels()) + "; set " + FieldRef("task") +
                      ", or take one of: " + fitting);
    }
    for (const Metric& metric : target->metrics()) names.emplace_back(metric.name);
  }
  const std::string near = NearestName(name, names);
  throw UsageError("there is no metric '" + std::string(name) + "'" +
                   (near.empty() ? "" : "; did you mean '" + near + "'?") +
                   " For this task there are: " + fitting);
}

}  // namespace slm
