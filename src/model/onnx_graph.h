#pragma once

// Builds the graph of an ONNX model: values by name, constants, and nodes that make one value each.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/protobuf.h"

namespace slm {

// Numbers of the ONNX standard (TensorProto.DataType).
enum class OnnxType : int { kFloat = 1, kInt64 = 7, kString = 8, kDouble = 11 };

// A named setting of a node.
class OnnxAttribute {
 public:
  static OnnxAttribute Int(std::string_view name, int64_t value);
  static OnnxAttribute Ints(std::string_view name, std::span<const int64_t> values);
  static OnnxAttribute Strings(std::string_view name, std::span<const std::string> values);

  const ProtoMessage& message() const { return message_; }

 private:
  ProtoMessage message_;
};

class OnnxGraph {
 public:
  // Names that the graph makes up begin with `prefix`.
  explicit OnnxGraph(std::string prefix) : prefix_(std::move(prefix)) {}

  // A matrix of any number of rows and so many columns; a vector for 0 columns.
  void Input(const std::string& name, OnnxType type, size_t columns);
  void Output(const std::string& name, OnnxType type, size_t columns);

  std::string Constant(std::span<const float> values, std::span<const int64_t> shape);
  std::string Constant(std::span<const double> values);
  std::string Constant(std::span<const int64_t> values);
  std::string Constant(std::span<const std::string> values);

  // Adds a node and gives back its output, which is named `output` unless that is empty. Operators
  // of ai.onnx.ml are written with that in front: "ai.onnx.ml.LabelEncoder".
  std::string Node(std::string_view op, std::span<const std::string> inputs,
                   std::span<const OnnxAttribute> attributes = {}, std::string output = "");

  std::string Cast(const std::string& x, OnnxType type);

  // The whole file.
  std::string Finish(std::string_view name) const;

 private:
  std::string NewName() { return prefix_ + std::to_string(count_++); }
  std::string AddTensor(OnnxType type, std::span<const int64_t> shape, ProtoMessage tensor);

  std::string prefix_;
  int count_ = 0;
  ProtoMessage graph_;
};

}  // namespace slm
