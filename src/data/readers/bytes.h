#pragma once

// The bytes of a file, wherever they come from: mapped from disk, read from a pipe, decompressed.

#include <cstddef>
#include <string>
#include <string_view>

namespace slm {

class FileBytes {
 public:
  // Opens `path` ("-" is standard input) and undoes gzip or zstd compression, which the first bytes
  // tell. A plain file is mapped, not copied. Throws a DataError for a missing or unreadable file,
  // a directory, damaged compressed data, or more than max_bytes of content (0: half of the memory
  // of this machine).
  explicit FileBytes(const std::string& path, size_t max_bytes = 0);
  // What was found inside a file, compressed or not.
  FileBytes(std::string name, std::string content, size_t max_bytes);
  ~FileBytes();
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  std::string_view view() const { return view_; }
  const std::string& name() const { return name_; }  // for messages

  // A path under which another library can open the content: the file itself, or, for a pipe or
  // what was compressed, a copy in memory. It is good as long as this object lives, and holds no
  // letter that a library could take for a pattern.
  std::string PathOfContent();

 private:
  void Open(const std::string& path, size_t max_bytes);
  void Decompress(size_t max_bytes);
  void Release();

  std::string name_;
  std::string_view view_;  // of the mapping or of buffer_
  std::string buffer_;
  void* mapping_ = nullptr;
  size_t mapped_bytes_ = 0;
  int fd_ = -1;  // of the mapped file, or of the copy in memory
};

// max_bytes, or half of the memory of this machine if that is 0.
size_t ContentBound(size_t max_bytes);

}  // namespace slm
