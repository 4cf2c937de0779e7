// The immutable graph, independent of backends.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "ops/operand_record.h"
#include "ops/operation.h"

namespace webnn {

// An operation with its results.
struct Node {
  Operation operation;
  std::vector<Operand> outputs;
};

// Holds only what the outputs depend on: inputs and constants in creation order, nodes in an execution order.
struct GraphDefinition {
  std::string name;
  std::vector<Operand> inputs;
  std::vector<Operand> constants;
  std::vector<Node> nodes;
  std::vector<std::pair<std::string, Operand>> outputs;
  std::size_t indexLimit = 0;  // above the index of every operand

  // Returns a unique name for every operand by index: its own if still free, else the name of the output it is, else
  // "operand_<n>", where n counts inputs, constants and results, in this order.
  std::vector<std::string> operandNames() const;
};

// Compares names of inputs, outputs and operands, their order, descriptors, bytes of constants, and operations with all options.
bool operator==(const GraphDefinition& a, const GraphDefinition& b);

}  // namespace webnn
