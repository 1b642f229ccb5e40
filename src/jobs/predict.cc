#include "jobs/predict.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "base/fields.h"
#include "base/format.h"
#include "base/text.h"
#include "data/encoding/encoder.h"
#include "data/readers/csv_writer.h"
#include "data/readers/reader.h"
#include "data/readers/typing.h"
#include "data/table.h"
#include "model/predict.h"
#include "slm/errors.h"
#include "targets/metrics.h"
#include "targets/target.h"

namespace slm {
namespace {

std::string Digits(double value) {
  return std::isfinite(value) ? Format("%.4f", value) : "undefined";
}

bool IsModel(const std::string& path) {
  try {
    LoadModel(path);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// The model of a request. Of two files given the wrong way round, says so.
FittedModel ModelOf(const ModelRequest& request) {
  try {
    return LoadModel(request.model);
  } catch (const InputError&) {
    if (request.data.size() != 1 || !IsModel(request.data[0])) throw;
  }
  throw UsageError("the model comes first, then the data: " + request.data[0] +
                   " is a model, and " + request.model + " is not; swap them");
}

Table ReadLike(const ModelRequest& request, const FittedModel& model, bool raw, ThreadPool& pool) {
  Table like = TableLike(model.content(), "the model " + request.model);
  const TargetEncoding& target = model.content().target;
  if (target.type != ColumnType::kText) {
    Column& column = like.columns.emplace_back();
    column.name = target.name;
    column.type = target.type;
    column.format = target.format;
  }
  ReadOptions read = request.read;
  read.like = &like;
  read.target = target.name;
  read.raw = raw;
  return ReadTables(request.data, read, pool);
}

constexpr size_t kShown = 3;  // cells that a remark names

// Texts that training had none of: the predictor knows nothing of them, so their rows are predicted
// from the other columns alone. Where rare levels share parts, a model does not know which it saw.
void RemarkUnseen(const FeatureEncoding& encoding, const Column& column,
                  std::vector<std::string>* remarks) {
  const bool shared = encoding.has_other || encoding.hash_buckets > 0;
  if (encoding.type != ColumnType::kText || column.type != ColumnType::kText || shared) return;
  std::vector<size_t> cells(column.levels.size());
  for (int32_t code : column.codes) {
    if (code >= 0) ++cells[static_cast<size_t>(code)];
  }
  std::string shown;
  size_t unseen = 0, texts = 0;
  for (size_t l = 0; l < cells.size(); ++l) {
    const bool known =
        std::binary_search(encoding.levels.begin(), encoding.levels.end(), column.levels[l]);
    if (known || cells[l] == 0) continue;
    unseen += cells[l];
    if (++texts <= kShown) shown += (shown.empty() ? "" : ", ") + Quoted(column.levels[l]);
  }
  if (unseen == 0) return;
  remarks->push_back(
      Quoted(column.name) + ": " + std::to_string(unseen) +
      (unseen == 1 ? " cell holds" : " cells hold") + " text that the model has not seen (" +
      shown + (texts > kShown ? ", ..." : "") + "), and says nothing to it; check the spelling");
}

// Numbers and dates further outside the range of training than that range is wide: the predictor
// goes on from the range as it will, and a wrong unit or a missing decimal point looks like this.
void RemarkFarOutside(const FeatureEncoding& encoding, const Table& table, const Column& column,
                      std::vector<std::string>* remarks) {
  if (column.numbers.empty() || !(encoding.low < encoding.high)) return;
  const double width = encoding.high - encoding.low;
  std::string shown;
  size_t cells = 0;
  for (size_t row = 0; row < table.rows; ++row) {
    const double x = column.numbers[row];
    if (std::isnan(x) || (x >= encoding.low - width && x <= encoding.high + width)) continue;
    if (++cells > kShown) continue;
    shown += (shown.empty() ? "" : ", ") + CellText(column, row) + " (" + PlaceOf(table, row) + ")";
  }
  if (cells == 0) return;
  const Column range{.name = {},
                     .type = encoding.type,
                     .numbers = {encoding.low, encoding.high},
                     .codes = {},
                     .levels = {}};
  remarks->push_back(Quoted(column.name) + ": " + std::to_string(cells) +
                     (cells == 1 ? " cell is" : " cells are") +
                     " far outside the range of training, " + CellText(range, 0) + " to " +
                     CellText(range, 1) + ": " + shown + (cells > kShown ? ", ..." : "") +
                     "; their predictions are guesses; check the unit and the decimal sign");
}

void RemarkOnCells(const ModelContent& content, const Table& table,
                   std::vector<std::string>* remarks) {
  const std::vector<const Column*> columns = ChosenColumns(content, table);
  for (size_t f = 0; f < columns.size(); ++f) {
    const FeatureEncoding& encoding = content.features[f].encoding;
    RemarkUnseen(encoding, *columns[f], remarks);
    RemarkFarOutside(encoding, table, *columns[f], remarks);
  }
}

}  // namespace

PredictionResult PredictTable(const FittedModel& model, const Table& table, bool with_probabilities,
                              ThreadPool& pool, const FieldStyle& style) {
  const ModelContent& content = model.content();
  const Matrix scores = ModelScores(content, table, pool);
  PredictionResult result;
  result.model = model;
  result.method = content.origin.method;
  result.task = TargetOf(content.target.task).name();
  result.target = content.target.name;
  result.classes = content.target.classes;
  result.rows = table.rows;
  result.with_probabilities = with_probabilities;
  result.predictions = PredictionsOf(content, scores);
  for (const Column* column : ChosenColumns(content, table)) {
    for (const std::string& remark : RemarksOn(table, *column)) {
      result.remarks.push_back(RenderFields(remark, style));
    }
  }
  RemarkOnCells(content, table, &result.remarks);
  if (content.target.type == ColumnType::kDate && result.classes.empty()) {
    result.remarks.push_back("predictions of " + Quoted(content.target.name) +
                             ", a date, are days since 1970-01-01");
  }
  if (!HasColumn(table, content.target.name) || table.rows == 0) return result;
  try {
    const TargetEncoder target(content.target);
    const Metric& metric = FindMetric(content.origin.metric, content.target.task);
    Dataset data;
    const std::vector<size_t> rows = RowsWithTarget(table, table.IndexOf(content.target.name));
    data.x = MakeRows(Matrix(rows.size(), 0));
    data.y = target.Encode(table, rows);
    data.weight = WeightRule(content.origin.weighting).Weights(table, rows, data.y);
    Matrix judged(rows.size(), scores.cols());
    for (size_t i = 0; i < rows.size(); ++i) {
      std::copy_n(scores.row(rows[i]), scores.cols(), judged.row(i));
    }
    const double value = metric.measure(judged, data, target.sd());
    result.metric = {content.origin.metric, value};
    result.remark = content.origin.metric + " " + Digits(value) + " on " +
                    std::to_string(rows.size()) + (rows.size() == 1 ? " row" : " rows");
    if (rows.size() < table.rows) {
      result.remark += "; " + std::to_string(table.rows - rows.size()) + " without a target";
    }
  } catch (const InputError& error) {
    result.remark = std::string("the predictions cannot be evaluated: ") + error.what();
  }
  return result;
}

PredictionResult Execute(const PredictRequest& request) {
  const FittedModel model = ModelOf(request);
  if (request.probabilities && model.classes().empty()) {
    throw UsageError(FieldRef("probabilities") + " are for classes, and " + request.model +
                     " predicts the value " + model.target() + "; leave them out");
  }
  ThreadPool pool(request.threads);
  return PredictTable(model, ReadLike(request, model, /*raw=*/false, pool), request.probabilities,
                      pool, request.field_style);
}

AppliedTable Execute(const ApplyRequest& request) {
  const FittedModel model = ModelOf(request);
  ThreadPool pool(request.threads);
  return ApplyModel(model, ReadLike(request, model, /*raw=*/true, pool));
}

AppliedTable ApplyModel(const FittedModel& model, const Table& table) {
  AppliedTable applied;
  applied.columns = table.columns.size();
  applied.chosen.rows = table.rows;
  for (const Column* column : ChosenColumns(model.content(), table)) {
    applied.chosen.columns.push_back(*column);
  }
  return applied;
}

std::vector<std::string> PredictionResult::ClassNames() const {
  std::vector<std::string> names;
  for (int32_t c : predictions.classes) names.push_back(classes[static_cast<size_t>(c)]);
  return names;
}

void PredictionResult::SetClassNames(const std::vector<std::string>& names) {
  std::map<std::string_view, int32_t> place;
  for (size_t c = 0; c < classes.size(); ++c) place.emplace(classes[c], static_cast<int32_t>(c));
  predictions.classes.clear();
  for (const std::string& name : names) {
    const auto found = place.find(name);
    if (found == place.end()) throw DataError("its predictions: there is no class '" + name + "'");
    predictions.classes.push_back(found->second);
  }
}

std::optional<PredictionResult::ByRow> PredictionResult::Probabilities() const {
  if (!with_probabilities) return std::nullopt;
  ByRow by_row;
  for (size_t i = 0; i < predictions.probabilities.rows(); ++i) {
    const float* row = predictions.probabilities.row(i);
    by_row.emplace_back(row, row + classes.size());
  }
  return by_row;
}

void PredictionResult::SetProbabilities(const std::optional<ByRow>& by_row) {
  with_probabilities = by_row.has_value();
  if (!by_row) return;
  predictions.probabilities = Matrix(by_row->size(), classes.size());
  for (size_t i = 0; i < by_row->size(); ++i) {
    const std::vector<float>& row = (*by_row)[i];
    if (row.size() != classes.size()) {
      throw DataError("its probabilities[" + std::to_string(i) +
                      "]: there is not one of each class");
    }
    std::copy(row.begin(), row.end(), predictions.probabilities.row(i));
  }
}

Json PredictionResult::ToJson() const { return WriteFields(*this); }

PredictionResult PredictionResult::FromJson(const Json& json) {
  return ReadFields<PredictionResult>(json);
}

}  // namespace slm
