// slm synth: tables whose salient columns are known.

#include "data/synth.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/output.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "data/csv_writer.h"

namespace slm {

int RunSynth(Arguments arguments) {
  SynthOptions options;
  std::string output = "-", answer;
  OptionList flags;
  DescribeOptions(&options, &flags);
  flags.Add(SeedOption("seed", &options.seed, "the same seed gives the same table"));
  flags.Text("output", &output, "write to `FILE`; - is standard output");
  flags.Text("answer", &answer, "write the names of the salient columns to `FILE`, one a line");
  std::string kinds;
  std::vector<std::string> names;
  for (const SynthKind& kind : SynthKinds()) {
    names.emplace_back(kind.name);
    kinds += "\n  " + std::string(kind.name) + std::string(12 - kind.name.size(), ' ') +
             std::string(kind.summary);
  }
  ArgParser parser({.example = "slm synth madelon --rows 2600 --output madelon.csv",
                    .usage = "synth KIND [flags]",
                    .summary = "Writes a synthetic table as CSV, its target in the column y. KIND "
                               "is one of" +
                               kinds});
  parser.Positional("KIND", &options.kind, "Which set.", "name the kind of set: slm synth --help",
                    names);
  parser.Flags("Flags", flags);
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  const SyntheticSet set = Synthesize(options);
  OutputFile file(output);
  std::string text;
  AppendCsvHeader(set.table, &text);
  constexpr size_t kRowsAtOnce = 1000;
  for (size_t row = 0; row < set.table.rows; row += kRowsAtOnce) {
    AppendCsvRows(set.table, row, std::min(row + kRowsAtOnce, set.table.rows), &text);
    file.Write(text);
    text.clear();
  }
  file.Commit();
  if (!answer.empty()) {
    for (int column : set.salient)
      text += set.table.columns[static_cast<size_t>(column)].name + "\n";
    WriteFile(answer, text);
  }
  Say(set.description);
  return kDone;
}

}  // namespace slm
