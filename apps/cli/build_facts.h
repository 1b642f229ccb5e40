#pragma once

// How this program was made, as the program itself shows it: what the compiler was told, and what
// the loader finds in the file.

#include <string>
#include <vector>

namespace slm {

struct BuildFact {
  std::string name;
  std::string value;
  bool hardened = true;  // false for a protection that is not there
};

std::vector<BuildFact> FactsOfBuild();

}  // namespace slm
