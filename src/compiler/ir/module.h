// The graph while it is compiled: nodes of the specification's operations and of the engine's own. Passes rewrite it.
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

// Which operations of the graph a node stands for: their places in it, ascending. Nodes that one operation has become share it,
// and a node that does what several did has all of them.
using Origins = std::vector<std::uint32_t>;
void addOrigins(Origins& to, const Origins& from);

// Operands are values: every operand is a row-major tensor without gaps, and no two nodes compute the same one. Constants
// carry their bytes in their record. Operations hold operands in their own fields; look there and nowhere else.
struct ModuleNode {
  EngineOperation operation;
  std::vector<Operand> outputs;
  Origins origins = {};
};

// What became of an operation that no node stands for any more.
enum class Absence : std::uint8_t {
  absorbed,  // what used its results does its work
  constant,
  removed,
};

class Module {
 public:
  // The options of the operations must be resolved, as those of a built graph are.
  explicit Module(const GraphDefinition& graph);

  std::vector<Operand> inputs;
  std::vector<ModuleNode> nodes;                         // in an order of execution
  std::vector<std::pair<std::string, Operand>> outputs;  // of distinct names; operands may repeat, or be inputs or constants

  // New values.
  Operand intermediate(OperandDescriptor descriptor, std::string name = {});
  Operand constant(OperandDescriptor descriptor, std::vector<std::byte> bytes, std::string name = {});
  Operand constant(OperandDescriptor descriptor, std::span<const std::byte> bytes, std::shared_ptr<const void> keepAlive,
                   std::string name = {});
  // The same bytes as another shape of as many elements; shares them.
  Operand reshaped(const Operand& constant, Shape shape);

  // The origins of what is being rewritten, which append() gives to the nodes that it makes. Passes set it, or the origins of
  // their nodes; OriginTracker finds out what happened to operations whose last nodes they drop.
  Origins rewritten;
  // By operation. For a pass to tell of an operation whose node it drops because others use the operand instead of the result
  // (removed), or the result is a constant now.
  std::vector<Absence> absences;
  void setAbsent(const Origins& origins, Absence absence);

  // A node of the specification, validated, with new outputs. Returns its first output.
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
  std::vector<std::vector<std::uint32_t>> consumers;  // the nodes, each once
  std::vector<bool> isOutput;

  std::uint32_t of(const Operand& operand) const { return count[operand.record().index]; }
  // The node that computes the operand, or null.
  const ModuleNode* producerOf(const Module& module, const Operand& operand) const;
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
// The value of a float32 or float16 constant with equal elements (or one), as float; nullopt for all else.
std::optional<float> uniformValue(const Operand& operand);

// The fields of an operation as text, operands by their numbers: equal operations give equal text.
std::string fieldText(const EngineOperation& operation);

// One line for each node: `%7 float32[1, 128] = batchGemm(a: %3, b: %w "q.w", ...)`.
std::string toString(const Module& module);

}  // namespace webnn::compiler
