// Tracks which operations of the graph the nodes of a module stand for, while passes rewrite it.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "compiler/ir/module.h"

namespace webnn::compiler {

// A pass records the origins of new nodes (ModuleNode::origins), and operations that it drops without replacement
// (Module::absences). It need not record fusions: an unused node from which no other node was made was absorbed by the node that
// used its results before the pass.
class OriginTracker {
 public:
  explicit OriginTracker(Module& module);

  // Call after each pass. Then every operation has a node or is absent; `absorbed` operations are removed.
  void settle();

 private:
  // A used node, as it was before the pass.
  struct Seen {
    Origins origins;
    std::size_t firstOperand = 0, firstOutput = 0;  // in the index lists; the next entry's firsts are the ends
  };
  using Holders = std::unordered_map<std::uint32_t, std::vector<std::size_t>>;  // nodes, by operation

  void look(const std::vector<bool>& isUsed);
  std::size_t count() const { return seen_.size() - 1; }
  std::span<const std::uint32_t> outputsOf(std::size_t seen) const {
    return std::span(outputs_).subspan(seen_[seen].firstOutput, seen_[seen + 1].firstOutput - seen_[seen].firstOutput);
  }
  // Returns the node that now computes what the given node did.
  std::optional<std::size_t> heirOf(std::size_t seen) const;
  Holders givenByThePass(const std::vector<bool>& isUsed) const;
  void adopt(const std::vector<std::size_t>& gone, const Holders& given);
  void addBetween(std::size_t seen, ModuleNode& heir, const Holders& given);

  Module& module_;
  std::vector<Seen> seen_;  // plus one sentinel
  std::vector<std::uint32_t> operands_, outputs_;
  std::vector<std::int32_t> seenMaker_;  // by operand: index in `seen_`, or -1
  std::vector<bool> isConstant_;         // by operand, of those that are used
  std::vector<std::int32_t> maker_;      // by operand: the node that computes it after the pass, or -1
};

}  // namespace webnn::compiler
