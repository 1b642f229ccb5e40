#pragma once

// Whether data are those that a stored part of the work was computed from.

#include <string>

#include "data/table.h"
#include "jobs/prepare.h"

namespace slm {

// A hash of names, types and every cell.
std::string Fingerprint(const Table& table);
// Of all that are there.
std::string Fingerprint(const Tables& tables);

}  // namespace slm
