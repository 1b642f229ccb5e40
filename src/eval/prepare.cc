#include "eval/prepare.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "base/text.h"
#include "base/thread_pool.h"
#include "data/split.h"
#include "data/value_codes.h"
#include "eval/keep_choice.h"
#include "nn/fit.h"
#include "slm/errors.h"
#include "slm/trainer.h"

namespace slm {
namespace {

// The columns that may be chosen; the others are in `dropped` with the reason.
std::vector<size_t> FeatureColumns(const Table& table, const SelectRequest& request, size_t target,
                                   std::vector<DroppedColumn>* dropped) {
  for (const std::string& name : request.drop) {
    if (table.IndexOf(name) == target) {
      throw UsageError("--drop names the target '" + name + "'; leave it out of the list");
    }
  }
  std::vector<size_t> columns;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    const std::string& name = table.columns[c].name;
    if (c == target || (!request.weights.empty() && name == request.weights)) continue;
    if (std::find(request.drop.begin(), request.drop.end(), name) != request.drop.end()) {
      dropped->push_back({name, "dropped by the user"});
    } else {
      columns.push_back(c);
    }
  }
  return columns;
}

void CheckK(int k, size_t usable, const std::vector<DroppedColumn>& dropped) {
  if (k < 1) throw UsageError("k is " + FormatNumber(k) + "; it must be at least 1");
  if (static_cast<size_t>(k) <= usable) return;
  std::string why = dropped.empty()
                        ? ""
                        : " (" + std::to_string(dropped.size()) + " more cannot be chosen; '" +
                              dropped[0].name + "' is " + dropped[0].reason + ")";
  throw DataError("k is " + FormatNumber(k) + ", but only " + std::to_string(usable) +
                  " columns can be chosen" + why + "; lower -k");
}

// k first: it is wrong whatever the data are.
size_t FindTarget(const SelectTables& tables, const SelectRequest& request) {
  if (request.k < 1) CheckK(request.k, 0, {});
  const size_t target = tables.data.IndexOf(request.target);
  RequireTarget(tables.data, target);
  return target;
}

// What the system could still hand out, in bytes.
double AvailableMemory() {
  std::ifstream info("/proc/meminfo");
  for (std::string name, rest; info >> name; std::getline(info, rest)) {
    double kibibytes;
    if (name == "MemAvailable:" && info >> kibibytes) return kibibytes * 1024;
  }
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string Gibibytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f GiB", bytes / (1024.0 * 1024.0 * 1024.0));
  return text;
}

}  // namespace

std::vector<int32_t> StrataOf(const SelectTables& tables, const SelectRequest& request) {
  const size_t target = FindTarget(tables, request);
  if (DecideTask(tables.data, target, request.task) == Task::kRegression) return {};
  return ClassOfRows(tables.data, target);
}

RowParts CutRows(const SelectTables& tables, const SelectRequest& request) {
  std::array<double, 3> shares =
      SharesOfDataFile(request.split, tables.valid.has_value(), tables.test.has_value());
  Split split = SplitRows(tables.data.rows, StrataOf(tables, request), shares, request.seed);
  auto part = [&](const std::optional<Table>& own, std::vector<size_t>& cut) {
    return own ? RowPart{&*own, AllIndices(own->rows)} : RowPart{&tables.data, std::move(cut)};
  };
  return {RowPart{&tables.data, std::move(split.train)}, part(tables.valid, split.valid),
          part(tables.test, split.test)};
}

Preparation::Preparation(const SelectTables& tables, const SelectRequest& request, ThreadPool& pool)
    : Preparation(tables, request, CutRows(tables, request), pool) {}

Preparation::Preparation(const SelectTables& tables, const SelectRequest& request, RowParts parts,
                         ThreadPool& pool)
    : table_(tables.data),
      target_(FindTarget(tables, request)),
      summary_{.task = DecideTask(table_, target_, request.task), .dropped = {}},
      metric_(FindMetric(request.metric, summary_.task)),
      parts_(std::move(parts)) {
  const std::vector<size_t>& training = parts_.train.rows;
  const std::vector<size_t> columns = FeatureColumns(table_, request, target_, &summary_.dropped);
  encoder_ = Encoder::Fit(table_, training, columns, {}, pool);
  summary_.dropped.insert(summary_.dropped.end(), encoder_.dropped().begin(),
                          encoder_.dropped().end());
  summary_.features = columns.size();
  summary_.train = training.size();
  summary_.valid = parts_.valid.rows.size();
  summary_.test = parts_.test.rows.size();
  summary_.rows = summary_.train + summary_.valid + summary_.test;
  CheckK(request.k, encoder_.layout().features(), summary_.dropped);
  target_encoder_ = TargetEncoder::Fit(table_, target_, summary_.task, training);
  weights_ = WeightRule::Fit(table_, training, target_encoder_.Encode(table_, training),
                             request.weights, request.balanced);
  auto encode = [&](const RowPart& part) {
    Dataset data;
    data.x = encoder_.Encode(*part.table, part.rows, pool);
    data.y = target_encoder_.Encode(*part.table, part.rows);
    data.weight = weights_.Weights(*part.table, part.rows, data.y);
    return data;
  };
  problem_.layout = encoder_.layout();
  problem_.train = encode(parts_.train);
  problem_.valid = encode(parts_.valid);
  problem_.test.x = encoder_.Encode(*parts_.test.table, parts_.test.rows, pool);
  problem_.value_codes = [this](int bins) {
    std::vector<int32_t> sources, rows;
    for (const FeatureEncoding& f : encoder_.features()) {
      sources.push_back(static_cast<int32_t>(f.source_column));
    }
    for (size_t row : parts_.train.rows) rows.push_back(static_cast<int32_t>(row));
    return BuildValueCodes(table_, sources, rows, bins);
  };
}

double Preparation::Measure(const Model& model, const Dataset& data) const {
  return metric_.measure(Scores(model, data), data, target_encoder_.sd());
}

std::optional<double> Preparation::Test(const Model& model) const {
  if (parts_.test.rows.empty()) return std::nullopt;
  Dataset data;
  data.x = problem_.test.x;
  data.y = target_encoder_.Encode(*parts_.test.table, parts_.test.rows);
  data.weight = weights_.Weights(*parts_.test.table, parts_.test.rows, data.y);
  return Measure(model, data);
}

std::vector<SelectedFeature> Preparation::Describe(const Choice& choice) const {
  std::vector<SelectedFeature> selected;
  for (size_t i = 0; i < choice.features.size(); ++i) {
    const size_t j = static_cast<size_t>(choice.features[i]);
    const FeatureEncoding& feature = encoder_.features()[j];
    selected.push_back({static_cast<int>(i) + 1, feature.name,
                        static_cast<int>(feature.source_column), choice.weights[j], std::nullopt});
  }
  return selected;
}

std::vector<int> Preparation::FeaturesOf(std::span<const SelectedFeature> selected) const {
  const std::vector<FeatureEncoding>& all = encoder_.features();
  std::vector<int> features;
  for (const SelectedFeature& feature : selected) {
    auto at = std::find_if(all.begin(), all.end(), [&](const FeatureEncoding& encoding) {
      return encoding.source_column == static_cast<size_t>(feature.index);
    });
    if (at == all.end()) throw DataError("column '" + feature.name + "' cannot be chosen here");
    features.push_back(static_cast<int>(at - all.begin()));
  }
  return features;
}

void CheckMemory(std::string_view method, const Selector& selector, const Problem& problem, int k) {
  const MemoryNeed need = selector.Memory(problem, k);
  const double available = AvailableMemory();
  if (need.bytes <= available) return;
  throw DataError(std::string(method) + " would need " + Gibibytes(need.bytes) +
                  " of memory for these " + std::to_string(problem.train.rows()) +
                  " training rows and " + std::to_string(problem.layout.columns()) +
                  " encoded columns, and " + Gibibytes(available) + " are free; " +
                  (need.advice.empty() ? "take another method" : need.advice));
}

Model FitChosen(const Problem& problem, const std::vector<int>& features, uint64_t seed,
                const Context& context) {
  std::vector<int32_t> ascending(features.begin(), features.end());
  std::sort(ascending.begin(), ascending.end());
  return FitOrFind("predictor", problem, ColumnsOf(problem.layout, ascending),
                   SuitedTo(problem.train.y.task, {}), RandomStream(seed, 0), context)
      .model;
}

std::string_view DataSummary::TaskName() const {
  return task == Task::kClassification ? "classification" : "regression";
}

Json DataSummary::ToJson() const {
  Json data = Json::MakeObject();
  data.Add("rows", rows);
  data.Add("features", features);
  data.Add("train", train);
  data.Add("valid", valid);
  data.Add("test", test);
  Json dropped_json = Json::MakeArray();
  for (const DroppedColumn& column : dropped) {
    Json item = Json::MakeObject();
    item.Add("name", column.name);
    item.Add("reason", column.reason);
    dropped_json.Push(std::move(item));
  }
  data.Add("dropped", std::move(dropped_json));
  return data;
}

Json SelectedToJson(std::span<const SelectedFeature> selected) {
  Json array = Json::MakeArray();
  for (const SelectedFeature& feature : selected) {
    Json item = Json::MakeObject();
    item.Add("rank", feature.rank);
    item.Add("name", feature.name);
    item.Add("index", feature.index);
    item.Add("weight", feature.weight);
    if (feature.frequency) item.Add("frequency", *feature.frequency);
    array.Push(std::move(item));
  }
  return array;
}

}  // namespace slm
