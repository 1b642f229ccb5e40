#pragma once

// Fields of requests whose values have a notation of their own.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/options.h"
#include "slm/requests.h"

namespace slm {

// N, a share such as 0.3 or 30%, max:N, and auto where that is allowed. In JSON and Python a whole
// number is a count and any other one a share.
OptionField CountField(FeatureCount* k, bool or_auto);

// A,B,C for parts drawn at random; group:COL or time:COL, with or without ",A,B,C" behind it, for
// the other rules.
OptionField SplitField(std::array<double, 3>* shares, SplitRule* rule);

// N; group:COL or time:COL, with or without ",N" behind it (5).
OptionField FoldsField(int* folds, SplitRule* rule);

// Whole numbers from 1 on.
OptionField NumbersField(std::string name, std::vector<int>* values, std::string help);

// A number, or a word for none.
OptionField NumberOrWordField(std::string name, std::optional<double>* value,
                              const std::string& word, bool (*fits)(double), std::string allowed,
                              std::string help);

// METHOD.OPTION=VALUE; in JSON {"METHOD": {"OPTION": VALUE}}.
OptionField SettingsField(std::string name, std::vector<MethodSetting>* settings, std::string help);

// Options of a method by name, an object in JSON; the command line has a flag for each instead.
OptionField OptionsField(std::string name, std::vector<OptionSetting>* options, std::string help);

}  // namespace slm
