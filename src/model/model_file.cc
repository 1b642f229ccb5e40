#include "model/model_file.h"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "base/json.h"
#include "base/json_reader.h"
#include "base/text.h"
#include "base/version.h"
#include "model/tensor_file.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr const char* kFormatName = "slm.model";
constexpr size_t kMostLayers = 64;
constexpr int64_t kMostBuckets = 65536;
constexpr int64_t kMostColumns = std::numeric_limits<int32_t>::max();

// The numbers of an encoding by name; those that have no meaning for a type stay 0.
constexpr std::pair<const char*, double FeatureEncoding::*> kNumbers[] = {
    {"median", &FeatureEncoding::median},
    {"squash", &FeatureEncoding::squash},
    {"mean", &FeatureEncoding::mean},
    {"scale", &FeatureEncoding::scale},
    {"missing_share", &FeatureEncoding::missing_share},
    {"missing_scale", &FeatureEncoding::missing_scale},
};

constexpr ColumnType kTypes[] = {ColumnType::kNumeric, ColumnType::kBoolean, ColumnType::kDate,
                                 ColumnType::kText};

// Over what describes the model and over its numbers, so that no damage to either goes unnoticed.
std::string Checksum(std::string_view description, std::string_view data) {
  auto add = [](uLong crc, std::string_view bytes) {
    return ::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  };
  constexpr size_t kDigits = 8;
  const std::string all = FormatHex(add(add(0, description), data));
  return all.substr(all.size() - kDigits);
}

// JSON has only UTF-8; cells of other encodings are kept byte by byte: {"hex": "e9"}.
Json TextToJson(std::string_view text) {
  if (IsUtf8(text)) return text;
  static constexpr char kHex[] = "0123456789abcdef";
  std::string hex;
  for (char c : text) {
    hex.push_back(kHex[static_cast<uint8_t>(c) >> 4]);
    hex.push_back(kHex[static_cast<uint8_t>(c) & 15]);
  }
  Json json = Json::MakeObject();
  json.Add("hex", std::move(hex));
  return json;
}

std::string TextFromJson(const Json& json) {
  if (!json.is_object()) return json.text();
  const std::string& hex = json["hex"].text();
  std::string text;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    uint8_t byte = 0;
    const char* at = hex.data() + i;
    if (std::from_chars(at, at + 2, byte, 16).ptr != at + 2) break;
    text.push_back(static_cast<char>(byte));
  }
  if (2 * text.size() != hex.size()) throw DataError("'" + hex + "' is not hexadecimal");
  return text;
}

double Finite(const Json& json, std::string_view key) {
  const double value = json[key].number();
  if (!std::isfinite(value)) throw DataError("\"" + std::string(key) + "\" is not a finite number");
  return value;
}

int64_t Natural(const Json& json, std::string_view key, int64_t most) {
  const int64_t value = json[key].integer();
  if (value < 0 || value > most) {
    throw DataError("\"" + std::string(key) + "\" is " + std::to_string(value) +
                    ", which is not from 0 to " + std::to_string(most));
  }
  return value;
}

ColumnType TypeFromJson(const Json& json) {
  for (ColumnType type : kTypes) {
    if (json.text() == ColumnTypeName(type)) return type;
  }
  throw DataError("there is no type '" + json.text() + "'");
}

std::vector<std::string> TextsFromJson(const Json& json) {
  std::vector<std::string> texts;
  for (const Json& text : json.array()) texts.push_back(TextFromJson(text));
  return texts;
}

std::vector<double> NumbersFromJson(const Json& json) {
  std::vector<double> numbers;
  for (const Json& number : json.array()) {
    numbers.push_back(number.number());
    if (!std::isfinite(numbers.back()))
      throw DataError("a list holds a value that is not a finite number");
  }
  return numbers;
}

Json TextsToJson(const std::vector<std::string>& texts) {
  Json json = Json::MakeArray();
  for (const std::string& text : texts) json.Push(TextToJson(text));
  return json;
}

// Lists are searched by halving, so they must be in order; equal ones could not be told apart.
template <class T>
void RequireAscending(const std::vector<T>& values, const std::string& what) {
  auto at = std::adjacent_find(values.begin(), values.end(),
                               [](const T& a, const T& b) { return !(a < b); });
  if (at != values.end()) throw DataError(what + " are not in ascending order, each once");
}

// Whole numbers from `least` to `most`, ascending.
std::vector<int> WholesFromJson(const Json& json, int least, int most, const std::string& what) {
  std::vector<int> values;
  for (const Json& number : json.array()) {
    const int64_t value = number.integer();
    if (value < least || value > most) {
      throw DataError(what + " hold " + std::to_string(value) + ", which is not from " +
                      std::to_string(least) + " to " + std::to_string(most));
    }
    values.push_back(static_cast<int>(value));
  }
  RequireAscending(values, what);
  return values;
}

Json LevelsToJson(const CalendarLevels& levels) {
  Json json = Json::MakeObject();
  json.Add("values", Json::ArrayOf(levels.values));
  json.Add("shares", Json::ArrayOf(levels.shares));
  json.Add("scale", levels.scale);
  return json;
}

CalendarLevels LevelsFromJson(const Json& json, int least, int most, const std::string& what) {
  CalendarLevels levels{.values = WholesFromJson(json["values"], least, most, what),
                        .shares = NumbersFromJson(json["shares"]),
                        .scale = Finite(json, "scale")};
  if (levels.values.size() != levels.shares.size()) {
    throw DataError(what + " are " + std::to_string(levels.values.size()) + " with " +
                    std::to_string(levels.shares.size()) + " shares");
  }
  return levels;
}

bool HasTimes(const CalendarEncoding& calendar) {
  return !calendar.hours.values.empty() || calendar.time_scale != 0;
}

Json CalendarToJson(const CalendarEncoding& calendar) {
  Json json = Json::MakeObject();
  json.Add("year_mean", calendar.year_mean);
  json.Add("year_scale", calendar.year_scale);
  json.Add("months", LevelsToJson(calendar.months));
  json.Add("weekdays", LevelsToJson(calendar.weekdays));
  if (HasTimes(calendar)) {
    json.Add("hours", LevelsToJson(calendar.hours));
    json.Add("time_mean", calendar.time_mean);
    json.Add("time_scale", calendar.time_scale);
  }
  return json;
}

CalendarEncoding CalendarFromJson(const Json& json, int version) {
  CalendarEncoding calendar{.year_mean = Finite(json, "year_mean"),
                            .year_scale = Finite(json, "year_scale"),
                            .months = LevelsFromJson(json["months"], 1, 12, "its months"),
                            .weekdays = LevelsFromJson(json["weekdays"], 0, 6, "its weekdays")};
  if (version >= 3 && json.Find("hours") != nullptr) {
    calendar.hours = LevelsFromJson(json["hours"], 0, 23, "its hours");
    calendar.time_mean = Finite(json, "time_mean");
    calendar.time_scale = Finite(json, "time_scale");
  }
  return calendar;
}

// Only where it is not the plain one, so that other models keep their bytes.
void AddFormat(const CellFormat& format, Json* json) {
  if (format == CellFormat()) return;
  Json own = Json::MakeObject();
  own.Add("decimal", std::string(1, format.decimal));
  own.Add("unit", TextToJson(format.unit));
  own.Add("date", TextToJson(format.date));
  json->Add("format", std::move(own));
}

CellFormat FormatFromJson(const Json& json) {
  CellFormat format;
  const Json* own = json.Find("format");
  if (own == nullptr) return format;
  const std::string& decimal = (*own)["decimal"].text();
  if (decimal != "." && decimal != ",") {
    throw DataError("its decimal sign is '" + decimal + "', neither a point nor a comma");
  }
  format.decimal = decimal[0];
  format.unit = TextFromJson((*own)["unit"]);
  format.date = TextFromJson((*own)["date"]);
  return format;
}

// Older models have none. It does not affect predictions.
void SetRange(const Json& json, FeatureEncoding* encoding) {
  const std::vector<double> range = NumbersFromJson(json);
  if (range.size() != 2 || !(range[0] < range[1])) {
    throw DataError("its range is not a lower and a higher number");
  }
  encoding->low = range[0];
  encoding->high = range[1];
}

Json FeatureToJson(const ChosenFeature& feature) {
  const FeatureEncoding& encoding = feature.encoding;
  Json json = Json::MakeObject();
  json.Add("name", TextToJson(encoding.name));
  json.Add("index", encoding.source_column);
  json.Add("rank", feature.rank);
  if (!encoding.group.empty()) json.Add("group", TextToJson(encoding.group));
  json.Add("type", ColumnTypeName(encoding.type));
  AddFormat(encoding.format, &json);
  if (encoding.type != ColumnType::kText) {
    for (const auto& [key, member] : kNumbers) json.Add(key, encoding.*member);
    if (encoding.low < encoding.high) {
      json.Add("range", Json::ArrayOf(std::vector<double>{encoding.low, encoding.high}));
    }
    if (encoding.calendar.parts() > 0) json.Add("calendar", CalendarToJson(encoding.calendar));
    return json;
  }
  if (encoding.hash_buckets > 0) {
    json.Add("hash_buckets", encoding.hash_buckets);
    json.Add("buckets", Json::ArrayOf(encoding.buckets));
  }
  json.Add("levels", TextsToJson(encoding.levels));
  json.Add("other", encoding.has_other);
  json.Add("missing", encoding.has_missing);
  json.Add("shares", Json::ArrayOf(encoding.shares));
  json.Add("level_scale", encoding.level_scale);
  return json;
}

ChosenFeature FeatureFromJson(const Json& json, size_t features, int version) {
  ChosenFeature feature;
  FeatureEncoding& encoding = feature.encoding;
  encoding.source_column = static_cast<size_t>(Natural(json, "index", kMostColumns));
  feature.rank = static_cast<int>(Natural(json, "rank", static_cast<int64_t>(features)));
  encoding.type = TypeFromJson(json["type"]);
  encoding.format = FormatFromJson(json);
  if (const Json* group = json.Find("group")) encoding.group = TextFromJson(*group);
  if (encoding.type != ColumnType::kText) {
    for (const auto& [key, member] : kNumbers) encoding.*member = Finite(json, key);
    if (const Json* range = json.Find("range")) SetRange(*range, &encoding);
    const Json* calendar = json.Find("calendar");
    if (version >= 2 && encoding.type == ColumnType::kDate && calendar != nullptr) {
      encoding.calendar = CalendarFromJson(*calendar, version);
    }
    if (encoding.parts() == 0) throw DataError("both of its scales are 0, so it has no parts");
    return feature;
  }
  encoding.levels = TextsFromJson(json["levels"]);
  encoding.has_other = json["other"].boolean();
  encoding.has_missing = json["missing"].boolean();
  encoding.shares = NumbersFromJson(json["shares"]);
  encoding.level_scale = Finite(json, "level_scale");
  RequireAscending(encoding.levels, "its levels");
  if (version >= 2 && json.Find("hash_buckets") != nullptr) {
    encoding.hash_buckets = static_cast<int>(Natural(json, "hash_buckets", kMostBuckets));
    encoding.buckets = WholesFromJson(json["buckets"], 0, encoding.hash_buckets - 1, "its buckets");
    if (encoding.hash_buckets == 0 || encoding.has_other) {
      throw DataError("it has no buckets to hash into, or another part for other texts");
    }
  }
  const size_t parts = encoding.levels.size() + static_cast<size_t>(encoding.has_other) +
                       encoding.buckets.size() + static_cast<size_t>(encoding.has_missing);
  if (parts == 0 || encoding.shares.size() != parts) {
    throw DataError("it has " + std::to_string(parts) + " parts and " +
                    std::to_string(encoding.shares.size()) + " shares");
  }
  return feature;
}

Json TargetToJson(const TargetEncoding& target) {
  Json json = Json::MakeObject();
  json.Add("name", TextToJson(target.name));
  json.Add("type", ColumnTypeName(target.type));
  AddFormat(target.format, &json);
  if (target.classes.empty()) {
    json.Add("mean", target.mean);
    json.Add("sd", target.sd);
    return json;
  }
  json.Add("classes", TextsToJson(target.classes));
  if (target.type != ColumnType::kText) {
    json.Add("class_values", Json::ArrayOf(target.class_values));
  }
  return json;
}

TargetEncoding TargetFromJson(const Json& json, Task task) {
  TargetEncoding target;
  target.task = task;
  target.name = TextFromJson(json["name"]);
  target.type = TypeFromJson(json["type"]);
  target.format = FormatFromJson(json);
  const bool text = target.type == ColumnType::kText;
  if (task == Task::kRegression) {
    target.mean = Finite(json, "mean");
    target.sd = Finite(json, "sd");
    if (text || !(target.sd > 0)) throw DataError("it is text, or its sd is not above 0");
    return target;
  }
  target.classes = TextsFromJson(json["classes"]);
  if (target.classes.size() < 2) throw DataError("it has fewer than two classes");
  if (text) {
    RequireAscending(target.classes, "its classes");
    return target;
  }
  target.class_values = NumbersFromJson(json["class_values"]);
  RequireAscending(target.class_values, "the values of its classes");
  if (target.class_values.size() != target.classes.size()) {
    throw DataError("it has " + std::to_string(target.classes.size()) + " classes and " +
                    std::to_string(target.class_values.size()) + " values of them");
  }
  return target;
}

Json OriginToJson(const ModelOrigin& origin) {
  Json metrics = Json::MakeObject();
  metrics.Add("name", origin.metric);
  metrics.Add("valid", origin.valid_metric);
  metrics.Add("test", origin.test_metric);
  Json json = Json::MakeObject();
  json.Add("version", origin.version);
  json.Add("method", origin.method);
  json.Add("seed", origin.seed);
  json.Add("train", origin.train_rows);
  json.Add("metrics", std::move(metrics));
  Json weighting = Json::MakeObject();
  weighting.Add("column", TextToJson(origin.weighting.column));
  weighting.Add("class_weights", Json::ArrayOf(origin.weighting.class_weights));
  weighting.Add("scale", origin.weighting.scale);
  json.Add("weighting", std::move(weighting));
  return json;
}

Weighting WeightingFromJson(const Json& json, size_t classes) {
  Weighting weighting{.column = TextFromJson(json["column"]),
                      .class_weights = NumbersFromJson(json["class_weights"]),
                      .scale = Finite(json, "scale")};
  const std::vector<double>& weights = weighting.class_weights;
  if (!weights.empty() && weights.size() != classes) {
    throw DataError("there are " + std::to_string(weights.size()) + " weights of classes");
  }
  if (std::any_of(weights.begin(), weights.end(), [](double x) { return x < 0; })) {
    throw DataError("a weight of a class is negative");
  }
  return weighting;
}

ModelOrigin OriginFromJson(const Json& json, size_t classes) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const Json& metrics = json["metrics"];
  ModelOrigin origin{.version = json["version"].text(),
                     .method = json["method"].text(),
                     .seed = static_cast<uint64_t>(Natural(json, "seed", kMost)),
                     .train_rows = static_cast<size_t>(Natural(json, "train", kMost)),
                     .metric = metrics["name"].text(),
                     .valid_metric = metrics["valid"].number(),
                     .test_metric = metrics["test"].number(),
                     .weighting = WeightingFromJson(json["weighting"], classes)};
  if (std::isnan(*origin.test_metric)) origin.test_metric.reset();
  return origin;
}

// Says of what happens inside where it happens.
template <class Work>
auto Inside(const std::string& place, Work work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw DataError(place + ": " + error.what());
  }
}

void ReadFeatures(const Json& json, int version, ModelContent* content) {
  const Json::Array& array = json.array();
  if (array.empty()) throw DataError("there are none");
  std::set<std::string> names;
  std::vector<bool> ranked(array.size() + 1);
  for (const Json& item : array) {
    const std::string name = TextFromJson(item["name"]);
    ChosenFeature feature =
        Inside("'" + name + "'", [&] { return FeatureFromJson(item, array.size(), version); });
    feature.encoding.name = name;
    if (!names.insert(name).second) throw DataError("'" + name + "' appears twice");
    if (feature.rank == 0 || ranked[static_cast<size_t>(feature.rank)]) {
      throw DataError("'" + name + "' has the rank " + std::to_string(feature.rank) +
                      ", and ranks are from 1 on, each once");
    }
    ranked[static_cast<size_t>(feature.rank)] = true;
    content->features.push_back(std::move(feature));
  }
}

std::vector<float> VectorOf(const TensorReader::Tensor& tensor) {
  std::vector<float> values(tensor.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = tensor[i];
  return values;
}

Matrix MatrixOf(const TensorReader::Tensor& tensor, size_t rows, size_t cols) {
  Matrix matrix(rows, cols);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) matrix(i, j) = tensor[i * cols + j];
  }
  return matrix;
}

std::string LayerName(size_t l, const char* part) {
  return "layers." + std::to_string(l) + "." + part;
}

void ReadLayers(TensorReader& file, size_t columns, ModelContent* content) {
  size_t width = columns;
  for (size_t l = 0; l < kMostLayers && (l == 0 || file.Has(LayerName(l, "weight"))); ++l) {
    const std::string name = LayerName(l, "weight");
    const TensorReader::Tensor w = file.Take(name, 2);
    const TensorReader::Tensor bias = file.Take(LayerName(l, "bias"), 1);
    if (w.shape[0] != width || w.shape[1] == 0 || bias.size() != w.shape[1]) {
      throw DataError("'" + name + "' is of shape " + std::to_string(w.shape[0]) + " x " +
                      std::to_string(w.shape[1]) + " with " + std::to_string(bias.size()) +
                      " biases, and gets " + std::to_string(width) + " inputs");
    }
    width = w.shape[1];
    content->layers.push_back({MatrixOf(w, w.shape[0], width), MatrixOf(bias, 1, width)});
  }
  const size_t outputs = TargetOf(content->target.task).Outputs(content->target);
  if (width != outputs) {
    throw DataError("the last layer has " + std::to_string(width) + " outputs, and the target " +
                    std::to_string(outputs));
  }
}

ModelContent ReadContent(std::string_view bytes) {
  TensorReader file(bytes);
  const std::string* format = file.FindText("format");
  const std::string* version = file.FindText("version");
  if (format == nullptr || *format != kFormatName || version == nullptr) {
    throw DataError("its metadata do not say that it is a model of slm");
  }
  int number = 0;
  if (!ParseNumber(*version, &number) || number < 1) {
    throw DataError("'" + *version + "' is not a version of the format");
  }
  if (number > kModelFormat) {
    throw DataError("it is of format " + *version + ", and this slm, " + std::string(Version()) +
                    ", reads up to " + std::to_string(kModelFormat) + "; use a newer slm");
  }
  const std::string* description = file.FindText("slm");
  const std::string* checksum = file.FindText("crc32");
  if (description == nullptr || checksum == nullptr) {
    throw DataError("its metadata lack \"slm\" or \"crc32\"");
  }

  ModelContent content;
  {
    const Json json = Inside("\"slm\"", [&] { return ParseJson(*description); });
    const std::string& task = json["task"].text();
    const Target* kind = FindTarget(task);
    if (kind == nullptr) throw DataError("there is no task '" + task + "'");
    content.target =
        Inside("the target", [&] { return TargetFromJson(json["target"], kind->task()); });
    content.origin = Inside("\"origin\"", [&] {
      return OriginFromJson(json["origin"], content.target.classes.size());
    });
    Inside("the features", [&] { ReadFeatures(json["features"], number, &content); });
  }
  const TensorReader::Tensor weights = file.Take("weights", 1);
  if (weights.size() != content.features.size()) {
    throw DataError("there are " + std::to_string(weights.size()) + " weights and " +
                    std::to_string(content.features.size()) + " features");
  }
  size_t columns = 0;
  for (size_t j = 0; j < weights.size(); ++j) {
    content.features[j].weight = weights[j];
    columns += content.features[j].encoding.parts();
  }
  content.mask = VectorOf(file.Take("mask", 1));
  if (content.mask.size() != columns) {
    throw DataError("the mask has " + std::to_string(content.mask.size()) +
                    " entries, and the features " + std::to_string(columns) + " parts");
  }
  ReadLayers(file, columns, &content);
  file.RequireAllTaken();
  // Last, so that whoever makes a file by hand hears first what is wrong with it.
  if (*checksum != Checksum(*description, file.data())) {
    throw DataError("it is damaged: its checksum is not " + *checksum);
  }
  return content;
}

}  // namespace

int ModelVersion(const ModelContent& content) {
  int version = 1;
  for (const ChosenFeature& feature : content.features) {
    const FeatureEncoding& encoding = feature.encoding;
    if (encoding.calendar.parts() > 0 || encoding.hash_buckets > 0) version = std::max(version, 2);
    if (HasTimes(encoding.calendar) || encoding.format != CellFormat()) version = 3;
  }
  return content.target.format != CellFormat() ? 3 : version;
}

std::string WriteModel(const ModelContent& content) {
  Json json = Json::MakeObject();
  json.Add("task", TargetOf(content.target.task).name());
  json.Add("target", TargetToJson(content.target));
  Json features = Json::MakeArray();
  std::vector<float> weights;
  for (const ChosenFeature& feature : content.features) {
    features.Push(FeatureToJson(feature));
    weights.push_back(feature.weight);
  }
  json.Add("features", std::move(features));
  json.Add("origin", OriginToJson(content.origin));

  TensorWriter file;
  file.Add("weights", {weights.size()}, weights.data(), 0);
  file.Add("mask", {content.mask.size()}, content.mask.data(), 0);
  for (size_t l = 0; l < content.layers.size(); ++l) {
    const LayerWeights& layer = content.layers[l];
    file.Add(LayerName(l, "weight"), {layer.w.rows(), layer.w.cols()}, layer.w.data(),
             layer.w.stride());
    file.Add(LayerName(l, "bias"), {layer.bias.cols()}, layer.bias.data(), 0);
  }
  const std::string description = json.Dump();
  file.AddText("format", kFormatName);
  file.AddText("version", std::to_string(ModelVersion(content)));
  file.AddText("crc32", Checksum(description, file.data()));
  file.AddText("slm", description);
  return file.Finish();
}

ModelContent ReadModel(std::string_view bytes) {
  try {
    return ReadContent(bytes);
  } catch (const InputError& error) {
    throw ModelError(error.what());
  }
}

}  // namespace slm
