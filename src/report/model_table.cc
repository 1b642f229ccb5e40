#include "report/model_table.h"

#include <algorithm>
#include <vector>

#include "base/fields.h"
#include "base/format.h"
#include "model/describe_model.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kMostClasses = 10;  // by name

std::string Number(double value) { return Format("%.4f", value); }

std::string ClassNames(const std::vector<std::string>& classes) {
  std::string out;
  for (size_t i = 0; i < std::min(classes.size(), kMostClasses); ++i) {
    out += (i == 0 ? "" : ", ") + Printable(classes[i]);
  }
  return out + (classes.size() > kMostClasses ? ", ..." : "");
}

std::string PredictorLine(const DescribedPredictor& predictor) {
  if (predictor.layers.empty()) throw DataError("its predictor has no layers");
  std::string out = "predictor:";
  for (const auto& [inputs, outputs] : predictor.layers) {
    out += " " + std::to_string(inputs) + " ->";
  }
  return out + " " + std::to_string(predictor.layers.back()[1]) + ", " +
         std::to_string(predictor.parameters) + " parameters\n";
}

std::string MetricsLine(const ModelDescription& model) {
  std::string out =
      Printable(model.metric) + " " + Number(model.valid_metric) + " on validation rows";
  if (model.test_metric) out += ", " + Number(*model.test_metric) + " on test rows";
  return out + "\n";
}

std::string Render(const ModelDescription& model, const Terminal& terminal) {
  size_t name_width = 4;
  for (const DescribedFeature& feature : model.selected) {
    name_width = std::max(name_width, DisplayWidth(Printable(feature.name)));
  }
  name_width = std::min(name_width, kMaxNameWidth);
  const bool typed = !model.selected.empty() && !model.selected[0].type.empty();
  const bool measured = !model.selected.empty() && model.selected[0].importance;
  auto line = [&](const std::string& rank, const std::string& name, const std::string& type,
                  const std::string& importance, const std::string& weight) {
    return std::string(rank.size() < 4 ? 4 - rank.size() : 0, ' ') + rank + "  " +
           Fit(name, name_width) + "  " + (typed ? Fit(type, 9) : "") +
           (measured ? Fit(importance, 12) : "") + weight + "\n";
  };
  const std::string heading = line("rank", "name", "type", "importance", "weight");
  std::string out =
      terminal.color ? "\x1b[1m" + heading.substr(0, heading.size() - 1) + "\x1b[0m\n" : heading;
  for (const DescribedFeature& feature : model.selected) {
    out += line(std::to_string(feature.rank), Printable(feature.name), Printable(feature.type),
                Number(feature.importance.value_or(0)),
                feature.weight ? Number(static_cast<double>(*feature.weight)) : "-");
  }
  out += "\n" + Printable(model.task) + " of " + Printable(model.target);
  if (!model.classes.empty()) out += ": " + ClassNames(model.classes);
  // A group of columns counts once.
  out += "\n" + std::to_string(model.k) + (model.k == 1 ? " feature" : " features") +
         " chosen by " + Printable(model.method) + " " + Printable(model.version) + " with seed " +
         std::to_string(model.seed) + " from " + std::to_string(model.train_rows) +
         " training rows\n";
  if (model.predictor) out += PredictorLine(*model.predictor);
  return out + MetricsLine(model);
}

}  // namespace

std::string RenderResult(const Json& json, const std::string& path, const Terminal& terminal) {
  try {
    const std::string& schema = json["schema"].text();
    if (schema == "slm.model/1" || schema == "slm.selection/1") {
      return Render(ReadFields<ModelDescription>(json), terminal);
    }
    throw DataError("its schema is '" + schema + "', and only models and selections (" +
                    "slm.selection/1) are shown; see it as JSON with " + FieldRef("json"));
  } catch (const InputError& error) {
    throw DataError(path + ": " + error.marked());
  }
}

}  // namespace slm
