#pragma once

// The one description of SlmOptions, behind flags, JSON, help and validation.

#include "base/options.h"
#include "slm/options.h"

namespace slm {

void DescribeOptions(SlmOptions& options, OptionList& list);

}  // namespace slm
