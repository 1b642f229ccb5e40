#pragma once

// Configuration files: the flags of a command as TOML without tables, one `key = value` on a line.
//
//   # a comment
//   method = "slm"
//   learning_rate = 0.003
//   drop = ["id", "name"]   # a flag that may be given several times

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "cli/args.h"
#include "cli/commands.h"

namespace slm {

// --config, the same for every command that has it: flags of the line win over those of the file.
class ConfigFlag {
 public:
  // Reads the file that the line names, if it names one: some flags decide which others exist.
  explicit ConfigFlag(Arguments arguments);
  ConfigFlag(const ConfigFlag&) = delete;

  // Adds --config to the flags, and what is in the file to what `parser` will parse.
  void Describe(OptionList* what, ArgParser* parser);

  // What the file sets `name` to, and where; null if it does not.
  const FileSetting* Find(std::string_view name) const;

 private:
  std::string path_;
  std::vector<FileSetting> settings_;
};

// Throws a DataError that names file and line for what is not of this form, and for a key that
// stands there twice.
std::vector<FileSetting> ReadConfig(const std::string& path);

// The same from text; `name` is that of the file in messages.
std::vector<FileSetting> ParseConfig(std::string_view text, const std::string& name);

// `comment` may have several lines. Fields of `options` say which settings are text.
std::string WriteConfig(const std::string& comment, const std::string& method,
                        std::span<const OptionSetting> settings, const OptionList& options);

}  // namespace slm
