#pragma once

#include <span>
#include <string>

#include "jobs/prepare.h"

namespace slm {

// What is wrong with columns that a checkpoint or a journal says were chosen, as the end of a
// sentence about them; empty if they are just `count` features of the problem, described as
// Preparation::Describe does.
std::string WrongWith(std::span<const SelectedFeature> selected, size_t count,
                      const Preparation& prepared);

}  // namespace slm
