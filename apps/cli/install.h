#pragma once

// What `slm doctor --install` fetches.

#include <optional>
#include <string>

namespace slm {

// Fetches the library of that name by npm, which knows where packages are, checks that it is what
// this release was tested with, and puts it where slm looks. Throws a UsageError for a name that is
// not known, and a RuntimeFailure, nothing being installed, for all else.
void InstallLibrary(const std::string& name);

// Whether the library that was installed is still, byte for byte, the one this release was tested
// with; nothing if none was installed.
std::optional<bool> InstalledDuckdbIsIntact();

}  // namespace slm
