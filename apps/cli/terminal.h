#pragma once

#include "report/layout.h"

namespace slm {

// What the other side of a stream can show.
Terminal DescribeTerminal(int fd);

}  // namespace slm
