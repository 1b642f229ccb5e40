#pragma once

// What a method chose, in a checkpoint.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/checkpoint.h"
#include "base/random.h"
#include "jobs/prepare.h"
#include "nn/fit.h"
#include "slm/selector.h"

namespace slm {

// A choice of k features.
void Serialize(Archive& archive, Choice& choice, const Problem& problem, int k);

// SelectKept, or what it came to before, under that name.
Choice SelectOrFind(const std::string& name, Selector& selector, const Problem& problem, int k,
                    uint64_t seed, const Context& context);

}  // namespace slm
