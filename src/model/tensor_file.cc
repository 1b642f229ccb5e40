#include "model/tensor_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/json.h"
#include "base/json_reader.h"
#include "base/text.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr std::string_view kMetadata = "__metadata__";
constexpr size_t kLengthBytes = 8;
constexpr size_t kMaxHeader = size_t{64} << 20;
constexpr size_t kAlignment = 8;  // of the data; the header is padded with spaces

void AppendFloat(float value, std::string* out) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) out->push_back(static_cast<char>(bits >> shift));
}

uint64_t LittleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

size_t Natural(const Json& json, const std::string& what) {
  const int64_t value = json.integer();
  if (value < 0) throw DataError(what + " is negative");
  return static_cast<size_t>(value);
}

// The number of elements, 0 if any dimension is; beyond `limit` the answer is limit + 1.
size_t CountOf(const std::vector<size_t>& shape, size_t limit) {
  if (std::find(shape.begin(), shape.end(), 0u) != shape.end()) return 0;
  size_t count = 1;
  for (size_t n : shape) {
    if (n > limit / count) return limit + 1;
    count *= n;
  }
  return count;
}

TensorReader::Tensor ReadEntry(const std::string& name, const Json& json, std::string_view data) {
  const std::string what = "the array " + Quoted(name);
  if (json.object().size() != 3) throw DataError(what + " does not have three fields");
  if (json["dtype"].text() != "F32") {
    throw DataError(what + " is of type " + Quoted(json["dtype"].text()) + " instead of F32");
  }
  TensorReader::Tensor tensor{name, {}, {}};
  for (const Json& n : json["shape"].array()) tensor.shape.push_back(Natural(n, what + ": a size"));
  const Json::Array& offsets = json["data_offsets"].array();
  if (offsets.size() != 2) throw DataError(what + " does not have two offsets");
  const size_t begin = Natural(offsets[0], what + ": an offset");
  const size_t end = Natural(offsets[1], what + ": an offset");
  if (begin > end || end > data.size()) {
    throw DataError(what + " is at bytes " + std::to_string(begin) + " to " + std::to_string(end) +
                    " of " + std::to_string(data.size()));
  }
  tensor.bytes = data.substr(begin, end - begin);
  const size_t count = CountOf(tensor.shape, data.size() / sizeof(float));
  if (count * sizeof(float) != tensor.bytes.size()) {
    throw DataError(what + " has " + std::to_string(tensor.bytes.size()) +
                    " bytes, which is not what its shape says");
  }
  return tensor;
}

}  // namespace

void TensorWriter::Add(std::string name, std::vector<size_t> shape, const float* values,
                       size_t stride) {
  const size_t begin = data_.size();
  const size_t rows = shape.size() == 1 ? 1 : shape[0], cols = shape.back();
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) AppendFloat(values[i * stride + j], &data_);
  }
  entries_.push_back({std::move(name), std::move(shape), begin, data_.size()});
}

std::string TensorWriter::Finish() const {
  Json metadata = Json::MakeObject();
  for (const auto& [key, text] : metadata_) metadata.Add(key, text);
  Json header = Json::MakeObject();
  header.Add(std::string(kMetadata), std::move(metadata));
  for (const Entry& entry : entries_) {
    Json tensor = Json::MakeObject();
    tensor.Add("dtype", "F32");
    tensor.Add("shape", Json::ArrayOf(entry.shape));
    tensor.Add("data_offsets", Json::ArrayOf(std::vector<size_t>{entry.begin, entry.end}));
    header.Add(entry.name, std::move(tensor));
  }
  std::string text = header.Dump();
  text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  std::string out;
  for (size_t i = 0; i < kLengthBytes; ++i) {
    out.push_back(static_cast<char>(static_cast<uint64_t>(text.size()) >> (8 * i)));
  }
  return out + text + data_;
}

float TensorReader::Tensor::operator[](size_t i) const {
  return std::bit_cast<float>(
      static_cast<uint32_t>(LittleEndian(bytes.substr(i * sizeof(float), sizeof(float)))));
}

TensorReader::TensorReader(std::string_view bytes) {
  if (bytes.size() < kLengthBytes) {
    throw DataError("it has " + std::to_string(bytes.size()) + " bytes, too few for a header");
  }
  const uint64_t length = LittleEndian(bytes.substr(0, kLengthBytes));
  const size_t rest = bytes.size() - kLengthBytes;
  if (length > rest || length > kMaxHeader) {
    throw DataError("its header would have " + std::to_string(length) + " bytes, " +
                    (length > rest ? "and only " + std::to_string(rest) + " follow"
                                   : "and at most " + std::to_string(kMaxHeader) + " are allowed"));
  }
  data_ = bytes.substr(kLengthBytes + length);
  const Json header = ParseJson(bytes.substr(kLengthBytes, length));
  for (const auto& [name, json] : header.object()) {
    if (name == kMetadata) {
      for (const auto& [key, text] : json.object()) metadata_.emplace_back(key, text.text());
    } else {
      tensors_.push_back(ReadEntry(name, json, data_));
    }
  }
  std::vector<const Tensor*> order;
  for (const Tensor& tensor : tensors_) order.push_back(&tensor);
  std::sort(order.begin(), order.end(), [](const Tensor* a, const Tensor* b) {
    return std::pair(a->bytes.data(), a->bytes.size()) <
           std::pair(b->bytes.data(), b->bytes.size());
  });
  const char* at = data_.data();
  for (const Tensor* tensor : order) {
    if (tensor->bytes.data() != at) {
      throw DataError("the array " + Quoted(tensor->name) +
                      (tensor->bytes.data() < at ? " overlaps another" : " begins after a gap"));
    }
    at += tensor->bytes.size();
  }
  const size_t behind = static_cast<size_t>(data_.data() + data_.size() - at);
  if (behind != 0) throw DataError(std::to_string(behind) + " bytes belong to no array");
}

const std::string* TensorReader::FindText(std::string_view key) const {
  for (const auto& [name, text] : metadata_) {
    if (name == key) return &text;
  }
  return nullptr;
}

bool TensorReader::Has(std::string_view name) const {
  return std::any_of(tensors_.begin(), tensors_.end(),
                     [&](const Tensor& tensor) { return tensor.name == name; });
}

TensorReader::Tensor TensorReader::Take(std::string_view name, size_t dimensions) {
  auto at = std::find_if(tensors_.begin(), tensors_.end(),
                         [&](const Tensor& tensor) { return tensor.name == name; });
  if (at == tensors_.end()) throw DataError("the array " + Quoted(name) + " is missing");
  Tensor tensor = std::move(*at);
  tensors_.erase(at);
  if (tensor.shape.size() != dimensions) {
    throw DataError("the array " + Quoted(name) + " has " + std::to_string(tensor.shape.size()) +
                    " dimensions instead of " + std::to_string(dimensions));
  }
  for (size_t i = 0; i < tensor.size(); ++i) {
    if (std::isfinite(tensor[i])) continue;
    throw DataError("the array " + Quoted(name) +
                    " holds a value that is not finite, at position " + std::to_string(i));
  }
  return tensor;
}

void TensorReader::RequireAllTaken() const {
  if (!tensors_.empty()) {
    throw DataError("the array " + Quoted(tensors_[0].name) + " is not one of a model's");
  }
}

}  // namespace slm
