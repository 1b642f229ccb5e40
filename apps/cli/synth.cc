// slm synth: tables whose salient columns are known.

#include "data/synthetic/synth.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/output.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/verbosity.h"
#include "data/readers/csv_writer.h"
#include "slm/errors.h"

namespace slm {
namespace {

void WriteRows(const Table& table, size_t begin, size_t end, const std::string& path) {
  constexpr size_t kRowsAtOnce = 1000;
  OutputFile file(path);
  std::string text;
  AppendCsvHeader(table, &text);
  for (size_t row = begin; row < end; row += kRowsAtOnce) {
    AppendCsvRows(table, row, std::min(row + kRowsAtOnce, end), &text);
    file.Write(text);
    text.clear();
  }
  file.Commit();
}

// A line for each salient column: its name and, if asked for, those of its copies.
std::string SalientNames(const SyntheticSet& set, bool with_copies) {
  std::string text;
  auto name = [&](int column) { return set.table.columns[static_cast<size_t>(column)].name; };
  for (size_t j = 0; j < set.salient.size(); ++j) {
    text += name(set.salient[j]);
    if (with_copies) {
      for (int copy : set.copies[j]) text += " " + name(copy);
    }
    text += "\n";
  }
  return text;
}

std::string ListKinds(bool values) {
  constexpr size_t kWidth = 14;
  std::string text;
  for (const SynthKind& kind : SynthKinds()) {
    if ((kind.classes == 0) != values) continue;
    text += "\n  " + std::string(kind.name) + std::string(kWidth - kind.name.size(), ' ') +
            std::string(kind.summary);
  }
  return text;
}

}  // namespace

int RunSynth(Arguments arguments) {
  SynthOptions options;
  std::string output = "-", test, answer, copies;
  OptionList flags("Flags");
  DescribeOptions(&options, &flags);
  flags.Seed("seed", &options.seed, "the same seed gives the same table");
  flags.Text("output", &output, "write to `FILE`; - is standard output");
  flags.Text("test", &test, "write the --test-rows to `FILE`");
  flags.Text("answer", &answer, "write the names of the salient columns to `FILE`, one a line");
  flags.Text("copies", &copies,
             "like --answer, with the names of its copies after each, to `FILE`");
  std::vector<std::string> names;
  for (const SynthKind& kind : SynthKinds()) names.emplace_back(kind.name);
  ArgParser parser({.example = "slm synth madelon --rows 2600 --output madelon.csv",
                    .usage = "synth KIND [flags]",
                    .summary = "Writes a synthetic table as CSV, its target in the column y. KIND "
                               "is, with classes to predict," +
                               ListKinds(false) + "\nand with values to predict" +
                               ListKinds(true)});
  parser.Positional("KIND", &options.kind, "Which set.", "name the kind of set: slm synth --help",
                    names);
  Verbosity verbosity;
  verbosity.Describe(&flags);
  parser.Flags(flags);
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  if (test.empty() != (options.test_rows == 0)) {
    throw UsageError("--test-rows says how many rows go to the file of --test: give both or none");
  }
  const SyntheticSet set = Synthesize(options);
  const size_t rows = set.table.rows - set.test_rows;
  WriteRows(set.table, 0, rows, output);
  if (!test.empty()) WriteRows(set.table, rows, set.table.rows, test);
  if (!answer.empty()) WriteFile(answer, SalientNames(set, false));
  if (!copies.empty()) WriteFile(copies, SalientNames(set, true));
  verbosity.Remark(set.description);
  return verbosity.Done("wrote " + std::to_string(set.table.rows) + " rows of " +
                        std::to_string(set.table.columns.size()) + " columns");
}

}  // namespace slm
