// slm apply: the chosen columns of another file.

#include <algorithm>
#include <string>
#include <utility>

#include "base/output.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/verbosity.h"
#include "data/readers/csv_writer.h"
#include "jobs/predict.h"
#include "jobs/requests.h"

namespace slm {

int RunApply(Arguments arguments) {
  ApplyRequest request;
  std::string output = "-";
  OptionList list("Flags");
  Describe(&request, &list);
  list.Text("output", &output, "write to `FILE`; - is standard output");
  Verbosity verbosity;
  verbosity.Describe(&list);
  ArgParser parser({.example = "slm apply houses.slm new.csv --output chosen.csv",
                    .usage = "apply MODEL DATA [flags]",
                    .summary = "Writes the columns of DATA that the model has chosen as CSV, in "
                               "the order of the\ntable it was made from."});
  parser.Flags(list);
  DescribeModelArgument(&request.model, &parser);
  DescribeNewData(&request.data, &parser);
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  CheckOutput(output);
  const AppliedTable applied = Execute(request);
  const Table& chosen = applied.chosen;
  OutputFile file(output);
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
  return verbosity.Done("wrote " + std::to_string(chosen.columns.size()) + " of " +
                        std::to_string(applied.columns) + " columns of " +
                        std::to_string(chosen.rows) + " rows");
}

}  // namespace slm
