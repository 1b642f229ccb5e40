#pragma once

// The makers behind the catalog, one for each method's file.

#include <memory>

#include "slm/selector.h"

namespace slm {

std::unique_ptr<Selector> MakeSlm();

}  // namespace slm
