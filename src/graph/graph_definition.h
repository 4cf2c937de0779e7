// The immutable graph, independent of backends.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "ops/operand_record.h"
#include "ops/operation.h"

namespace webnn {

struct Node {
  Operation operation;
  std::vector<Operand> outputs;
};

// A graph. It has only the operands and nodes on which its outputs depend; a graph with open dimensions may have more inputs,
// which determine the dimensions. Inputs and constants are in the order of their creation, nodes in topological order.
struct GraphDefinition {
  std::string name;
  std::vector<Operand> inputs;
  std::vector<Operand> constants;
  std::vector<Node> nodes;
  std::vector<std::pair<std::string, Operand>> outputs;
  std::size_t indexLimit = 0;  // greater than the index of every operand

  // Returns a unique name for every operand, by index: the operand's own name; else its name as an output; else "operand_<n>",
  // where n counts inputs, constants and results in this order. A name that is missing or taken is skipped; if "operand_<n>" is
  // taken, a number is appended.
  std::vector<std::string> operandNames() const;
};

// Compares the graphs' names, inputs, outputs and operands (names, order and descriptors), the bytes of constants, and
// operations with all options.
bool operator==(const GraphDefinition& a, const GraphDefinition& b);

}  // namespace webnn
