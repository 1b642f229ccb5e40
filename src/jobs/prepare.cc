#include "jobs/prepare.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/format.h"
#include "base/machine.h"
#include "base/stop_check.h"
#include "base/streams.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "data/encoding/value_codes.h"
#include "jobs/reading_remarks.h"
#include "mask/trainer.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kMostClassesListed = 10;  // in the head of a result

void CheckK(int k, size_t usable, const std::vector<DroppedColumn>& dropped) {
  if (k < 1) throw UsageError(FieldRef("k") + " is " + FormatNumber(k) + "; it must be at least 1");
  if (static_cast<size_t>(k) <= usable) return;
  std::string why = dropped.empty()
                        ? ""
                        : " (" + std::to_string(dropped.size()) + " more cannot be chosen; '" +
                              dropped[0].name + "' is " + dropped[0].reason.Text() + ")";
  throw DataError(FieldRef("k") + " is " + FormatNumber(k) + ", but only " +
                  std::to_string(usable) + (usable == 1 ? " column" : " columns") +
                  " can be chosen" + why + "; lower " + FieldRef("k"));
}

// k first: it is wrong whatever the data are.
size_t FindTarget(const Tables& tables, const SelectionSpec& request) {
  if (request.k < 1) CheckK(request.k, 0, {});
  const size_t target = tables.data.IndexOf(request.target);
  RequireTarget(tables.data, target);
  return target;
}

std::optional<RandomStream> ShuffleOf(const SelectionSpec& request) {
  if (!request.shuffle) return std::nullopt;
  return StreamFor(request.seed, StreamOf::kShuffle, 0).Substream(*request.shuffle);
}

// The metric of the request. Left to us it follows the classes of all rows of the data table, so
// that it is the same for every split of them.
const Metric& ChooseMetric(const Table& table, size_t target, const SelectionSpec& request,
                           DataSummary* summary) {
  if (request.metric != "auto") return FindMetric(request.metric, summary->task);
  DefaultMetric chosen = TargetOf(summary->task).MetricFor(table, table.columns[target]);
  if (!chosen.remark.empty()) summary->remarks.push_back(std::move(chosen.remark));
  return FindMetric(chosen.name, summary->task);
}

std::string Gibibytes(double bytes) {
  return Format("%.1f GiB", bytes / (1024.0 * 1024.0 * 1024.0));
}

}  // namespace

std::vector<size_t> FeatureColumns(const Table& table, const SelectionSpec& request,
                                   std::vector<DroppedColumn>* dropped) {
  const size_t target = table.IndexOf(request.target);
  auto drop = [&](const std::string& name, DropKind kind) {
    if (dropped != nullptr) dropped->push_back({name, {kind, ""}});
  };
  auto holds = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (const auto& [field, list] :
       {std::pair{"drop", &request.drop}, {"ignore", &request.ignore}, {"keep", &request.keep}}) {
    for (const std::string& name : *list) {
      if (name == table.columns[target].name) {
        throw UsageError(FieldRef(field) + " names the target '" + name +
                         "'; leave it out of the list");
      }
    }
  }
  for (const auto& [field, list] :
       {std::pair{"drop", &request.drop}, {"ignore", &request.ignore}}) {
    for (const std::string& name : *list) {
      table.IndexOf(name);
      if (!holds(request.keep, name)) continue;
      throw UsageError(FieldRef(field) + " and " + FieldRef("keep") + " both name '" + name +
                       "'; leave it in one of them");
    }
  }
  std::vector<size_t> columns;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    const std::string& name = table.columns[c].name;
    if (c == target || (!request.weights.empty() && name == request.weights)) continue;
    if (holds(request.drop, name) || holds(request.ignore, name)) {
      drop(name, DropKind::kUser);
    } else if (name == request.split_by.column) {
      drop(name, DropKind::kSplit);
    } else if (holds(request.leaking, name)) {
      drop(name, DropKind::kLeak);
    } else {
      columns.push_back(c);
    }
  }
  return columns;
}

DataSummary Overview(const Table& table, const SelectionSpec& request) {
  const size_t target = table.IndexOf(request.target);
  DataSummary summary;
  summary.task = DecideTask(table, target, request.task);
  const std::vector<size_t> columns = FeatureColumns(table, request, &summary.dropped);
  summary.features = columns.size();
  for (size_t column : columns) {
    switch (table.columns[column].type) {
      case ColumnType::kNumeric:
        ++summary.types.numeric;
        break;
      case ColumnType::kBoolean:
        ++summary.types.boolean;
        break;
      case ColumnType::kDate:
        ++summary.types.date;
        break;
      case ColumnType::kText:
        ++summary.types.text;
        break;
    }
  }
  const std::vector<ClassOfTable> classes = TargetOf(summary.task).Classes(table.columns[target]);
  summary.classes = classes.size();
  if (classes.size() <= kMostClassesListed) {
    for (const ClassOfTable& one : classes) {
      summary.shares.push_back(
          {one.name, static_cast<double>(one.rows) / static_cast<double>(table.rows)});
    }
    std::stable_sort(summary.shares.begin(), summary.shares.end(),
                     [](const ClassShare& a, const ClassShare& b) { return a.share > b.share; });
  }
  return summary;
}

std::vector<int32_t> StrataOf(const Tables& tables, const SelectionSpec& request) {
  const size_t target = FindTarget(tables, request);
  return StrataOfRows(tables.data, target, DecideTask(tables.data, target, request.task));
}

RowParts CutRows(const Tables& tables, const SelectionSpec& request) {
  std::array<double, 3> shares =
      SharesOfDataFile(request.split, tables.valid.has_value(), tables.test.has_value());
  const RowSplitter splitter(tables.data, request.split_by, StrataOf(tables, request));
  Split split = splitter.Cut(AllIndices(tables.data.rows), shares, request.seed);
  auto part = [&](const std::optional<Table>& own, std::vector<size_t>& cut) {
    return own ? RowPart{&*own, AllIndices(own->rows)} : RowPart{&tables.data, std::move(cut)};
  };
  return {RowPart{&tables.data, std::move(split.train)}, part(tables.valid, split.valid),
          part(tables.test, split.test)};
}

Preparation::Preparation(const Tables& tables, const SelectionSpec& request, ThreadPool& pool)
    : Preparation(tables, request, CutRows(tables, request), pool) {}

Preparation::Preparation(const Tables& tables, const SelectionSpec& request, RowParts parts,
                         ThreadPool& pool)
    : table_(tables.data),
      target_(FindTarget(tables, request)),
      seed_(request.seed),
      summary_(Overview(table_, request)),
      metric_(ChooseMetric(table_, target_, request, &summary_)),
      shuffle_(ShuffleOf(request)),
      parts_(std::move(parts)) {
  const std::vector<size_t>& training = parts_.train.rows;
  const std::vector<size_t> columns = FeatureColumns(table_, request, nullptr);
  const std::vector<std::string> reading = ReadingRemarks(tables, request, target_, columns);
  summary_.remarks.insert(summary_.remarks.begin(), reading.begin(), reading.end());
  EncodeOptions encode_options{.groups = ResolveGroups(request.groups, table_, columns),
                               .identifiers = !request.ignore_identifiers};
  // Amounts far out are mostly sums, shares or multiples of other amounts, and no predictor makes
  // them of logarithms.
  encode_options.compress_tails =
      summary_.classes != 0 || !HasLongTails(table_.columns[target_], training);
  for (size_t column : columns) {
    const std::string& name = table_.columns[column].name;
    if (std::find(request.keep.begin(), request.keep.end(), name) != request.keep.end()) {
      encode_options.trusted.push_back(column);
    }
  }
  StopCheck::Ask();
  encoder_ = Encoder::Fit(table_, training, columns, encode_options, pool);
  summary_.dropped.insert(summary_.dropped.end(), encoder_.dropped().begin(),
                          encoder_.dropped().end());
  summary_.remarks.insert(summary_.remarks.end(), encoder_.remarks().begin(),
                          encoder_.remarks().end());
  StopCheck::Ask();
  summary_.train = training.size();
  summary_.valid = parts_.valid.rows.size();
  summary_.test = parts_.test.rows.size();
  summary_.rows = summary_.train + summary_.valid + summary_.test;
  CheckK(request.k, encoder_.layout().features(), summary_.dropped);
  target_encoder_ = TargetEncoder::Fit(table_, target_, summary_.task, training);
  weights_ =
      WeightRule::Fit(table_, training, LabelsOf(parts_.train), request.weights, request.balanced);
  auto encode = [&](const RowPart& part) {
    Dataset data;
    data.x = MakeRows(encoder_.Encode(*part.table, part.rows, pool));
    data.y = LabelsOf(part);
    data.weight = weights_.Weights(*part.table, part.rows, data.y);
    return data;
  };
  problem_.layout = encoder_.layout();
  problem_.keep = KeptFeatures(request);
  problem_.train = encode(parts_.train);
  problem_.valid = encode(parts_.valid);
  problem_.valid.metric = &metric_;
  problem_.test.x = MakeRows(encoder_.Encode(*parts_.test.table, parts_.test.rows, pool));
  problem_.value_codes = [this, &pool](int bins) {
    std::vector<int32_t> rows;
    for (size_t row : parts_.train.rows) rows.push_back(static_cast<int32_t>(row));
    std::vector<ValueCodes> codes(encoder_.layout().features());
    pool.ParallelFor(codes.size(), [&](size_t j) {
      std::vector<int32_t> sources;
      for (const FeatureEncoding& column : encoder_.ColumnsOf(j)) {
        sources.push_back(static_cast<int32_t>(column.source_column));
      }
      std::vector<ValueCodes> own = BuildValueCodes(table_, sources, rows, bins);
      codes[j] = own.size() == 1 ? std::move(own[0]) : JoinCodes(own, rows.size());
    });
    return codes;
  };
}

std::vector<int32_t> Preparation::KeptFeatures(const SelectionSpec& request) const {
  std::set<int32_t> kept;
  for (const std::string& name : request.keep) {
    int32_t found = -1;
    for (size_t j = 0; j < encoder_.layout().features(); ++j) {
      std::span<const FeatureEncoding> columns = encoder_.ColumnsOf(j);
      const bool here = encoder_.layout().names[j] == name ||
                        std::any_of(columns.begin(), columns.end(),
                                    [&](const FeatureEncoding& c) { return c.name == name; });
      if (here) found = static_cast<int32_t>(j);
    }
    if (found >= 0) {
      kept.insert(found);
      continue;
    }
    table_.IndexOf(name);
    std::string reason = "not a feature";
    for (const DroppedColumn& column : summary_.dropped) {
      if (column.name == name) reason = column.reason.Text();
    }
    throw DataError(FieldRef("keep") + " names '" + name + "', which cannot be chosen (" + reason +
                    "); leave it out of the list");
  }
  if (kept.size() > static_cast<size_t>(request.k)) {
    throw UsageError(FieldRef("k") + " is " + std::to_string(request.k) + ", but " +
                     FieldRef("keep") + " names " + std::to_string(kept.size()) +
                     " of the columns that count against it; raise " + FieldRef("k") +
                     " or keep fewer");
  }
  return {kept.begin(), kept.end()};
}

Labels Preparation::LabelsOf(const RowPart& part) const {
  Labels labels = target_encoder_.Encode(*part.table, part.rows);
  if (!shuffle_) return labels;
  // Parts are told apart by where they begin.
  RandomStream random = shuffle_->Substream(part.rows.empty() ? 0 : part.rows[0]);
  random.Shuffle(std::span(labels.index));
  random.Shuffle(std::span(labels.value));
  return labels;
}

double Preparation::Measure(const Model& model, const Dataset& data) const {
  return metric_.measure(Scores(model, data), data, target_encoder_.sd());
}

std::optional<double> Preparation::Test(const Model& model) const {
  if (parts_.test.rows.empty()) return std::nullopt;
  return Measure(model, TestRows());
}

Dataset Preparation::TestRows() const {
  Dataset data;
  data.x = problem_.test.x;
  data.y = LabelsOf(parts_.test);
  data.weight = weights_.Weights(*parts_.test.table, parts_.test.rows, data.y);
  return data;
}

std::vector<SelectedFeature> Preparation::Describe(const Choice& choice) const {
  std::vector<SelectedFeature> selected;
  for (size_t i = 0; i < choice.features.size(); ++i) {
    const size_t j = static_cast<size_t>(choice.features[i]);
    SelectedFeature feature{.rank = static_cast<int>(i) + 1,
                            .name = encoder_.layout().names[j],
                            .index = IndexOf(j),
                            .weight = {}};
    if (!std::isnan(choice.weights[j])) feature.weight = choice.weights[j];
    feature.kept =
        std::binary_search(problem_.keep.begin(), problem_.keep.end(), static_cast<int32_t>(j));
    for (const FeatureEncoding& column : encoder_.ColumnsOf(j)) {
      if (!column.group.empty()) feature.columns.push_back(column.name);
    }
    selected.push_back(std::move(feature));
  }
  return selected;
}

std::vector<int> Preparation::FeaturesOf(std::span<const SelectedFeature> selected) const {
  std::map<int, int> by_column;
  for (size_t j = 0; j < encoder_.layout().features(); ++j) {
    by_column[IndexOf(j)] = static_cast<int>(j);
  }
  std::vector<int> features;
  for (const SelectedFeature& feature : selected) {
    auto at = by_column.find(feature.index);
    if (at == by_column.end()) {
      throw DataError("column '" + feature.name + "' cannot be chosen here");
    }
    features.push_back(at->second);
  }
  return features;
}

void CheckMemory(std::string_view method, const Selector& selector, const Problem& problem, int k) {
  if (!selector.Serves(problem.train.y)) {
    throw DataError(std::string(method) + " does not support " +
                    std::string(TargetOf(problem.train.y.task).name()) +
                    "; choose another method, such as anova");
  }
  CheckMemory(method, selector.Memory(problem, k), problem);
}

void CheckMemory(std::string_view what, const MemoryNeed& need, const Problem& problem) {
  const double available = AvailableMemory();
  if (need.bytes <= available) return;
  throw DataError(std::string(what) + " would need " + Gibibytes(need.bytes) +
                  " of memory for these " + std::to_string(problem.train.rows()) +
                  " training rows and " + std::to_string(problem.layout.columns()) +
                  " encoded columns, and " + Gibibytes(available) + " are free; " +
                  (need.advice.empty() ? "take another method" : need.advice));
}

EnumNames<Task> NamesOf(Task) {
  static const std::vector<std::pair<std::string_view, Task>> names = [] {
    std::vector<std::pair<std::string_view, Task>> all;
    for (const Target* target : Targets()) all.emplace_back(target->name(), target->task());
    return all;
  }();
  return names;
}

}  // namespace slm
