// The graph during compilation: nodes with operations of the specification and of the engine. Passes rewrite it.
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

// The graph's operations that a node stands for, as ascending indices. Nodes made from one operation share its index; a node that
// merges several operations has all of them.
using Origins = std::vector<std::uint32_t>;
void addOrigins(Origins& to, const Origins& from);

// Operands are values: every operand is a row-major tensor without gaps, and no two nodes compute the same one. Constants
// carry their bytes in their record. Operations hold operands in their own fields; look there and nowhere else.
struct ModuleNode {
  EngineOperation operation;
  std::vector<Operand> outputs;
  Origins origins = {};
};

// Why no node stands for an operation any more.
enum class Absence : std::uint8_t {
  absorbed,  // the user of its results does its work
  constant,
  removed,
};

class Module {
 public:
  // The operations' options must be resolved, as build() resolves them.
  explicit Module(const GraphDefinition& graph);

  std::vector<Operand> inputs;
  std::vector<ModuleNode> nodes;                         // in an order of execution
  std::vector<std::pair<std::string, Operand>> outputs;  // of distinct names; operands may repeat, or be inputs or constants

  // Creates values without a producer.
  Operand intermediate(OperandDescriptor descriptor, std::string name = {});
  Operand constant(OperandDescriptor descriptor, std::vector<std::byte> bytes, std::string name = {});
  Operand constant(OperandDescriptor descriptor, std::span<const std::byte> bytes, std::shared_ptr<const void> keepAlive,
                   std::string name = {});
  // Returns a constant of another shape with as many elements, which shares the bytes.
  Operand reshaped(const Operand& constant, Shape shape);

  // The origins of the operations that a pass is rewriting; append() gives them to new nodes. A pass sets this, or the origins of
  // its nodes. OriginTracker finds the operations whose last node a pass dropped.
  Origins rewritten;
  // By operation. A pass sets `removed` if the operation's users now read its operand, or the constant kind if its result became
  // a constant.
  std::vector<Absence> absences;
  void setAbsent(const Origins& origins, Absence absence);

  // Appends a validated node of the specification with new outputs and returns the first output.
  Operand append(std::vector<ModuleNode>& to, Operation operation);

  std::size_t indexLimit() const { return indexLimit_; }  // above the index of every operand

 private:
  Operand add(OperandKind kind, OperandDescriptor descriptor, std::string name, std::span<const std::byte> bytes = {},
              std::shared_ptr<const void> keepAlive = nullptr);
  std::shared_ptr<const BuilderToken> token_;
  std::size_t indexLimit_ = 0;
};

// How often each operand is used, by index: by nodes, and by the module's outputs.
struct Uses {
  explicit Uses(const Module& module);
  std::vector<std::uint32_t> count;
  std::vector<std::int32_t> producer;                 // the node, or -1
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

// Replaces operands everywhere in nodes and outputs; chains of replacements are followed.
class Replacements {
 public:
  void replace(const Operand& from, const Operand& to) { map_[from.record().index] = to; }
  bool empty() const { return map_.empty(); }
  Operand resolve(const Operand& operand) const;
  void apply(Module& module) const;

 private:
  std::unordered_map<std::uint32_t, Operand> map_;
};

bool isConstant(const Operand& operand);
// Returns the value of a float32 or float16 constant whose elements are all equal, as float; nullopt for every other operand.
std::optional<float> uniformValue(const Operand& operand);

// Returns the fields of an operation as text, with operands as numbers. Equal operations have equal text.
std::string fieldText(const EngineOperation& operation);

// One line for each node: `%7 float32[1, 128] = batchGemm(a: %3, b: %w "q.w", ...)`.
std::string toString(const Module& module);

}  // namespace webnn::compiler
