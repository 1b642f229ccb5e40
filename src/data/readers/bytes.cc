#include "data/readers/bytes.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

#include "base/machine.h"
#include "base/system.h"
#include "slm/errors.h"

namespace slm {
namespace {

// How much content a file may have, and what to do about more.
struct Bound {
  size_t bytes;
  const char* advice;
};

constexpr const char* kTooLarge =
    "too much for the memory of this machine; keep fewer rows or columns";

// Deflate cannot exceed this; zstd could, by far.
constexpr size_t kMostInflation = 1032;
constexpr size_t kAlwaysAllowed = 64 << 20;

Bound BoundOfInflated(size_t compressed, size_t max_bytes) {
  const size_t inflated = std::max(kAlwaysAllowed, compressed * kMostInflation);
  if (max_bytes <= inflated) return {max_bytes, kTooLarge};
  return {inflated,
          "more than a thousand times its size; if that is what it should hold, decompress it "
          "first"};
}

[[noreturn]] void ThrowTooLarge(const std::string& name, const Bound& bound) {
  throw DataError(name + " holds more than " + std::to_string(bound.bytes >> 20) +
                  " MiB of content, " + bound.advice);
}

[[noreturn]] void ThrowDamaged(const std::string& name, const char* kind, const char* what) {
  throw DataError(name + ": the " + kind + " data are damaged (" + what +
                  "); the file may be cut short, so fetch or compress it again");
}

// Output that grows as it is filled, up to a bound.
class Sink {
 public:
  Sink(const std::string& name, const Bound& bound, size_t first_size)
      : name_(name), bound_(bound) {
    Grow(std::min(bound_.bytes, std::max<size_t>(first_size, 1 << 16)));
  }
  char* free() { return buffer_.data() + used_; }
  size_t room() const { return buffer_.size() - used_; }
  void Fill(size_t bytes) {
    used_ += bytes;
    if (room() != 0) return;
    if (buffer_.size() > bound_.bytes) ThrowTooLarge(name_, bound_);
    // One byte above the bound tells "exactly full" from "too much".
    Grow(std::min(bound_.bytes + 1, buffer_.size() * 2));
  }
  std::string Take() {
    if (used_ > bound_.bytes) ThrowTooLarge(name_, bound_);
    buffer_.resize(used_);
    return std::move(buffer_);
  }

 private:
  void Grow(size_t size) { buffer_.resize(size); }

  std::string name_;
  Bound bound_;
  std::string buffer_;
  size_t used_ = 0;
};

std::string ReadAll(int fd, const std::string& name, size_t max_bytes) {
  Sink sink(name, {max_bytes, kTooLarge}, 1 << 20);
  for (;;) {
    ssize_t got = read(fd, sink.free(), sink.room());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw DataError("cannot read " + name + ": " + std::strerror(errno));
    if (got == 0) return sink.Take();
    sink.Fill(static_cast<size_t>(got));
  }
}

std::string Gunzip(std::string_view in, const std::string& name, const Bound& bound) {
  Sink sink(name, bound, in.size() * 4);
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::bad_alloc();
  std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  size_t consumed = 0;
  int status = Z_OK;
  while (status != Z_STREAM_END || consumed < in.size()) {
    if (status == Z_STREAM_END) {
      // Another member follows; zeros after the last one are padding.
      if (in[consumed] == '\0') break;
      inflateReset(&stream);
    }
    constexpr size_t kMost = 1u << 30;  // zlib counts in 32 bits
    size_t in_now = std::min(in.size() - consumed, kMost);
    size_t room = std::min(sink.room(), kMost);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data() + consumed));
    stream.avail_in = static_cast<uInt>(in_now);
    stream.next_out = reinterpret_cast<Bytef*>(sink.free());
    stream.avail_out = static_cast<uInt>(room);
    status = inflate(&stream, Z_NO_FLUSH);
    consumed += in_now - stream.avail_in;
    sink.Fill(room - stream.avail_out);
    if (status == Z_BUF_ERROR) ThrowDamaged(name, "gzip", "they end too early");
    if (status != Z_OK && status != Z_STREAM_END) {
      ThrowDamaged(name, "gzip", stream.msg != nullptr ? stream.msg : "unknown format");
    }
  }
  return sink.Take();
}

std::string Unzstd(std::string_view in, const std::string& name, const Bound& bound) {
  Sink sink(name, bound, in.size() * 4);
  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                  ZSTD_freeDStream);
  if (stream == nullptr) throw std::bad_alloc();
  ZSTD_inBuffer input{in.data(), in.size(), 0};
  size_t left = 1;
  while (input.pos < input.size || left != 0) {
    ZSTD_outBuffer output{sink.free(), sink.room(), 0};
    size_t before = input.pos;
    left = ZSTD_decompressStream(stream.get(), &output, &input);
    if (ZSTD_isError(left)) ThrowDamaged(name, "zstd", ZSTD_getErrorName(left));
    if (left != 0 && output.pos == 0 && input.pos == before && input.pos == input.size) {
      ThrowDamaged(name, "zstd", "they end too early");
    }
    sink.Fill(output.pos);
  }
  return sink.Take();
}

struct Compression {
  std::string_view magic;
  std::string (*undo)(std::string_view in, const std::string& name, const Bound& bound);
};
constexpr Compression kCompressions[] = {
    {"\x1f\x8b", Gunzip},
    {"\x28\xb5\x2f\xfd", Unzstd},
};

}  // namespace

size_t ContentBound(size_t max_bytes) {
  if (max_bytes != 0) return max_bytes;
  return static_cast<size_t>(UsableMemory() / 2);
}

FileBytes::FileBytes(const std::string& path, size_t max_bytes)
    : name_(path == "-" ? "standard input" : path) {
  try {
    Open(path, ContentBound(max_bytes));
  } catch (const std::bad_alloc&) {
    Release();
    throw DataError(path + " does not fit into memory; keep fewer rows or columns");
  } catch (...) {
    Release();
    throw;
  }
}

FileBytes::FileBytes(std::string name, std::string content, size_t max_bytes)
    : name_(std::move(name)), view_(), buffer_(std::move(content)) {
  view_ = buffer_;
  Decompress(ContentBound(max_bytes));
}

FileBytes::~FileBytes() { Release(); }

void FileBytes::Release() {
  if (mapping_ != nullptr) UnmapWholeFile(mapping_, mapped_bytes_);
  if (fd_ > STDIN_FILENO) close(fd_);
  mapping_ = nullptr;
  fd_ = -1;
}

void FileBytes::Open(const std::string& path, size_t max_bytes) {
  const bool standard_input = path == "-";
  fd_ = standard_input ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (fd_ < 0 || fstat(fd_, &status) != 0) {
    throw DataError("cannot open " + name_ + ": " + std::strerror(errno) +
                    "; check the path and its permissions");
  }
  if (S_ISDIR(status.st_mode)) {
    throw DataError(name_ + " is a directory; give the path of a file inside it");
  }
  if (S_ISREG(status.st_mode) && !standard_input && FilesCanBeMapped()) {
    mapped_bytes_ = static_cast<size_t>(status.st_size);
    if (mapped_bytes_ != 0) {
      mapping_ = MapWholeFile(fd_, mapped_bytes_);
      if (mapping_ == nullptr) {
        throw DataError("cannot map " + name_ + ": " + std::strerror(errno));
      }
      view_ = {static_cast<const char*>(mapping_), mapped_bytes_};
    }
  } else {
    buffer_ = ReadAll(fd_, name_, max_bytes);
    Release();
    view_ = buffer_;
  }
  Decompress(max_bytes);
}

void FileBytes::Decompress(size_t max_bytes) {
  for (const Compression& compression : kCompressions) {
    if (!view_.starts_with(compression.magic)) continue;
    std::string plain = compression.undo(view_, name_, BoundOfInflated(view_.size(), max_bytes));
    Release();
    buffer_ = std::move(plain);
    view_ = buffer_;
    break;
  }
}

std::string FileBytes::PathOfContent() {
  if (fd_ < 0) {
    fd_ = AnonymousFile();
    for (size_t done = 0; fd_ >= 0 && done < view_.size();) {
      ssize_t wrote = write(fd_, view_.data() + done, view_.size() - done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) {
        throw RuntimeFailure("cannot hold " + name_ + " in memory: " + std::strerror(errno));
      }
      done += static_cast<size_t>(wrote);
    }
    if (fd_ < 0) {
      throw RuntimeFailure("cannot hold " + name_ + " for another library: " +
                           std::strerror(errno) + "; give it as a plain CSV file");
    }
  }
  return PathOfDescriptor(fd_);
}

}  // namespace slm
