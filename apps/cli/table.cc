#include "cli/table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace slm {
namespace {

constexpr size_t kBarWidth = 24;
constexpr size_t kMaxNameWidth = 48;

std::string Format(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

std::string PadLeft(const std::string& text, size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

std::string Plural(size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// Fixed decimals as long as they show something of every weight, otherwise powers of ten.
const char* WeightFormat(const std::vector<SelectedFeature>& selected) {
  bool fixed = std::all_of(selected.begin(), selected.end(), [](const SelectedFeature& feature) {
    double size = std::abs(feature.weight);
    return size == 0 || (size >= 5e-5 && size < 1e5);
  });
  return fixed ? "%.4f" : "%.3e";
}

}  // namespace

std::string RenderSelection(const SelectionResult& result, const Terminal& terminal) {
  const char* format = WeightFormat(result.selected);
  size_t name_width = 4, weight_width = 6, rank_width = 4;
  float largest = 0;
  for (const SelectedFeature& feature : result.selected) {
    name_width = std::max(name_width, DisplayWidth(Printable(feature.name)));
    weight_width = std::max(weight_width, Format(format, feature.weight).size());
    rank_width = std::max(rank_width, std::to_string(feature.rank).size());
    largest = std::max(largest, feature.weight);
  }
  name_width = std::min(name_width, kMaxNameWidth);

  std::string out = terminal.color ? "\x1b[1m" : "";
  out += PadLeft("rank", rank_width) + "  " + Fit("name", name_width) + "  " +
         PadLeft("weight", weight_width) + (terminal.color ? "\x1b[0m" : "") + "\n";
  for (const SelectedFeature& feature : result.selected) {
    out += PadLeft(std::to_string(feature.rank), rank_width) + "  " +
           Fit(Printable(feature.name), name_width) + "  " +
           PadLeft(Format(format, feature.weight), weight_width);
    double share = largest > 0 ? std::max(0.0f, feature.weight) / largest : 0.0;
    size_t bar = static_cast<size_t>(std::lround(share * static_cast<double>(kBarWidth)));
    if (bar > 0) out += "  " + std::string(bar, '#');
    out += '\n';
  }

  out += "\n" + Plural(result.selected.size(), "feature") + " of " +
         std::to_string(result.features) + " chosen by " + result.method + " for " +
         Printable(result.request.target) + " from " + Plural(result.train, "training row") + "\n";
  out += Printable(result.metric) + " " + Format("%.4f", result.valid_metric) + " on " +
         Plural(result.valid, "validation row");
  if (result.test_metric.has_value()) {
    out += ", " + Format("%.4f", *result.test_metric) + " on " + Plural(result.test, "test row");
  }
  return out + "\n";
}

std::string RenderDropped(const SelectionResult& result, size_t limit) {
  if (result.dropped.empty()) return "";
  std::string out = Plural(result.dropped.size(), "column") + " could not be chosen: ";
  for (size_t i = 0; i < std::min(limit, result.dropped.size()); ++i) {
    const DroppedColumn& column = result.dropped[i];
    out += (i == 0 ? "" : ", ") + Printable(column.name) + " (" + Printable(column.reason) + ")";
  }
  if (result.dropped.size() > limit) {
    out += ", and " + std::to_string(result.dropped.size() - limit) + " more";
  }
  return out;
}

}  // namespace slm
