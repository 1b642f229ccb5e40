#pragma once

// A path as a picture.

#include <string>

#include "jobs/path.h"

namespace slm {

// Quality against k on a logarithmic scale: the method and random columns, each with a band
// of one standard error, what is good enough, and the chosen k. Readable on light and dark pages.
std::string PathToSvg(const PathResult& result);

}  // namespace slm
