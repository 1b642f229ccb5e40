#pragma once

// What a user should know about how the tables of a request were read, before trusting a result.

#include <span>
#include <string>
#include <vector>

#include "jobs/prepare.h"
#include "slm/table.h"

namespace slm {

// On the target and the columns that may be chosen, in all tables of the request: cells that count
// as missing, guesses that may be wrong, a task that could have been the other.
std::vector<std::string> ReadingRemarks(const Tables& tables, const SelectionSpec& request,
                                        size_t target, std::span<const size_t> features);

}  // namespace slm
