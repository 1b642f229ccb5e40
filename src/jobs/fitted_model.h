#pragma once

// What a selection found, as a model that can be saved.

#include <string_view>

#include "jobs/prepare.h"
#include "slm/model.h"
#include "slm/selector.h"

namespace slm {

struct SelectionResult;

// Empty if the predictor, or what it reads, is not of this library's kind. The metrics of `result`
// must be known.
FittedModel MakeFittedModel(const Preparation& prepared, const Choice& choice,
                            const SelectionResult& result);

}  // namespace slm
