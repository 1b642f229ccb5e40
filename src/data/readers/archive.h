#pragma once

// Zip archives around a file of another format.

#include <string>
#include <string_view>

#include "data/readers/bytes.h"

namespace slm {

// "data.zip/inside.csv" is the member inside.csv of the file data.zip; any other path has no
// member.
struct ArchivePath {
  std::string file;
  std::string member;
};
ArchivePath SplitArchivePath(const std::string& path);

enum class ArchiveKind { kFiles, kArrays, kWorkbook };

// What the names of its members say that a zip archive is. Throws a DataError for a damaged one.
ArchiveKind KindOfArchive(std::string_view bytes, const std::string& source);

// A member of an archive, unpacked.
struct MemberFile {
  std::string name;  // in the archive
  std::string content;
};

// The one named `wanted`, or the only one; those that macOS adds do not count. Throws a DataError
// that lists them if there are several, or none of that name.
MemberFile TakeMember(const FileBytes& archive, const std::string& wanted, size_t max_bytes);

}  // namespace slm
