#include "jobs/outcome.h"

#include <utility>

#include "base/version.h"

namespace slm {

Json Outcome::Head(std::string_view schema, std::string_view method,
                   std::string_view target) const {
  Json json = Json::MakeObject();
  json.Add("schema", schema);
  json.Add("version", Version());
  if (!method.empty()) json.Add("method", method);
  json.Add("task", data.TaskName());
  json.Add("target", target);
  return json;
}

Json Outcome::WithEnd(Json json) const {
  Json seconds = Json::MakeObject();
  seconds.Add("read", read_seconds);
  seconds.Add("total", total_seconds);
  json.Add("stopped_early", stopped_early);
  json.Add("seconds", std::move(seconds));
  return json;
}

Json MetricsToJson(std::string_view name, double valid, std::optional<double> test) {
  Json metrics = Json::MakeObject();
  metrics.Add("name", name);
  metrics.Add("valid", valid);
  metrics.Add("test", test);
  return metrics;
}

}  // namespace slm
