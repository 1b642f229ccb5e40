#pragma once

// The flags of commands that run several methods: --methods A,B and --set METHOD.OPTION=VALUE.

#include <string>
#include <vector>

#include "jobs/compare.h"

namespace slm {

// The methods that are named, each once and in that order; "all" stands for the whole catalog.
// Throws a UsageError for names and settings that do not exist.
std::vector<ComparedMethod> MethodsByName(const std::vector<std::string>& written,
                                          const std::vector<std::string>& set);

}  // namespace slm
