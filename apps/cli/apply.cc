// slm apply: the chosen columns of another file.

#include <string>

#include "base/output.h"
#include "cli/command_flags.h"
#include "cli/commands.h"
#include "cli/file_roles.h"
#include "data/readers/csv_writer.h"
#include "jobs/predict.h"
#include "jobs/requests.h"

namespace slm {

int RunApply(Arguments arguments) {
  ApplyRequest request;
  std::string output = "-";
  CommandFlags flags(arguments,
                     {.example = "slm apply houses.slm new.csv --output chosen.csv",
                      .usage = "apply MODEL DATA [flags]",
                      .summary = "Writes the columns of DATA that the model has chosen as CSV, in "
                                 "the order of the\ntable it was made from."});
  Describe(&request, &flags.own());
  flags.own().File("output", &output, "write to `FILE`; - is standard output");
  DescribeModelArgument(&request.model, &flags.parser());
  DescribeNewData(&request.data, &flags.parser());
  if (!flags.Parse()) return kDone;
  RefuseOverwriting(FilesRead(request.model, request.data), {{"--output", output}});
  CheckOutput(output);
  const AppliedTable applied = Execute(request);
  const Table& chosen = applied.chosen;
  WriteCsv(chosen, 0, chosen.rows, output);
  return flags.Done("wrote " + std::to_string(chosen.columns.size()) + " of " +
                    std::to_string(applied.columns) + " columns of " + std::to_string(chosen.rows) +
                    " rows");
}

}  // namespace slm
