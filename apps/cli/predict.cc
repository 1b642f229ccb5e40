// slm predict: a class or a value for each row of a file.

#include "jobs/predict.h"

#include <cstdio>
#include <string>

#include "base/output.h"
#include "base/text.h"
#include "cli/command_flags.h"
#include "cli/commands.h"
#include "cli/file_roles.h"
#include "data/readers/csv_writer.h"
#include "jobs/requests.h"

namespace slm {
namespace {

// As a column of a table, so that a file of predictions is written like any other.
Column TextColumn(std::string name, const std::vector<std::string>& levels,
                  std::vector<int32_t> codes) {
  return {.name = std::move(name),
          .type = ColumnType::kText,
          .numbers = {},
          .codes = std::move(codes),
          .levels = levels};
}

Table TableOf(const PredictionResult& result) {
  const Predictions& found = result.predictions;
  const TargetEncoding& target = result.model.content().target;
  Table table;
  table.rows = result.rows;
  if (target.classes.empty()) {
    table.columns.push_back({.name = target.name,
                             .type = ColumnType::kNumeric,
                             .numbers = found.values,
                             .codes = {},
                             .levels = {}});
    return table;
  }
  table.columns.push_back(TextColumn(target.name, target.classes, found.classes));
  if (!result.with_probabilities) return table;
  for (size_t c = 0; c < target.classes.size(); ++c) {
    // The shortest text of the float itself, which as a double would have twice the digits.
    Column column = TextColumn("p_" + target.classes[c], {}, {});
    for (size_t i = 0; i < table.rows; ++i) {
      column.codes.push_back(static_cast<int32_t>(i));
      column.levels.push_back(FormatNumber(found.probabilities(i, c)));
    }
    table.columns.push_back(std::move(column));
  }
  return table;
}

}  // namespace

int RunPredict(Arguments arguments) {
  PredictRequest request;
  std::string output = "-";
  bool json = false;
  CommandFlags flags(
      arguments, {.example = "slm predict houses.slm new.csv --output prices.csv",
                  .usage = "predict MODEL DATA [flags]",
                  .summary = "Writes the class or the value that the model predicts for each row "
                             "of DATA as CSV.\nIf DATA has the target as well, says how good "
                             "the predictions are."});
  Describe(&request, &flags.own());
  flags.own().Bool("json", &json, "JSON instead of CSV");
  flags.own().File("output", &output, "write to `FILE`; - is standard output");
  DescribeModelArgument(&request.model, &flags.parser());
  DescribeNewData(&request.data, &flags.parser());
  if (!flags.Parse()) return kDone;
  RefuseOverwriting(FilesRead(request.model, request.data), {{"--output", output}});
  CheckOutput(output);
  request.field_style = FlagStyle;
  const PredictionResult result = Execute(request);
  if (json) {
    WriteFile(output, result.ToJson().Dump(2) + "\n");
  } else {
    WriteCsv(TableOf(result), 0, result.rows, output);
  }
  for (const std::string& remark : result.remarks) flags.Remark(remark);
  if (!result.remark.empty()) flags.Remark(result.remark);
  return flags.Done("predicted " + std::to_string(result.rows) + " rows");
}

}  // namespace slm
