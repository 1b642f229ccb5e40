#include "data/readers/zip.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include "base/text.h"
#include "data/readers/bytes.h"
#include "slm/errors.h"

namespace slm {
namespace {

// Deflate never expands by more than this.
constexpr size_t kMostInflation = 1032;
constexpr uint32_t kEndMark = 0x06054b50, kEnd64Mark = 0x06064b50, kLocator64Mark = 0x07064b50;
constexpr uint32_t kDirectoryMark = 0x02014b50, kMemberMark = 0x04034b50;
constexpr size_t kEndBytes = 22, kEnd64Bytes = 56, kLocator64Bytes = 20;
constexpr size_t kDirectoryBytes = 46, kMemberBytes = 30;

class Archive {
 public:
  Archive(std::string_view bytes, const std::string& source) : bytes_(bytes), source_(source) {}

  [[noreturn]] void Fail(const std::string& what) const {
    throw DataError(source_ + ": the zip archive is damaged (" + what +
                    "); it may be cut short, so fetch or write it again");
  }

  std::string_view Bytes(size_t at, size_t count, const char* what) const {
    if (at > bytes_.size() || count > bytes_.size() - at) {
      Fail(std::string(what) + " at byte " + std::to_string(at) + " is outside the file");
    }
    return bytes_.substr(at, count);
  }

  // Little-endian, at a place that Bytes has checked.
  template <class T>
  static T Get(std::string_view record, size_t at) {
    T value;
    std::memcpy(&value, record.data() + at, sizeof(T));
    return value;
  }

  std::vector<ZipMember> List() const;

 private:
  struct Directory {
    uint64_t at = 0;
    uint64_t members = 0;
  };

  Directory FindDirectory() const;
  ZipMember ReadMember(size_t* at) const;
  void CheckDisjoint(std::vector<ZipMember> members) const;

  std::string_view bytes_;
  const std::string& source_;
};

Archive::Directory Archive::FindDirectory() const {
  // The record at the end may have a comment of up to 65535 bytes after it.
  if (bytes_.size() < kEndBytes) Fail("it is too short");
  size_t first = bytes_.size() - std::min<size_t>(bytes_.size(), kEndBytes + 0xFFFF);
  for (size_t at = bytes_.size() - kEndBytes + 1; at-- > first;) {
    std::string_view end = bytes_.substr(at, kEndBytes);
    if (Get<uint32_t>(end, 0) != kEndMark) continue;
    if (at >= kLocator64Bytes) {
      std::string_view locator = bytes_.substr(at - kLocator64Bytes, kLocator64Bytes);
      if (Get<uint32_t>(locator, 0) == kLocator64Mark) {
        std::string_view end64 = Bytes(Get<uint64_t>(locator, 8), kEnd64Bytes, "the directory");
        if (Get<uint32_t>(end64, 0) != kEnd64Mark) Fail("its 64-bit end is missing");
        return {Get<uint64_t>(end64, 48), Get<uint64_t>(end64, 32)};
      }
    }
    return {Get<uint32_t>(end, 16), Get<uint16_t>(end, 10)};
  }
  Fail("its end is missing");
}

ZipMember Archive::ReadMember(size_t* at) const {
  std::string_view entry = Bytes(*at, kDirectoryBytes, "the directory");
  if (Get<uint32_t>(entry, 0) != kDirectoryMark) Fail("its directory is not where it should be");
  const size_t name_bytes = Get<uint16_t>(entry, 28), extra_bytes = Get<uint16_t>(entry, 30);
  ZipMember member;
  member.name = Bytes(*at + kDirectoryBytes, name_bytes, "a name");
  member.crc = Get<uint32_t>(entry, 16);
  uint64_t packed = Get<uint32_t>(entry, 20), size = Get<uint32_t>(entry, 24),
           start = Get<uint32_t>(entry, 42);
  // Sizes that need more than 32 bits stand in an extra field, in this order.
  std::string_view extra = Bytes(*at + kDirectoryBytes + name_bytes, extra_bytes, "a member");
  while (extra.size() >= 4) {
    const size_t length = std::min<size_t>(Get<uint16_t>(extra, 2), extra.size() - 4);
    if (Get<uint16_t>(extra, 0) == 1) {
      std::string_view sizes = extra.substr(4, length);
      for (uint64_t* value : {&size, &packed, &start}) {
        if (*value != 0xFFFFFFFF || sizes.size() < 8) continue;
        *value = Get<uint64_t>(sizes, 0);
        sizes.remove_prefix(8);
      }
    }
    extra.remove_prefix(4 + length);
  }
  *at += kDirectoryBytes + name_bytes + extra_bytes + Get<uint16_t>(entry, 32);

  const uint16_t method = Get<uint16_t>(entry, 10);
  if ((Get<uint16_t>(entry, 8) & 1) != 0 || (method != 0 && method != 8)) {
    throw DataError(source_ + ": the member " + Quoted(member.name) +
                    " is encrypted or compressed other than by deflate; unpack it, or write it " +
                    "again by zip, numpy.savez or the like");
  }
  member.deflated = method == 8;
  member.size = size;
  member.at = start;
  std::string_view header = Bytes(start, kMemberBytes, "a member");
  if (Get<uint32_t>(header, 0) != kMemberMark) Fail("a member is not where it should be");
  member.packed =
      Bytes(start + kMemberBytes + Get<uint16_t>(header, 26) + Get<uint16_t>(header, 28), packed,
            "a member");
  const bool possible = member.deflated ? size / kMostInflation <= packed : size == packed;
  if (!possible) Fail("the size of " + Quoted(member.name) + " cannot be true");
  return member;
}

// A directory that names the same bytes many times would unpack to any size.
void Archive::CheckDisjoint(std::vector<ZipMember> members) const {
  std::stable_sort(members.begin(), members.end(),
                   [](const ZipMember& a, const ZipMember& b) { return a.at < b.at; });
  for (size_t i = 1; i < members.size(); ++i) {
    const ZipMember& before = members[i - 1];
    if (before.packed.data() + before.packed.size() <= bytes_.data() + members[i].at) continue;
    throw DataError(source_ + ": the members " + Quoted(before.name) + " and " +
                    Quoted(members[i].name) +
                    " of the archive share bytes; write it again by zip, numpy.savez or the like");
  }
}

std::vector<ZipMember> Archive::List() const {
  const Directory directory = FindDirectory();
  std::vector<ZipMember> members;
  size_t at = directory.at;
  // Every member takes some of the file, so a false number of them ends at its end.
  for (uint64_t i = 0; i < directory.members; ++i) members.push_back(ReadMember(&at));
  CheckDisjoint(members);
  return members;
}

}  // namespace

std::vector<ZipMember> ListZip(std::string_view bytes, const std::string& source,
                               size_t max_bytes) {
  std::vector<ZipMember> members = Archive(bytes, source).List();
  const size_t bound = ContentBound(max_bytes);
  size_t left = bound;
  for (const ZipMember& member : members) {
    if (member.size > left) {
      throw DataError(source + " holds more than " + std::to_string(bound >> 20) +
                      " MiB of content, too much for the memory of this machine; "
                      "keep fewer rows or columns");
    }
    left -= member.size;
  }
  return members;
}

std::string_view Unzip(const ZipMember& member, const std::string& source, std::string* storage) {
  std::string_view content = member.packed;
  if (member.deflated) {
    storage->resize(member.size);
    z_stream stream{};
    if (inflateInit2(&stream, -15) != Z_OK) throw std::bad_alloc();
    std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
    constexpr size_t kMost = std::numeric_limits<uInt>::max();  // zlib counts in 32 bits
    size_t in = 0, out = 0;
    int status = Z_OK;
    while (status == Z_OK) {
      const size_t in_now = std::min(member.packed.size() - in, kMost);
      const size_t out_now = std::min(storage->size() - out, kMost);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(member.packed.data() + in));
      stream.avail_in = static_cast<uInt>(in_now);
      stream.next_out = reinterpret_cast<Bytef*>(storage->data() + out);
      stream.avail_out = static_cast<uInt>(out_now);
      status = inflate(&stream, Z_NO_FLUSH);
      in += in_now - stream.avail_in;
      out += out_now - stream.avail_out;
    }
    if (status != Z_STREAM_END || out != member.size) {
      Archive({}, source).Fail(Quoted(member.name) + " cannot be unpacked");
    }
    content = *storage;
  }
  uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
  if (crc != member.crc) Archive({}, source).Fail("the checksum of " + Quoted(member.name));
  return content;
}

}  // namespace slm
