#pragma once

// Command lines. Flags come from OptionLists (base/options.h), which requests and commands describe
// once; parsing, help and suggestions for misspelt flags come from that description.
//
//   --flag value   --flag=value   --switch   --no-switch   -k 5   -k5   --   ends the flags
//
// An option whose name is a single letter is written with one dash.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "cli/commands.h"

namespace slm {

// The fixed texts of a command's help, which opens with the example.
struct CommandText {
  std::string example;
  std::string usage;    // without the leading "slm": "select DATA --target COL -k N [flags]"
  std::string summary;  // a sentence or two
};

// An option set in a file, by name with '-' or '_', and where it stands: "best.toml line 3".
struct FileSetting {
  std::string name, value, where;
};

class ArgParser {
 public:
  explicit ArgParser(CommandText text) : text_(std::move(text)) {}

  // The next argument that is not a flag; an empty `missing` makes it optional, otherwise it is the
  // complaint when it is absent. `known` are the words that shells offer; none for files.
  void Positional(std::string name, std::string* value, std::string help, std::string missing,
                  std::vector<std::string> known = {});
  // The same for all that are left: it takes one or more, and none can stand behind it.
  void Positionals(std::string name, std::vector<std::string>* values, std::string help,
                   std::string missing);

  // Flags under the headings of their groups; fields without one are not flags. Those of another
  // list join a heading that is there. What they are bound to must outlive the parser.
  void Flags(const OptionList& options);

  // Asked about unknown flags that resemble no known one: a hint such as "it belongs to method x",
  // or nothing.
  void ExplainUnknown(std::function<std::string(std::string_view flag)> explain);

  // Values for flags that are not on the line. Complaints about them say where they stand.
  void Preset(std::vector<FileSetting> settings) { file_ = std::move(settings); }

  // Sets what the flags are bound to, in the order of their description whatever the order on the
  // line, so that an option described first (a preset) gives way to those after it. Returns false,
  // with nothing set, if help was asked for. Throws one UsageError with every complaint, one on
  // each line.
  bool Parse(std::span<const std::string> args);

  // In the form that was asked for: --help, --help=man for a manual page, and, at the end of a line
  // as far as it is written, --help=complete:WORD for completions of WORD. Defaults are what the
  // options hold now: call it before a successful Parse.
  std::string Help() const;

  // Whether the flag was on the parsed line, or in the file.
  bool Given(std::string_view name) const;

 private:
  enum class HelpForm { kText, kManPage, kCompletions };

  struct PositionalField {
    std::string name, help, missing;
    std::vector<std::string> known;
    std::string* value;
    std::vector<std::string>* values = nullptr;  // of one that takes all that are left
  };
  struct Group {
    std::string heading;
    std::vector<OptionField> fields;
  };
  struct Assignment {
    const OptionField* field;
    std::string text;
    std::string where = {};  // in the file; empty for one of the line
  };

  const OptionField* FindFlag(std::string_view name) const;
  // Reads one flag and its value from args[*i...]; adds to assignments_ or complaints.
  void ParseFlag(std::span<const std::string> args, size_t* i,
                 std::vector<std::string>* complaints);
  // What to write instead, beginning with "; ": the nearest flag with `dashes` before it, or the
  // explanation. Empty if there is nothing to say.
  std::string Hint(std::string_view name, const std::string& dashes) const;
  // What every run needs one of, such as the target, was said twice; other flags may be overridden
  // by a later one, as scripts do.
  void RefuseContradictions(std::vector<std::string>* complaints) const;
  void AddFileSettings(std::vector<std::string>* complaints);
  std::string ManPage() const;
  std::string Completions() const;

  CommandText text_;
  std::vector<PositionalField> positionals_;
  std::vector<Group> groups_;
  std::function<std::string(std::string_view)> explain_unknown_;
  std::vector<FileSetting> file_;
  std::vector<Assignment> assignments_;
  HelpForm form_ = HelpForm::kText;
  std::vector<std::string> line_;  // to be completed: its last word as far as it is written
};

// How the command line writes a field: "-k", "--time-limit".
std::string FlagStyle(std::string_view field, std::string_view value = {});

// What follows `flag` ("--method") on the line, also as --method=NAME, the last one if it is there
// twice; `otherwise` if it is not. For flags that decide which others exist, and so have to be
// known before the line is parsed.
std::string FlagValue(std::span<const std::string> arguments, std::string_view flag,
                      std::string otherwise);

}  // namespace slm
