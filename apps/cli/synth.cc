// slm synth: tables whose salient columns are known.

#include "data/synth.h"

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "base/text.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace slm {
namespace {

// As a cell of a CSV file: quoted if it holds anything that a reader would take for its own.
void AppendText(std::string_view text, std::string* out) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out->append(text);
    return;
  }
  out->push_back('"');
  for (char c : text) out->append(c == '"' ? 2 : 1, c);
  out->push_back('"');
}

void AppendCell(const Column& column, size_t row, std::string* out) {
  if (column.type == ColumnType::kText) {
    int32_t code = column.codes[row];
    if (code >= 0) AppendText(column.levels[static_cast<size_t>(code)], out);
  } else if (!std::isnan(column.numbers[row])) {
    *out += FormatNumber(column.numbers[row]);
  }
}

// Calls write(text) with the lines of the table as CSV, one after the other.
template <class Write>
void WriteCsv(const Table& table, const Write& write) {
  std::string line;
  for (size_t row = 0; row <= table.rows; ++row) {
    line.clear();
    for (const Column& column : table.columns) {
      if (&column != &table.columns.front()) line += ',';
      if (row == 0) {
        AppendText(column.name, &line);
      } else {
        AppendCell(column, row - 1, &line);
      }
    }
    line += '\n';
    write(line);
  }
}

}  // namespace

int RunSynth(Arguments arguments) {
  SynthOptions options;
  std::string output = "-";
  OptionList flags;
  DescribeOptions(&options, &flags);
  flags.Add(SeedOption("seed", &options.seed, "the same seed gives the same table"));
  flags.Text("output", &output, "write to `FILE`; - is standard output");
  ArgParser parser({.example = "slm synth madelon --rows 2600 --output madelon.csv",
                    .usage = "synth KIND [flags]",
                    .summary = "Writes a synthetic table as CSV, its target in the column y."});
  parser.Flags("Flags", flags);
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  OutputFile file(output);
  WriteCsv(Synthesize(options), [&](std::string_view line) { file.Write(line); });
  file.Commit();
  return kDone;
}

}  // namespace slm
