#pragma once

// The wire format of protocol buffers, as much of it as it takes to write a message: fields are
// (number << 3 | kind) followed by a varint (kind 0) or by a length and bytes (kind 2).

#include <cstdint>
#include <string>
#include <string_view>

namespace slm {

class ProtoMessage {
 public:
  ProtoMessage& Int(int field, int64_t value) {
    Varint(static_cast<uint64_t>(field) << 3);
    Varint(static_cast<uint64_t>(value));
    return *this;
  }
  ProtoMessage& Bytes(int field, std::string_view bytes) {
    Varint(static_cast<uint64_t>(field) << 3 | 2);
    Varint(bytes.size());
    bytes_.append(bytes);
    return *this;
  }
  ProtoMessage& Message(int field, const ProtoMessage& message) {
    return Bytes(field, message.bytes_);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }

  std::string bytes_;
};

}  // namespace slm
