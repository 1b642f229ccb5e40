#pragma once

namespace slm {

// "1.2.3"; the one place it is written in is the project() line of CMakeLists.txt.
const char* Version();

}  // namespace slm
