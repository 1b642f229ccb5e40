#pragma once

// Zip archives for tests.

#include <zlib.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace slm {

template <class T>
std::string Little(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(T));
}

// As numpy.savez_compressed writes it, or stored.
inline std::string Zip(const std::vector<std::pair<std::string, std::string>>& members,
                       bool deflated) {
  std::string archive, directory;
  for (const auto& [name, content] : members) {
    std::string packed = content;
    if (deflated) {
      packed.resize(content.size() + 100);
      z_stream stream{};
      deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
      stream.avail_in = static_cast<uInt>(content.size());
      stream.next_out = reinterpret_cast<Bytef*>(packed.data());
      stream.avail_out = static_cast<uInt>(packed.size());
      deflate(&stream, Z_FINISH);
      packed.resize(stream.total_out);
      deflateEnd(&stream);
    }
    const auto crc = static_cast<uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
    const std::string method = Little(static_cast<uint16_t>(deflated ? 8 : 0));
    const std::string name_bytes = Little(static_cast<uint16_t>(name.size()));
    const uint32_t start = static_cast<uint32_t>(archive.size());
    // The sizes beside the member are 64-bit in an extra field, as NumPy has them.
    archive += std::string("PK\3\4") + std::string("\x2d\0\0\0", 4) + method +
               std::string(4, '\0') + Little(crc) + std::string(8, '\xff') + name_bytes +
               Little(uint16_t{20}) + name + Little(uint16_t{1}) + Little(uint16_t{16}) +
               Little(uint64_t{content.size()}) + Little(uint64_t{packed.size()}) + packed;
    directory += std::string("PK\1\2") + std::string("\x2d\3\x2d\0\0\0", 6) + method +
                 std::string(4, '\0') + Little(crc) + Little(static_cast<uint32_t>(packed.size())) +
                 Little(static_cast<uint32_t>(content.size())) + name_bytes +
                 std::string(12, '\0') + Little(start) + name;
  }
  const auto count = static_cast<uint16_t>(members.size());
  return archive + directory + std::string("PK\5\6") + std::string(4, '\0') + Little(count) +
         Little(count) + Little(static_cast<uint32_t>(directory.size())) +
         Little(static_cast<uint32_t>(archive.size())) + std::string(2, '\0');
}

// The archive of one member, with a directory that names it `times` times; the letter $ in its name
// is another one each time.
inline std::string NamedManyTimes(const std::string& archive, int times) {
  constexpr size_t kEndBytes = 22;
  const size_t begin = archive.find("PK\1\2"), end = archive.size() - kEndBytes;
  const std::string entry = archive.substr(begin, end - begin);
  std::string directory;
  for (int i = 0; i < times; ++i) {
    directory += entry;
    directory[directory.rfind('$')] = static_cast<char>('a' + i);
  }
  const auto count = static_cast<uint16_t>(times);
  return archive.substr(0, begin) + directory + std::string("PK\5\6") + std::string(4, '\0') +
         Little(count) + Little(count) + Little(static_cast<uint32_t>(directory.size())) +
         Little(static_cast<uint32_t>(begin)) + std::string(2, '\0');
}

}  // namespace slm
