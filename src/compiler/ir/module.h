// The graph during compilation: a list of nodes, which passes rewrite. Their operations are the specification's or the engine's
// own.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/ir/operations.h"
#include "graph/graph_definition.h"

namespace webnn::compiler {

// The graph's operations that a node implements, as ascending indices. Nodes that are made from one operation share its index; a
// node that merges several operations has the indices of all of them.
using Origins = std::vector<std::uint32_t>;
void addOrigins(Origins& to, const Origins& from);

// Operands are values: every operand is a row-major tensor without gaps, and is computed by at most one node. Constants have
// their bytes in their record. The operands of a node are in the fields of its operation, and nowhere else.
struct ModuleNode {
  EngineOperation operation;
  std::vector<Operand> outputs;
  Origins origins = {};
};

// The reason why no node implements an operation any more.
enum class Absence : std::uint8_t {
  absorbed,  // merged into the node that reads its results
  constant,
  removed,
};

class Module {
 public:
  // The operations' options must be resolved (defaults filled in), as build() does. Without `hasOrigins`, all origins stay empty,
  // which saves an allocation per node.
  explicit Module(const GraphDefinition& graph, bool hasOrigins = true);

  std::vector<Operand> inputs;
  std::vector<ModuleNode> nodes;  // sorted: each node follows the nodes whose results it reads
  // The names are distinct. The same operand may be several outputs, and an output may be an input or a constant.
  std::vector<std::pair<std::string, Operand>> outputs;

  // Creates values without a producer.
  Operand intermediate(OperandDescriptor descriptor, std::string name = {});
  Operand constant(OperandDescriptor descriptor, std::vector<std::byte> bytes, std::string name = {});
  Operand constant(OperandDescriptor descriptor, std::span<const std::byte> bytes, std::shared_ptr<const void> keepAlive,
                   std::string name = {});
  // Returns a constant that shares the bytes of `constant`. The new shape must have the same number of elements.
  Operand reshaped(const Operand& constant, Shape shape);

  // The origins of the operations that a pass is rewriting; append() copies them to new nodes. A pass must set this field, or set
  // the origins of each node that it makes. OriginTracker finds operations whose last node was removed by a pass.
  Origins rewritten;
  // Indexed by operation. A pass sets `removed` if the users of the operation's result now read its operand, and `constant` if
  // the result became a constant.
  std::vector<Absence> absences;
  void setAbsent(const Origins& origins, Absence absence);

  // Validates an operation of the specification, appends a node with new outputs to `to`, and returns the first output.
  Operand append(std::vector<ModuleNode>& to, Operation operation);

  // Returns the nodes and leaves none, with space for as many: a pass that appends rewritten nodes then seldom moves them again.
  std::vector<ModuleNode> takeNodes();

  std::size_t indexLimit() const { return indexLimit_; }  // greater than the index of every operand

 private:
  Operand add(OperandKind kind, OperandDescriptor descriptor, std::string name, std::span<const std::byte> bytes = {},
              std::shared_ptr<const void> keepAlive = nullptr);
  std::shared_ptr<const BuilderToken> token_;
  std::size_t indexLimit_ = 0;
};

// The producer, the number of uses and the users of each operand, indexed by operand. Uses are operands of nodes and outputs of
// the module.
struct Uses {
  explicit Uses(const Module& module);
  std::vector<std::uint32_t> count;
  std::vector<std::int32_t> producer;  // the node, or -1
  std::vector<bool> isOutput;

  std::uint32_t of(const Operand& operand) const { return count[operand.record().index]; }
  // Returns the nodes that read the operand with this index, in order, each once.
  std::span<const std::uint32_t> consumers(std::size_t index) const {
    return std::span(consumers_).subspan(firstConsumer_[index], firstConsumer_[index + 1] - firstConsumer_[index]);
  }
  // Returns the node that computes the operand, or null.
  const ModuleNode* producerOf(const Module& module, const Operand& operand) const;

 private:
  std::vector<std::uint32_t> consumers_, firstConsumer_;
};

// Replaces operands in an operation, or in all nodes and outputs. Follows chains: after replace(a, b) and replace(b, c), a
// becomes c.
class Replacements {
 public:
  void replace(const Operand& from, const Operand& to) { map_[from.record().index] = to; }
  bool empty() const { return map_.empty(); }
  Operand resolve(const Operand& operand) const;
  void apply(EngineOperation& operation) const;
  void apply(Module& module) const;

 private:
  std::unordered_map<std::uint32_t, Operand> map_;
};

bool isConstant(const Operand& operand);
// Returns the value of a float32 or float16 constant whose elements are all equal, as float; nullopt for every other operand.
std::optional<float> uniformValue(const Operand& operand);

// Returns the fields of an operation as text. Operands are printed by index and name. Operations of one name are equal if their
// texts are equal.
std::string fieldText(const EngineOperation& operation);

// Returns one line per node: `%7 float32[1, 128] = batchGemm(a: %3, b: %5c "q.w", ...)`, and one line per output. The `c` marks
// constants.
std::string toString(const Module& module);

}  // namespace webnn::compiler
