// slm apply: the chosen columns of another file.

#include <algorithm>
#include <string>
#include <utility>

#include "base/output.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/model_flags.h"
#include "data/readers/csv_writer.h"
#include "model/predict.h"

namespace slm {

int RunApply(Arguments arguments) {
  ModelFlags flags;
  ArgParser parser({.example = "slm apply houses.slm new.csv --output chosen.csv",
                    .usage = "apply MODEL DATA [flags]",
                    .summary = "Writes the columns of DATA that the model has chosen as CSV, in "
                               "the order of the\ntable it was made from."});
  DescribeModelData(&flags, {}, &parser);
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  CheckOutput(flags.output);
  const FittedModel model = LoadModel(flags.model);
  ThreadPool pool(flags.threads);
  const Table table = ReadLike(flags, model, pool);
  Table chosen;
  chosen.rows = table.rows;
  for (const Column* column : ChosenColumns(model.content(), table)) {
    chosen.columns.push_back(*column);
  }
  OutputFile file(flags.output);
  std::string text;
  AppendCsvHeader(chosen, &text);
  constexpr size_t kRowsAtOnce = 1000;
  for (size_t row = 0; row < chosen.rows; row += kRowsAtOnce) {
    AppendCsvRows(chosen, row, std::min(row + kRowsAtOnce, chosen.rows), &text);
    file.Write(text);
    text.clear();
  }
  file.Write(text);
  file.Commit();
  return flags.verbosity.Done("wrote " + std::to_string(chosen.columns.size()) + " of " +
                              std::to_string(table.columns.size()) + " columns of " +
                              std::to_string(chosen.rows) + " rows");
}

}  // namespace slm
