#pragma once

// The members of a zip archive, stored or deflated, with the 64-bit sizes that NumPy writes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slm {

struct ZipMember {
  std::string name;
  size_t at = 0;  // where it begins in the archive, its header included
  std::string_view packed;
  size_t size = 0;  // unpacked
  uint32_t crc = 0;
  bool deflated = false;
};

// The members in the order of the directory. Throws a DataError for a damaged or encrypted archive,
// and if the members claim more than max_bytes together, or more than their packed bytes can hold.
// No two share bytes, so that all together hold at most 1032 times the archive.
std::vector<ZipMember> ListZip(std::string_view bytes, const std::string& source, size_t max_bytes);

// The unpacked member: its bytes in the archive, or *storage. Throws a DataError if its size or
// checksum is not what the directory says.
std::string_view Unzip(const ZipMember& member, const std::string& source, std::string* storage);

}  // namespace slm
