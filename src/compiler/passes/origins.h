// Which operations of the graph the nodes of a module stand for, while passes rewrite it.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "compiler/ir/module.h"

namespace webnn::compiler {

// Passes say what the nodes that they make stand for (ModuleNode::origins), and what they drop because nothing is left to do
// (Module::absences). What they fuse they need not tell of: a node that nothing uses any more, and that no other one was made of,
// was absorbed by what used its results before the pass.
class OriginTracker {
 public:
  explicit OriginTracker(Module& module);

  // After each pass. An operation then has a node, or else is absent (those that are `absorbed` are removed).
  void settle();

 private:
  // A node that is used, as it was before the pass.
  struct Seen {
    Origins origins;
    std::size_t firstOperand = 0, firstOutput = 0;  // in the lists of indices; the next one's are the ends
  };
  using Holders = std::unordered_map<std::uint32_t, std::vector<std::size_t>>;  // nodes, by operation

  void look(const std::vector<bool>& isUsed);
  std::size_t count() const { return seen_.size() - 1; }
  std::span<const std::uint32_t> outputsOf(std::size_t seen) const {
    return std::span(outputs_).subspan(seen_[seen].firstOutput, seen_[seen + 1].firstOutput - seen_[seen].firstOutput);
  }
  // The node that computes now what that one did.
  std::optional<std::size_t> heirOf(std::size_t seen) const;
  Holders givenByThePass(const std::vector<bool>& isUsed) const;
  void adopt(const std::vector<std::size_t>& gone, const Holders& given);
  void addBetween(std::size_t seen, ModuleNode& heir, const Holders& given);

  Module& module_;
  std::vector<Seen> seen_;  // and one more, for the ends
  std::vector<std::uint32_t> operands_, outputs_;
  std::vector<std::int32_t> seenMaker_;  // by operand: the place in `seen_`, or -1
  std::vector<bool> isConstant_;         // by operand, of those that are used
  std::vector<std::int32_t> maker_;      // by operand: the node that computes it after the pass, or -1
};

}  // namespace webnn::compiler
