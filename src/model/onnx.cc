#include "model/onnx.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/text.h"
#include "model/onnx_calendar.h"
#include "model/onnx_graph.h"
#include "slm/errors.h"

namespace slm {
namespace {

using Strings = std::vector<std::string>;

void RequireUtf8(std::string_view text, const std::string& column) {
  if (IsUtf8(text)) return;
  throw DataError(
      "column '" + column +
      "' has a name or a level that is not UTF-8, which ONNX does not support; convert the "
      "training data to UTF-8 and select again");
}

class Exporter {
 public:
  explicit Exporter(const ModelContent& content) : content_(content), graph_(Prefix()) {}

  std::string Export() {
    AddInputs();
    AddNumbers(/*squashed=*/false);
    AddNumbers(/*squashed=*/true);
    AddIndicators();
    AddCalendars();
    AddTexts();
    std::string x = SideBySide(blocks_);
    for (size_t l = 0; l < content_.layers.size(); ++l) {
      if (l > 0) x = graph_.Node("Relu", Strings{x});
      x = graph_.Node("Gemm", Strings{x, Weights(l), Bias(l)});
    }
    if (content_.target.classes.empty()) {
      AddValue(x);
    } else {
      AddClasses(x);
    }
    return graph_.Finish("slm");
  }

 private:
  // What no name of a column begins with.
  std::string Prefix() const {
    std::string prefix = "slm.";
    while (std::any_of(
        content_.features.begin(), content_.features.end(),
        [&](const ChosenFeature& feature) { return feature.encoding.name.starts_with(prefix); })) {
      prefix += "_";
    }
    return prefix;
  }

  // `name`, unless a column has it.
  std::string OutputName(std::string name) const {
    while (
        std::any_of(content_.features.begin(), content_.features.end(),
                    [&](const ChosenFeature& feature) { return feature.encoding.name == name; })) {
      name += "_";
    }
    return name;
  }

  std::string SideBySide(const Strings& columns) {
    const OnnxAttribute along[] = {OnnxAttribute::Int("axis", 1)};
    return graph_.Node("Concat", columns, along);
  }

  // (x - a) * b, each column by its own.
  std::string Affine(const std::string& x, const std::vector<double>& a,
                     const std::vector<double>& b) {
    const std::string centred = graph_.Node("Sub", Strings{x, graph_.Constant(std::span(a))});
    return graph_.Node("Mul", Strings{centred, graph_.Constant(std::span(b))});
  }

  void AddInputs() {
    size_t column = 0;
    for (const ChosenFeature& feature : content_.features) {
      const FeatureEncoding& encoding = feature.encoding;
      const bool text = encoding.type == ColumnType::kText;
      RequireUtf8(encoding.name, encoding.name);
      if (encoding.hash_buckets > 0) {
        throw DataError(
            "column '" + encoding.name +
            "' has so many texts that rare ones are hashed, which ONNX does not support; "
            "select again with " +
            FieldRef("drop") + " for it, or with fewer texts in it");
      }
      for (const std::string& level : encoding.levels) {
        RequireUtf8(level, encoding.name);
        if (!level.empty()) continue;
        throw DataError("column '" + encoding.name +
                        "' has an empty text among its levels, which stands for a missing cell in "
                        "ONNX; replace it in the training data and select again");
      }
      graph_.Input(encoding.name, text ? OnnxType::kString : OnnxType::kDouble, 1);
      first_.push_back(column);
      column += encoding.parts();
    }
  }

  // Notes where the columns of the next block stand in the model.
  void AddBlock(const std::string& block, std::span<const size_t> columns) {
    blocks_.push_back(block);
    order_.insert(order_.end(), columns.begin(), columns.end());
  }

  // A block of columns side by side in the model too, from `column`, which moves behind them.
  void AddParts(const std::string& block, size_t parts, size_t* column) {
    std::vector<size_t> columns(parts);
    std::iota(columns.begin(), columns.end(), *column);
    AddBlock(block, columns);
    *column += parts;
  }

  void AddNumbers(bool squashed) {
    Strings names;
    std::vector<double> medians, squashes, means, scales;
    std::vector<size_t> columns;
    for (size_t j = 0; j < content_.features.size(); ++j) {
      const FeatureEncoding& encoding = content_.features[j].encoding;
      if (encoding.type == ColumnType::kText || encoding.scale == 0) continue;
      if ((encoding.squash != 0) != squashed) continue;
      names.push_back(encoding.name);
      medians.push_back(encoding.median);
      squashes.push_back(encoding.squash);
      means.push_back(encoding.mean);
      scales.push_back(encoding.scale);
      columns.push_back(first_[j]);
    }
    if (names.empty()) return;
    const std::string cells = SideBySide(names);
    std::string x = cells;
    if (squashed) {
      // Runtimes have asinh in single precision only, which is enough for what it gives.
      x = graph_.Cast(Affine(x, medians, squashes), OnnxType::kFloat);
      x = graph_.Cast(graph_.Node("Asinh", Strings{x}), OnnxType::kDouble);
    }
    x = Affine(x, means, scales);
    x = ZeroWhere(graph_.Node("IsNaN", Strings{cells}), x);
    x = Clamp(graph_.Cast(x, OnnxType::kFloat));
    AddBlock(x, columns);
  }

  std::string ZeroWhere(const std::string& condition, const std::string& x) {
    const double zero = 0;
    return graph_.Node("Where", Strings{condition, graph_.Constant(std::span(&zero, 1)), x});
  }

  std::string Clamp(const std::string& x) {
    const float low = -static_cast<float>(kLargestEncoded), high = -low;
    return graph_.Node("Clip", Strings{x, graph_.Constant(std::span(&low, 1), {}),
                                       graph_.Constant(std::span(&high, 1), {})});
  }

  void AddIndicators() {
    Strings names;
    std::vector<float> present, missing;
    std::vector<size_t> columns;
    for (size_t j = 0; j < content_.features.size(); ++j) {
      const FeatureEncoding& encoding = content_.features[j].encoding;
      if (encoding.type == ColumnType::kText || encoding.missing_scale == 0) continue;
      const double share = encoding.missing_share, scale = encoding.missing_scale;
      names.push_back(encoding.name);
      present.push_back(static_cast<float>((0 - share) * scale));
      missing.push_back(static_cast<float>((1 - share) * scale));
      columns.push_back(first_[j] + (encoding.scale != 0 ? 1 : 0));
    }
    if (names.empty()) return;
    const int64_t size[] = {static_cast<int64_t>(names.size())};
    const std::string is_missing = graph_.Node("IsNaN", Strings{SideBySide(names)});
    AddBlock(
        graph_.Node("Where",
                    Strings{is_missing, graph_.Constant(std::span(std::as_const(missing)), size),
                            graph_.Constant(std::span(std::as_const(present)), size)}),
        columns);
  }

  // The row of a table, so many columns wide, at each index.
  std::string LookUp(const std::vector<float>& table, size_t columns, const std::string& index) {
    const int64_t one = 1;
    const int64_t shape[] = {static_cast<int64_t>(table.size() / columns),
                             static_cast<int64_t>(columns)};
    const OnnxAttribute first_axis[] = {OnnxAttribute::Int("axis", 0)};
    const std::string flat =
        graph_.Node("Squeeze", Strings{index, graph_.Constant(std::span(&one, 1))});
    return graph_.Node("Gather", Strings{graph_.Constant(std::span(table), shape), flat},
                       first_axis);
  }

  void AddCalendars() {
    for (size_t j = 0; j < content_.features.size(); ++j) {
      const FeatureEncoding& encoding = content_.features[j].encoding;
      const CalendarEncoding& calendar = encoding.calendar;
      if (calendar.parts() == 0) continue;
      const std::string missing = graph_.Node("IsNaN", Strings{encoding.name});
      const OnnxDate date = AddDate(graph_, ZeroWhere(missing, encoding.name));
      size_t column = first_[j] + encoding.parts() - calendar.parts();
      AddNumber(calendar.year_mean, calendar.year_scale, date.year, missing, &column);
      AddLevels(calendar.months, date.month, missing, &column);
      AddLevels(calendar.weekdays, date.weekday, missing, &column);
      AddLevels(calendar.hours, date.hour, missing, &column);
      AddNumber(calendar.time_mean, calendar.time_scale, date.time, missing, &column);
    }
  }

  void AddNumber(double mean, double scale, const std::string& value, const std::string& missing,
                 size_t* column) {
    if (scale == 0) return;
    const std::string scaled = Affine(graph_.Cast(value, OnnxType::kDouble), {mean}, {scale});
    AddParts(graph_.Cast(ZeroWhere(missing, scaled), OnnxType::kFloat), 1, column);
  }

  void AddLevels(const CalendarLevels& levels, const std::string& value, const std::string& missing,
                 size_t* column) {
    const size_t parts = levels.values.size();
    if (parts == 0) return;
    // A row for each month, weekday or hour, and a last one of zeros for a missing date.
    const int64_t none = 24;
    std::vector<float> table;
    for (int64_t own = 0; own < none; ++own) {
      for (size_t part = 0; part < parts; ++part) {
        const double hit = levels.values[part] == own ? 1.0 : 0.0;
        table.push_back(static_cast<float>((hit - levels.shares[part]) * levels.scale));
      }
    }
    table.resize(table.size() + parts);
    const std::string row =
        graph_.Node("Where", Strings{missing, graph_.Constant(std::span(&none, 1)), value});
    AddParts(LookUp(table, parts, row), parts, column);
  }

  // A text is looked up in the levels, and what it is encoded as in a table with a row for each
  // part and a last one for what belongs to none.
  void AddTexts() {
    for (size_t j = 0; j < content_.features.size(); ++j) {
      const FeatureEncoding& encoding = content_.features[j].encoding;
      if (encoding.type != ColumnType::kText) continue;
      const size_t parts = encoding.parts();
      const int64_t none = static_cast<int64_t>(parts);
      std::vector<float> table;
      for (size_t own = 0; own <= parts; ++own) {
        for (size_t part = 0; part < parts; ++part) {
          const double hit = part == own ? 1.0 : 0.0;
          table.push_back(static_cast<float>((hit - encoding.shares[part]) * encoding.level_scale));
        }
      }
      Strings keys = encoding.levels;
      std::vector<int64_t> values;
      for (size_t l = 0; l < keys.size(); ++l) values.push_back(static_cast<int64_t>(l));
      keys.emplace_back();
      values.push_back(encoding.has_missing ? none - 1 : none);
      const int64_t other = static_cast<int64_t>(encoding.levels.size());
      const OnnxAttribute lookup[] = {
          OnnxAttribute::Strings("keys_strings", keys),
          OnnxAttribute::Ints("values_int64s", values),
          OnnxAttribute::Int("default_int64", encoding.has_other ? other : none)};
      const std::string row =
          graph_.Node("ai.onnx.ml.LabelEncoder", Strings{encoding.name}, lookup);
      size_t column = first_[j];
      AddParts(LookUp(table, parts, row), parts, &column);
    }
  }

  std::string Weights(size_t l) {
    const Matrix& w = content_.layers[l].w;
    std::vector<float> values;
    for (size_t i = 0; i < w.rows(); ++i) {
      const size_t row = l == 0 ? order_[i] : i;
      const float factor = l == 0 ? content_.mask[row] : 1.0f;
      for (size_t j = 0; j < w.cols(); ++j) values.push_back(factor * w(row, j));
    }
    const int64_t shape[] = {static_cast<int64_t>(w.rows()), static_cast<int64_t>(w.cols())};
    return graph_.Constant(std::span(std::as_const(values)), shape);
  }

  std::string Bias(size_t l) {
    const Matrix& bias = content_.layers[l].bias;
    const int64_t size[] = {static_cast<int64_t>(bias.cols())};
    return graph_.Constant(std::span(bias.data(), bias.cols()), size);
  }

  void AddValue(const std::string& score) {
    const double sd = content_.target.sd, mean = content_.target.mean;
    const std::string output = OutputName("value");
    const std::string scaled = graph_.Node(
        "Mul", Strings{graph_.Cast(score, OnnxType::kDouble), graph_.Constant(std::span(&sd, 1))});
    graph_.Node("Add", Strings{scaled, graph_.Constant(std::span(&mean, 1))}, {}, output);
    graph_.Output(output, OnnxType::kDouble, 1);
  }

  void AddClasses(const std::string& scores) {
    const TargetEncoding& target = content_.target;
    const std::string label = OutputName("label"), probabilities = OutputName("probabilities");
    const OnnxAttribute best[] = {OnnxAttribute::Int("axis", 1), OnnxAttribute::Int("keepdims", 0)};
    const OnnxAttribute across[] = {OnnxAttribute::Int("axis", 1)};
    const OnnxAttribute first_axis[] = {OnnxAttribute::Int("axis", 0)};
    const std::string index = graph_.Node("ArgMax", Strings{scores}, best);
    auto [names, type] = ClassNames();
    graph_.Node("Gather", Strings{names, index}, first_axis, label);
    graph_.Node("Softmax", Strings{scores}, across, probabilities);
    graph_.Output(label, type, 0);
    graph_.Output(probabilities, OnnxType::kFloat, target.classes.size());
  }

  // As the file has them: numbers only where a number is what it holds, not where it has `yes` or
  // `01`.
  bool LabelsAreNumbers() const {
    const TargetEncoding& target = content_.target;
    if (target.type != ColumnType::kNumeric) return false;
    for (size_t c = 0; c < target.classes.size(); ++c) {
      if (target.classes[c] != FormatNumber(target.class_values[c])) return false;
    }
    return true;
  }

  // Texts, whole numbers or numbers.
  std::pair<std::string, OnnxType> ClassNames() {
    const TargetEncoding& target = content_.target;
    if (!LabelsAreNumbers()) {
      for (const std::string& name : target.classes) RequireUtf8(name, target.name);
      return {graph_.Constant(std::span(target.classes)), OnnxType::kString};
    }
    constexpr double kExact = 9007199254740992;  // 2^53
    const std::vector<double>& values = target.class_values;
    if (!std::all_of(values.begin(), values.end(),
                     [](double x) { return x == std::floor(x) && std::abs(x) <= kExact; })) {
      return {graph_.Constant(std::span(values)), OnnxType::kDouble};
    }
    std::vector<int64_t> whole;
    for (double x : values) whole.push_back(static_cast<int64_t>(x));
    return {graph_.Constant(std::span(std::as_const(whole))), OnnxType::kInt64};
  }

  const ModelContent& content_;
  OnnxGraph graph_;
  std::vector<size_t> first_;  // encoded column of each feature
  Strings blocks_;             // encoded values side by side, in an order of their own:
  std::vector<size_t> order_;  // the encoded column that each stands for
};

}  // namespace

std::string ModelToOnnx(const ModelContent& content) { return Exporter(content).Export(); }

}  // namespace slm
