// The immutable graph: what was built, without anything of a backend.
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

// Only what the outputs depend on. Inputs and constants in the order of creation, nodes in an order of execution.
struct GraphDefinition {
  std::string name;
  std::vector<Operand> inputs;
  std::vector<Operand> constants;
  std::vector<Node> nodes;
  std::vector<std::pair<std::string, Operand>> outputs;
  std::size_t indexLimit = 0;  // above the index of every operand

  // A unique name for every operand by its index: its own if it has one that is still free, else that of the output it
  // is, else "operand_<n>", where n counts all operands in the order inputs, constants, results.
  std::vector<std::string> operandNames() const;
};

// Whether two graphs are the same: names of inputs, outputs and operands, their order, descriptors, bytes of constants,
// operations with all options.
bool operator==(const GraphDefinition& a, const GraphDefinition& b);

}  // namespace webnn
