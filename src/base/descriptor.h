#pragma once

// File descriptors: reading and writing that neither a signal nor a short count cuts off.

#include <string>
#include <string_view>

namespace slm {

// All that is left to read. Throws a DataError that names `path`.
std::string ReadAll(int fd, const std::string& path);

// False with errno set if not all of it went through.
bool WriteAll(int fd, std::string_view text);

// "." for a plain name.
std::string DirectoryOf(const std::string& path);

// A new name, too, must outlast a loss of power. Where directories cannot be synchronised, that is
// up to the system.
void SyncDirectoryOf(const std::string& path);

}  // namespace slm
