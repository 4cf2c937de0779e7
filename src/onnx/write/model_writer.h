#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "onnx/write/exporter.h"

namespace webnn::onnx {

struct OperatorNode {
  std::string opType;
  std::string name;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::pair<std::string, AttributeValue>> attributes;
  std::size_t operation = 0;  // index in the graph of the operation that this node belongs to
};

struct Initializer {
  std::string name;
  ElementType type{};
  std::vector<std::int64_t> dims;
  std::span<const std::byte> bytes;
  bool canBeExternal = false;
};

// A dimension: a size, or if `size` is negative, the text of an open dimension. An empty text leaves the dimension undeclared.
struct ValueDimension {
  std::int64_t size = 0;
  std::string text;
};

struct ValueInfo {
  std::string name;
  ElementType type{};
  std::vector<ValueDimension> dims;
};

struct CollectedModel {
  std::string graphName;
  std::int64_t operatorSet = 0;
  std::vector<OperatorNode> nodes;
  std::vector<Initializer> initializers;
  std::vector<ValueInfo> inputs;
  std::vector<ValueInfo> outputs;
  std::vector<ValueInfo> values;  // declared types of intermediate values, for viewers
};

// Returns the bytes of a ModelProto. Appends constants that are stored externally to `external`.
std::string writeModel(const CollectedModel& model, const ExportOptions& options, std::vector<ExternalConstant>& external);

}  // namespace webnn::onnx
