// slm synth: tables whose salient columns are known.

#include "data/synthetic/synth.h"

#include <string>
#include <vector>

#include "base/options.h"
#include "base/output.h"
#include "cli/command_flags.h"
#include "cli/commands.h"
#include "cli/file_roles.h"
#include "data/readers/csv_writer.h"
#include "slm/errors.h"

namespace slm {
namespace {

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
  CommandFlags flags(
      arguments, {.example = "slm synth madelon --rows 2600 --output madelon.csv",
                  .usage = "synth KIND [flags]",
                  .summary = "Writes a synthetic table as CSV, its target in the column y. KIND "
                             "is, with classes to predict," +
                             ListKinds(false) + "\nand with values to predict" + ListKinds(true)});
  DescribeOptions(&options, &flags.own());
  flags.own().Seed("seed", &options.seed, "the same seed gives the same table");
  flags.own().File("output", &output, "write to `FILE`; - is standard output");
  flags.own().File("test", &test, "write the --test-rows to `FILE`");
  flags.own().File("answer", &answer,
                   "write the names of the salient columns to `FILE`, one a line");
  flags.own().File("copies", &copies,
                   "like --answer, with the names of its copies after each, to `FILE`");
  std::vector<std::string> names;
  for (const SynthKind& kind : SynthKinds()) names.emplace_back(kind.name);
  flags.parser().Positional("KIND", &options.kind, "Which set.",
                            "name the kind of set: slm synth --help", names);
  if (!flags.Parse()) return kDone;
  if (test.empty() != (options.test_rows == 0)) {
    throw UsageError("--test-rows says how many rows go to the file of --test: give both or none");
  }
  RefuseOverwriting(
      {}, {{"--output", output}, {"--test", test}, {"--answer", answer}, {"--copies", copies}});
  const SyntheticSet set = Synthesize(options);
  const size_t rows = set.table.rows - set.test_rows;
  WriteCsv(set.table, 0, rows, output);
  if (!test.empty()) WriteCsv(set.table, rows, set.table.rows, test);
  if (!answer.empty()) WriteFile(answer, SalientNames(set, false));
  if (!copies.empty()) WriteFile(copies, SalientNames(set, true));
  flags.Remark(set.description);
  return flags.Done("wrote " + std::to_string(set.table.rows) + " rows of " +
                    std::to_string(set.table.columns.size()) + " columns");
}

}  // namespace slm
