#include "report/metrics_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/format.h"

namespace slm {
namespace {

constexpr size_t kMaxClassWidth = 32;
constexpr size_t kClassesOfMatrix = 12;  // more do not fit beside each other
constexpr size_t kConfusionsShown = 10;

std::string Rows(size_t count, const char* kind) {
  return std::to_string(count) + " " + kind + (count == 1 ? " row" : " rows");
}

std::string Share(const std::optional<double>& value) {
  return value ? Format("%.3f", *value) : "-";
}

std::string PadLeft(const std::string& text, size_t width) {
  const size_t own = DisplayWidth(text);
  return std::string(width > own ? width - own : 0, ' ') + text;
}

// Metrics of an order give every constant the same value, whatever class it names.
std::string BaselineText(const std::string& name, const std::string& metric) {
  if (metric == "auc" || metric == "average_precision") return "chance";
  return name == "majority" ? "majority class" : name + " alone";
}

std::string Heading(const std::string& text, const Terminal& terminal) {
  return terminal.color ? "\x1b[1m" + text + "\x1b[0m\n" : text + "\n";
}

std::string ConfusionMatrix(const ByClass& result, size_t name_width, const Terminal& terminal) {
  const size_t classes = result.classes.size();
  std::vector<size_t> widths;
  for (size_t c = 0; c < classes; ++c) {
    size_t width = std::min<size_t>(DisplayWidth(Printable(result.classes[c].name)), 12);
    for (const std::vector<size_t>& row : result.confusion) {
      width = std::max(width, std::to_string(row[c]).size());
    }
    widths.push_back(width);
  }
  std::string heading = Fit("true \\ said", name_width);
  for (size_t c = 0; c < classes; ++c) {
    const std::string name = Printable(result.classes[c].name);
    heading +=
        "  " + (DisplayWidth(name) > widths[c] ? Fit(name, widths[c]) : PadLeft(name, widths[c]));
  }
  std::string out = Heading(heading, terminal);
  for (size_t c = 0; c < classes; ++c) {
    out += Fit(Printable(result.classes[c].name), name_width);
    for (size_t p = 0; p < classes; ++p) {
      out += "  " + PadLeft(std::to_string(result.confusion[c][p]), widths[p]);
    }
    out += "\n";
  }
  return out;
}

std::string MostConfused(const ByClass& result) {
  struct Confusion {
    size_t rows, actual, predicted;
  };
  std::vector<Confusion> all;
  for (size_t a = 0; a < result.confusion.size(); ++a) {
    for (size_t p = 0; p < result.confusion.size(); ++p) {
      if (a != p && result.confusion[a][p] > 0) all.push_back({result.confusion[a][p], a, p});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Confusion& a, const Confusion& b) { return a.rows > b.rows; });
  if (all.empty()) return "no class was taken for another\n";
  std::string out = "confused most:\n";
  for (size_t i = 0; i < std::min(all.size(), kConfusionsShown); ++i) {
    out += "  " + Printable(result.classes[all[i].actual].name) + " taken for " +
           Printable(result.classes[all[i].predicted].name) + ": " + std::to_string(all[i].rows) +
           "\n";
  }
  return out;
}

}  // namespace

std::string MetricText(double value) {
  if (!std::isfinite(value)) return "undefined";
  const double size = std::abs(value);
  if (size >= 1000) return Format("%.0f", value);
  if (size >= 100) return Format("%.1f", value);
  if (size >= 10) return Format("%.2f", value);
  if (size >= 0.001 || size == 0) return Format("%.4f", value);
  return Format("%.3e", value);
}

std::string MetricsText(const std::string& metric, double valid, std::optional<double> test,
                        const MetricEvidence& evidence, const DataSummary& data) {
  std::string out =
      Printable(metric) + " " + MetricText(valid) + " on " + Rows(data.valid, "validation");
  if (test) out += ", " + MetricText(*test) + " on " + Rows(data.test, "test");
  out += "\n";
  std::string beside;
  auto add = [&](const std::string& text) { beside += (beside.empty() ? "" : ", ") + text; };
  auto pick = [&](const auto& of) { return test ? of->test : of->valid; };
  if (evidence.interval) {
    if (const auto interval = pick(evidence.interval)) {
      add("95 % interval " + MetricText((*interval)[0]) + " to " + MetricText((*interval)[1]));
    }
  }
  if (evidence.baseline) {
    if (const auto value = pick(evidence.baseline)) {
      add(BaselineText(evidence.baseline->name, metric) + " " + MetricText(*value));
    }
  }
  if (evidence.all_columns) {
    if (const auto value = pick(evidence.all_columns)) add("all columns " + MetricText(*value));
  }
  if (evidence.beside) {
    if (const auto value = pick(evidence.beside)) {
      add(evidence.beside->name + " " + MetricText(*value));
    }
  }
  if (beside.empty()) return out;
  return out + "  " + (test ? "test" : "validation") + " rows: " + beside + "\n";
}

std::string RenderByClass(const ByClass& result, const Terminal& terminal) {
  size_t name_width = 11;  // of the heading of the matrix
  for (const ClassResult& one : result.classes) {
    name_width = std::max(name_width, DisplayWidth(Printable(one.name)));
  }
  name_width = std::min(name_width, kMaxClassWidth);
  std::string out =
      "\n" + Heading(Fit("class", name_width) + "    rows  precision  recall     F1", terminal);
  for (const ClassResult& one : result.classes) {
    out += Fit(Printable(one.name), name_width) + "  " + PadLeft(std::to_string(one.rows), 6) +
           "  " + PadLeft(Share(one.precision), 9) + "  " + PadLeft(Share(one.recall), 6) + "  " +
           PadLeft(Share(one.f1), 5) + "\n";
  }
  out += "\n" + std::string("of the ") + result.rows + " rows:\n";
  return out + (result.classes.size() <= kClassesOfMatrix
                    ? ConfusionMatrix(result, name_width, terminal)
                    : MostConfused(result));
}

}  // namespace slm
