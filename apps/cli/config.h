#pragma once

// Configuration files: the flags of a command as TOML without tables, one `key = value` on a line.
//
//   # a comment
//   method = "slm"
//   learning_rate = 0.003
//   drop = ["id", "name"]   # a flag that may be given several times

#include <span>
#include <string>
#include <vector>

#include "base/options.h"
#include "cli/args.h"

namespace slm {

// Throws a DataError that names file and line for what is not of this form, and for a key that
// stands there twice.
std::vector<FileSetting> ReadConfig(const std::string& path);

// The same from text; `name` is that of the file in messages.
std::vector<FileSetting> ParseConfig(std::string_view text, const std::string& name);

// `comment` may have several lines. Fields of `options` say which settings are text.
std::string WriteConfig(const std::string& comment, const std::string& method,
                        std::span<const OptionSetting> settings, const OptionList& options);

}  // namespace slm
