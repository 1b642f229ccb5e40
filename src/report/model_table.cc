#include "report/model_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kMaxNameWidth = 48;
constexpr size_t kMostClasses = 10;  // by name

std::string Number(double value) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.4f", value);
  return text;
}

std::string TextOf(const Json& json) { return Printable(json.text()); }

std::string ClassNames(const Json::Array& classes) {
  std::string out;
  for (size_t i = 0; i < std::min(classes.size(), kMostClasses); ++i) {
    out += (i == 0 ? "" : ", ") + TextOf(classes[i]);
  }
  return out + (classes.size() > kMostClasses ? ", ..." : "");
}

std::string PredictorLine(const Json& predictor) {
  std::string out = "predictor:";
  const Json::Array& layers = predictor["layers"].array();
  if (layers.empty()) throw DataError("its predictor has no layers");
  for (const Json& layer : layers) {
    if (layer.array().size() != 2)
      throw DataError("a layer of its predictor does not have two sizes");
    out += " " + std::to_string(layer.array()[0].integer()) + " ->";
  }
  return out + " " + std::to_string(layers.back().array()[1].integer()) + ", " +
         std::to_string(predictor["parameters"].integer()) + " parameters\n";
}

std::string MetricsLine(const Json& metrics) {
  const double valid = metrics["valid"].number(), test = metrics["test"].number();
  std::string out = TextOf(metrics["name"]) + " " + Number(valid) + " on validation rows";
  if (!std::isnan(test)) out += ", " + Number(test) + " on test rows";
  return out + "\n";
}

std::string Render(const Json& json, const Terminal& terminal) {
  const Json::Array& selected = json["selected"].array();
  size_t name_width = 4;
  for (const Json& item : selected) {
    name_width = std::max(name_width, DisplayWidth(TextOf(item["name"])));
  }
  name_width = std::min(name_width, kMaxNameWidth);
  const bool typed = !selected.empty() && selected[0].Find("type") != nullptr;
  auto line = [&](const std::string& rank, const std::string& name, const std::string& type,
                  const std::string& weight) {
    return std::string(rank.size() < 4 ? 4 - rank.size() : 0, ' ') + rank + "  " +
           Fit(name, name_width) + "  " + (typed ? Fit(type, 9) : "") + weight + "\n";
  };
  const std::string heading = line("rank", "name", "type", "weight");
  std::string out =
      terminal.color ? "\x1b[1m" + heading.substr(0, heading.size() - 1) + "\x1b[0m\n" : heading;
  for (const Json& item : selected) {
    out += line(std::to_string(item["rank"].integer()), TextOf(item["name"]),
                typed ? TextOf(item["type"]) : "", Number(item["weight"].number()));
  }
  out += "\n" + TextOf(json["task"]) + " of " + TextOf(json["target"]);
  if (const Json* classes = json.Find("classes")) out += ": " + ClassNames(classes->array());
  const int64_t k = json["k"].integer();  // a group of columns counts once
  out += "\n" + std::to_string(k) + (k == 1 ? " feature" : " features") + " chosen by " +
         TextOf(json["method"]) + " " + TextOf(json["version"]) + " with seed " +
         std::to_string(json["seed"].integer()) + " from " +
         std::to_string(json["data"]["train"].integer()) + " training rows\n";
  if (const Json* predictor = json.Find("predictor")) out += PredictorLine(*predictor);
  return out + MetricsLine(json["metrics"]);
}

}  // namespace

std::string RenderResult(const Json& json, const std::string& path, const Terminal& terminal) {
  try {
    const std::string& schema = json["schema"].text();
    if (schema == "slm.model/1" || schema == "slm.selection/1") return Render(json, terminal);
    throw DataError("its schema is '" + schema + "', and only models and selections (" +
                    "slm.selection/1) are shown; see it as JSON with --json");
  } catch (const InputError& error) {
    throw DataError(path + ": " + error.what());
  }
}

}  // namespace slm
