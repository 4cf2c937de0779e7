// Tracks, while passes rewrite a module, which operations of the graph each node implements.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "compiler/ir/module.h"

namespace webnn::compiler {

// A pass records the origins of new nodes (ModuleNode::origins), and operations that it removes without replacement
// (Module::absences). It need not record fusions: if no node was made from a removed node, the tracker concludes that the node's
// users absorbed it.
class OriginTracker {
 public:
  explicit OriginTracker(Module& module);

  // Must be called after each pass. Afterwards, every operation is implemented by a node or marked as absent.
  void settle();

 private:
  // Describes a node that the module used before the pass.
  struct Seen {
    Origins origins;
    // indices in operands_ and outputs_; both ranges end at the values of the next entry
    std::size_t firstOperand = 0, firstOutput = 0;
  };
  using Holders = std::unordered_map<std::uint32_t, std::vector<std::size_t>>;  // node indices, keyed by operation

  void look(const std::vector<bool>& isUsed);
  // Returns whether the used nodes are those that look() saw, in the same order. This is fast for the many passes that change
  // nothing.
  bool isUnchanged(const std::vector<bool>& isUsed) const;
  std::size_t count() const { return seen_.size() - 1; }
  std::span<const std::uint32_t> outputsOf(std::size_t seen) const {
    return std::span(outputs_).subspan(seen_[seen].firstOutput, seen_[seen + 1].firstOutput - seen_[seen].firstOutput);
  }
  // Returns the node that now computes the outputs of the given old node; nullopt if none does.
  std::optional<std::size_t> heirOf(std::size_t seen) const;
  Holders givenByThePass(const std::vector<bool>& isUsed) const;
  void adopt(const std::vector<std::size_t>& gone, const Holders& given);
  void addBetween(std::size_t seen, ModuleNode& heir, const Holders& given);

  Module& module_;
  std::vector<Seen> seen_;  // with a sentinel at the end
  std::vector<std::uint32_t> operands_, outputs_;
  std::vector<std::int32_t> seenMaker_;  // indexed by operand: index in seen_, or -1
  std::vector<bool> isConstant_;         // indexed by operand; only valid for used operands
  std::vector<std::int32_t> maker_;      // indexed by operand: the node that computes it after the pass, or -1
};

}  // namespace webnn::compiler
