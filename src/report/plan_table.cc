#include "report/plan_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "base/format.h"
#include "base/text.h"

namespace slm {
namespace {

constexpr size_t kLabelWidth = 10;
constexpr size_t kMethodWidth = 16;

// Two digits are more than an estimate knows.
std::string TwoDigits(double value) { return Format(value < 10 ? "%.2g" : "%.0f", value); }

std::string Duration(double seconds) {
  if (seconds < 120) return TwoDigits(seconds) + " s";
  if (seconds < 7200) return TwoDigits(seconds / 60) + " min";
  return TwoDigits(seconds / 3600) + " h";
}

std::string Range(const TimeNeed& time) {
  const std::string low = Duration(time.low), high = Duration(time.high);
  return low == high ? low : low + " to " + high;
}

std::string Memory(double bytes) {
  constexpr double kMebi = 1024.0 * 1024.0;
  return bytes < 1024 * kMebi ? TwoDigits(bytes / kMebi) + " MiB"
                              : TwoDigits(bytes / kMebi / 1024) + " GiB";
}

std::string Line(const std::string& label, const std::string& text) {
  return Fit(label, kLabelWidth) + text + "\n";
}

// "2 constant, 1 dropped by the user": why columns cannot be chosen.
std::string Reasons(const std::vector<DroppedColumn>& dropped) {
  std::map<std::string_view, size_t> counts;
  for (const DroppedColumn& column : dropped) ++counts[column.reason.Word()];
  std::string out;
  for (const auto& [reason, count] : counts) {
    out += (out.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(reason);
  }
  return out;
}

}  // namespace

std::string RenderPlan(const Plan& plan, const Terminal&) {
  const DataSummary& data = plan.data;
  std::string out = Line("rows", std::to_string(data.rows) + ": " + std::to_string(data.train) +
                                     " to train, " + std::to_string(data.valid) + " to validate, " +
                                     std::to_string(data.test) + " to test");
  std::string columns = std::to_string(plan.usable) + " of " + std::to_string(data.features) +
                        " can be chosen, encoded as " + std::to_string(plan.encoded);
  const std::string reasons = Reasons(data.dropped);
  if (!reasons.empty()) columns += "; not: " + reasons;
  out += Line("columns", columns);
  out += Line("target", Printable(plan.request.target) + ", " + std::string(data.TaskName()));
  out += Line("memory", "about " + Memory(plan.peak_bytes) + " at the peak; " +
                            Memory(plan.available_bytes) + " are free now");
  out +=
      Line("time", (plan.Complete() ? "about " : "at least ") + Range(plan.Seconds()) + " on " +
                       std::to_string(plan.threads) + (plan.threads == 1 ? " thread" : " threads"));
  out += Line("", "reading " + Duration(plan.read_seconds) + " (done), preparing " +
                      Duration(plan.prepare_seconds));
  for (const PlannedPart& part : plan.parts) {
    out += Line("", std::to_string(part.count) + " x " + part.what + ": " +
                        (part.time ? Range(*part.time) : "no estimate"));
  }
  const char* label = plan.methods.size() == 1 ? "method" : "methods";
  for (const PlannedMethod& method : plan.methods) {
    const std::string told =
        method.time ? Range(*method.time) + " each, estimated from " + method.time->basis
                    : "no estimate";
    out += Line(&method == &plan.methods[0] ? label : "", Fit(method.name, kMethodWidth) + told);
  }
  return out;
}

}  // namespace slm
