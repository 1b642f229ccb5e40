#include "model/onnx_graph.h"

#include <bit>

#include "base/version.h"

namespace slm {
namespace {

// The oldest versions that have all that is needed, so that old runtimes will do (ONNX 1.8).
constexpr int kIrVersion = 7;
constexpr int kOpset = 13;
constexpr int kMlOpset = 2;
constexpr std::string_view kMlDomain = "ai.onnx.ml";

// Field numbers of onnx.proto.
namespace field {
namespace model {
constexpr int kIrVersion = 1, kProducer = 2, kProducerVersion = 3, kGraph = 7, kOpsets = 8;
}
namespace graph {
constexpr int kNode = 1, kName = 2, kInitializer = 5, kInput = 11, kOutput = 12;
}
namespace node {
constexpr int kInput = 1, kOutput = 2, kName = 3, kOp = 4, kAttribute = 5, kDomain = 7;
}
namespace attribute {
constexpr int kName = 1, kInt = 3, kInts = 8, kStrings = 9, kType = 20;
constexpr int kTypeInt = 2, kTypeInts = 7, kTypeStrings = 8;
}  // namespace attribute
namespace tensor {
constexpr int kDims = 1, kType = 2, kStrings = 6, kName = 8, kRaw = 9;
}
}  // namespace field

template <class Bits, class T>
ProtoMessage RawTensor(std::span<const T> values) {
  std::string raw;
  for (const T& value : values) {
    const Bits bits = std::bit_cast<Bits>(value);
    for (size_t i = 0; i < sizeof(T); ++i) raw.push_back(static_cast<char>(bits >> (8 * i)));
  }
  return ProtoMessage().Bytes(field::tensor::kRaw, raw);
}

ProtoMessage ValueInfo(const std::string& name, OnnxType type, size_t columns) {
  ProtoMessage shape;
  shape.Message(1, ProtoMessage().Bytes(2, "rows"));
  if (columns > 0) shape.Message(1, ProtoMessage().Int(1, static_cast<int64_t>(columns)));
  const ProtoMessage tensor = ProtoMessage().Int(1, static_cast<int>(type)).Message(2, shape);
  return ProtoMessage().Bytes(1, name).Message(2, ProtoMessage().Message(1, tensor));
}

ProtoMessage OpsetOf(std::string_view domain, int version) {
  return ProtoMessage().Bytes(1, domain).Int(2, version);
}

}  // namespace

OnnxAttribute OnnxAttribute::Int(std::string_view name, int64_t value) {
  OnnxAttribute out;
  out.message_.Bytes(field::attribute::kName, name)
      .Int(field::attribute::kInt, value)
      .Int(field::attribute::kType, field::attribute::kTypeInt);
  return out;
}

OnnxAttribute OnnxAttribute::Ints(std::string_view name, std::span<const int64_t> values) {
  OnnxAttribute out;
  out.message_.Bytes(field::attribute::kName, name);
  for (int64_t value : values) out.message_.Int(field::attribute::kInts, value);
  out.message_.Int(field::attribute::kType, field::attribute::kTypeInts);
  return out;
}

OnnxAttribute OnnxAttribute::Strings(std::string_view name, std::span<const std::string> values) {
  OnnxAttribute out;
  out.message_.Bytes(field::attribute::kName, name);
  for (const std::string& value : values) out.message_.Bytes(field::attribute::kStrings, value);
  out.message_.Int(field::attribute::kType, field::attribute::kTypeStrings);
  return out;
}

void OnnxGraph::Input(const std::string& name, OnnxType type, size_t columns) {
  graph_.Message(field::graph::kInput, ValueInfo(name, type, columns));
}

void OnnxGraph::Output(const std::string& name, OnnxType type, size_t columns) {
  graph_.Message(field::graph::kOutput, ValueInfo(name, type, columns));
}

std::string OnnxGraph::AddTensor(OnnxType type, std::span<const int64_t> shape,
                                 ProtoMessage tensor) {
  std::string name = NewName();
  for (int64_t n : shape) tensor.Int(field::tensor::kDims, n);
  tensor.Int(field::tensor::kType, static_cast<int>(type)).Bytes(field::tensor::kName, name);
  graph_.Message(field::graph::kInitializer, tensor);
  return name;
}

std::string OnnxGraph::Constant(std::span<const float> values, std::span<const int64_t> shape) {
  return AddTensor(OnnxType::kFloat, shape, RawTensor<uint32_t>(values));
}

std::string OnnxGraph::Constant(std::span<const double> values) {
  const int64_t size[] = {static_cast<int64_t>(values.size())};
  return AddTensor(OnnxType::kDouble, size, RawTensor<uint64_t>(values));
}

std::string OnnxGraph::Constant(std::span<const int64_t> values) {
  const int64_t size[] = {static_cast<int64_t>(values.size())};
  return AddTensor(OnnxType::kInt64, size, RawTensor<uint64_t>(values));
}

std::string OnnxGraph::Constant(std::span<const std::string> values) {
  const int64_t size[] = {static_cast<int64_t>(values.size())};
  ProtoMessage tensor;
  for (const std::string& value : values) tensor.Bytes(field::tensor::kStrings, value);
  return AddTensor(OnnxType::kString, size, std::move(tensor));
}

std::string OnnxGraph::Node(std::string_view op, std::span<const std::string> inputs,
                            std::span<const OnnxAttribute> attributes, std::string output) {
  if (output.empty()) output = NewName();
  const bool ml = op.starts_with(kMlDomain);
  ProtoMessage node;
  for (const std::string& input : inputs) node.Bytes(field::node::kInput, input);
  node.Bytes(field::node::kOutput, output).Bytes(field::node::kName, "node/" + output);
  node.Bytes(field::node::kOp, ml ? op.substr(kMlDomain.size() + 1) : op);
  for (const OnnxAttribute& attribute : attributes) {
    node.Message(field::node::kAttribute, attribute.message());
  }
  if (ml) node.Bytes(field::node::kDomain, kMlDomain);
  graph_.Message(field::graph::kNode, node);
  return output;
}

std::string OnnxGraph::Cast(const std::string& x, OnnxType type) {
  const OnnxAttribute to[] = {OnnxAttribute::Int("to", static_cast<int64_t>(type))};
  return Node("Cast", std::span(&x, 1), to);
}

std::string OnnxGraph::Finish(std::string_view name) const {
  ProtoMessage graph = graph_;
  graph.Bytes(field::graph::kName, name);
  return ProtoMessage()
      .Int(field::model::kIrVersion, kIrVersion)
      .Bytes(field::model::kProducer, "slm")
      .Bytes(field::model::kProducerVersion, Version())
      .Message(field::model::kGraph, graph)
      .Message(field::model::kOpsets, OpsetOf("", kOpset))
      .Message(field::model::kOpsets, OpsetOf(kMlDomain, kMlOpset))
      .bytes();
}

}  // namespace slm
