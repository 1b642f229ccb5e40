#pragma once

// The flags on how many columns are enough, for `path` and for `select -k auto`.

#include <string>

#include "base/options.h"
#include "jobs/path.h"

namespace slm {

// Adds --folds and --tolerance, each help text opening with `lead`.
void DescribePathOptions(PathRequest* request, const std::string& lead, OptionList* list);

}  // namespace slm
