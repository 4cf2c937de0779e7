// A graph as boxes and arrows for drawing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/graph_definition.h"

namespace webnn::formats {

enum class PictureKind { input, constant, operation, output };

// Kinds of operations; all others are element-wise.
enum class Family { elementWise, multiplication, recurrent, normalization, window, reduction, quantization, movement };
inline constexpr std::size_t kFamilyCount = 8;

struct PictureEdge {
  std::size_t from = 0;           // the node
  std::string_view argument;      // of the operation
  bool isOption = false;          // whether that is an option
  const OperandDescriptor* type;  // of the edge's operand
};

struct PictureNode {
  PictureKind kind{};
  std::size_t number = 0;  // index among its kind
  Family family{};         // of an operation
  std::string name;        // the operation, else the operand
  std::string label;       // of an operation, else what its first result is called
  bool hasLabel = false;   // whether that is a name that somebody gave
  std::string options;     // of an operation, and arguments, without operands, label and what resolves to the same: "axis=1"
  std::vector<const OperandDescriptor*> results;
  std::vector<PictureEdge> edges;  // into it
};

// Returns inputs, constants, operations and outputs, which refer to the graph.
std::vector<PictureNode> pictureOf(const GraphDefinition& graph);

}  // namespace webnn::formats
