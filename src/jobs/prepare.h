#pragma once

// The common start of every command that selects: rows are cut into parts, columns and target
// encoded by what the training rows say. Labels of the test rows stay out of the problem.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "base/random.h"
#include "data/encoding/encoder.h"
#include "data/splits/row_splitter.h"
#include "data/table.h"
#include "model/shared_fields.h"
#include "slm/context.h"
#include "slm/requests.h"
#include "slm/selector.h"
#include "slm/warning.h"
#include "targets/metrics.h"
#include "targets/target.h"
#include "targets/weights.h"

namespace slm {

// A request, its words settled by the table: columns are names of columns, k is a number.
struct SelectionSpec : DataRequest {
  int k = 0;
  bool ignore_identifiers = true;  // what looks like one is not a feature either, and that is said
  int ensemble = 1;                // selections, from the seed on, whose mean weights choose
  // Labels change places inside each part, by chance of this number: what is found then is chance.
  std::optional<uint64_t> shuffle = {};
  // Whether columns are significant, and at which level (jobs/significance.h); without k, the
  // significant ones are chosen.
  SignificanceTest significance = SignificanceTest::kNone;
  std::optional<double> fdr = {};
  int significance_rounds = 0;
  bool choose_significant = false;
  bool explain = true;  // say of each column that is not chosen why, and measure the chosen ones
  bool all_columns = false;               // and what a predictor with all of them would reach
  bool by_class = false;                  // and how the classes fare, one by one
  std::vector<std::string> leaking = {};  // columns left out because they give the target away
};

struct SelectedFeature {
  int rank = 0;  // from 1
  std::string name;
  int index = 0;  // position of the column in the table, from 0; of a group, of its first
  std::optional<float> weight = {};  // empty for a kept one that the method did not weigh
  // What the metric loses when it is left out (jobs/importance.h), and the standard error of that.
  std::optional<double> importance = {}, importance_sd = {};
  // Of the test, if there was one, and whether it is significant at the level, if there is one.
  std::optional<double> p_value = {}, q_value = {};
  std::optional<bool> significant = {};
  std::optional<double> frequency = {};   // share of an ensemble's selections that chose it
  bool kept = false;                      // it was not chosen but asked for
  std::vector<std::string> columns = {};  // of a group

  template <class Visitor>
  void VisitFields(Visitor& v) {
    VisitChosen(v, *this);
    v.Optional("kept", kept);
    v.Optional("columns", columns);
    v.Optional("frequency", frequency);
    v.Optional("p_value", p_value);
    v.Optional("q_value", q_value);
    v.Optional("significant", significant);
  }
};

EnumNames<Task> NamesOf(Task);  // as its targets have them

// Columns that may be chosen, by type.
struct TypeCounts {
  size_t numeric = 0, boolean = 0, date = 0, text = 0;

  bool operator==(const TypeCounts&) const = default;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("numeric", numeric);
    v("boolean", boolean);
    v("date", date);
    v("text", text);
  }
};

struct ClassShare {
  std::string name;
  double share = 0;  // of the rows of the data table

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("name", name);
    v("share", share);
  }
};

// What the data of a request came to, for the head of every result.
struct DataSummary {
  Task task = {};
  size_t rows = 0, features = 0, train = 0, valid = 0, test = 0;
  std::vector<DroppedColumn> dropped;
  size_t without_target = 0;         // rows left out
  TypeCounts types;                  // of the features
  size_t classes = 0;                // of the target; 0 for values
  std::vector<ClassShare> shares;    // of the classes where they are few, most frequent first
  std::vector<Warning> warnings;     // of what looks wrong, before the work began
  std::vector<std::string> remarks;  // on what was decided, or looks odd, and what to do about it

  std::string_view TaskName() const { return NameOf(task); }

  // The task stands in the head of the result.
  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("rows", rows);
    v("features", features);
    v("train", train);
    v("valid", valid);
    v("test", test);
    v.Optional("without_target", without_target);
    v.Optional("types", types);
    v.Optional("classes", classes);
    v.Optional("class_shares", shares);
    v("dropped", dropped);
    v.Optional("warnings", warnings);
    v.Optional("remarks", remarks);
  }
};

struct RowPart {
  const Table* table;
  std::vector<size_t> rows;
};

// Which rows train, choose and judge.
struct RowParts {
  RowPart train, valid, test;
};

// By the shares and the files of the request.
RowParts CutRows(const Tables& tables, const SelectionSpec& request);

// The class of each row of the data table, whose shares every part should keep; empty for
// regression.
std::vector<int32_t> StrataOf(const Tables& tables, const SelectionSpec& request);

// The columns that may be chosen; the others are in `dropped`, which may be null, with the reason.
// Throws InputError for lists that name the target or a column twice.
std::vector<size_t> FeatureColumns(const Table& table, const SelectionSpec& request,
                                   std::vector<DroppedColumn>* dropped);

// What the table says before it is split.
DataSummary Overview(const Table& table, const SelectionSpec& request);

class Preparation {
 public:
  // Throws InputError for what the user can fix. The tables must outlive this.
  Preparation(const Tables& tables, const SelectionSpec& request, ThreadPool& pool);
  // With parts of the caller's choice. Training rows are rows of the data table, and may repeat.
  Preparation(const Tables& tables, const SelectionSpec& request, RowParts parts, ThreadPool& pool);
  Preparation(const Preparation&) = delete;

  const Problem& problem() const { return problem_; }
  uint64_t seed() const { return seed_; }  // of the request
  const Metric& metric() const { return metric_; }
  const DataSummary& summary() const { return summary_; }
  const TargetEncoder& target() const { return target_encoder_; }
  const WeightRule& weights() const { return weights_; }
  // The cells that it was prepared from, and those of them that train.
  const Table& table() const { return table_; }
  std::span<const size_t> training_rows() const { return parts_.train.rows; }
  // The columns of what may be chosen, and those of one feature of it.
  const Encoder& encoder() const { return encoder_; }
  // What stands for the feature in results: the first of its columns, by its place in the table.
  int IndexOf(size_t feature) const {
    return static_cast<int>(encoder_.ColumnsOf(feature)[0].source_column);
  }

  // In the unit of the target.
  double Validate(const Model& model) const { return Measure(model, problem_.valid); }
  // Looks at the labels of the test rows; empty if there are none.
  std::optional<double> Test(const Model& model) const;
  Dataset TestRows() const;  // with their labels

  std::vector<SelectedFeature> Describe(const Choice& choice) const;
  // The way back: the features of the problem that were described.
  std::vector<int> FeaturesOf(std::span<const SelectedFeature> selected) const;

 private:
  double Measure(const Model& model, const Dataset& data) const;
  std::vector<int32_t> KeptFeatures(const SelectionSpec& request) const;
  Labels LabelsOf(const RowPart& part) const;

  const Table& table_;
  const size_t target_;
  const uint64_t seed_;
  DataSummary summary_;
  const Metric& metric_;
  const std::optional<RandomStream> shuffle_;
  RowParts parts_;
  Encoder encoder_;
  TargetEncoder target_encoder_;
  WeightRule weights_;
  Problem problem_;
};

// Throws a DataError if the method does not support the labels, or needs more memory than the
// machine has left.
void CheckMemory(std::string_view method, const Selector& selector, const Problem& problem, int k);
// Throws a DataError if so many bytes are more than the machine has left; `what` would need them.
void CheckMemory(std::string_view what, const MemoryNeed& need, const Problem& problem);

}  // namespace slm
