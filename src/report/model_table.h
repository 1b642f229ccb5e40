#pragma once

// Models, and results that were written as JSON, as a person reads them.

#include <string>

#include "base/json.h"
#include "report/layout.h"

namespace slm {

// The chosen columns, best first, then what they predict, the predictor and how good it was. `json`
// is that of a model (slm.model/1) or of a selection (slm.selection/1). Throws a DataError, which
// names `path`, for anything else.
std::string RenderResult(const Json& json, const std::string& path, const Terminal& terminal);

}  // namespace slm
