// A graph as boxes and arrows for drawing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/graph_definition.h"

namespace webnn::formats {

enum class PictureKind { input, constant, operation, output };

// Kinds of operations, which choose the color of a box. All operations that have no other kind are elementWise.
enum class Family { elementWise, multiplication, recurrent, normalization, window, reduction, quantization, movement };
inline constexpr std::size_t kFamilyCount = 8;

struct PictureEdge {
  std::size_t from = 0;           // index of the source node
  std::string_view argument;      // name of the argument or option
  bool isOption = false;          // whether `argument` is an option
  const OperandDescriptor* type;  // type of the edge's operand
};

struct PictureNode {
  PictureKind kind{};
  std::size_t number = 0;  // index among the nodes of its kind
  Family family{};         // operations only
  std::string name;
  std::string label;      // operations only: the label, else the name or the generated name of the first result
  bool hasLabel = false;  // whether the operation has a label, or its first result a name
  std::string options;    // operations only: arguments and needed options, without operands and label, such as "axis=1"
  std::vector<const OperandDescriptor*> results;
  std::vector<PictureEdge> edges;  // incoming edges
};

// Returns a node for each input, constant, operation and output, in this order. The nodes refer to the graph. Sizes may be
// handles of open dimensions (see OpenSizes).
std::vector<PictureNode> pictureOf(const GraphDefinition& graph);

// Draw the graph: dotOf() in Graphviz's language DOT, svgOf() as SVG.
std::string dotOf(const GraphDefinition& graph);
std::string svgOf(const GraphDefinition& graph);

}  // namespace webnn::formats
