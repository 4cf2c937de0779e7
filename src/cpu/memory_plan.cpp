#include "cpu/memory_plan.h"

#include <algorithm>
#include <limits>
#include <map>

#include "cpu/overwrite.h"

namespace webnn::cpu {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// The operand whose bytes are the node's result, unchanged; null if there is none.
const Operand* viewed(const ModuleNode& node) {
  if (const auto* reshape = as<ops::Reshape>(node.operation)) return &reshape->input;
  if (const auto* unary = as<ops::Unary>(node.operation); unary && unary->kind == ops::UnaryKind::identity) return &unary->input;
  return nullptr;
}

std::size_t bytesOf(const Operand& operand) { return byteLength(operand.descriptor()); }

// Free ranges of the arena.
class Arena {
 public:
  std::size_t take(std::size_t bytes) {
    auto best = free_.end();
    for (auto range = free_.begin(); range != free_.end(); ++range) {
      if (range->second >= bytes && (best == free_.end() || range->second < best->second)) best = range;
    }
    if (best == free_.end()) return grow(bytes);
    const auto [offset, size] = *best;
    free_.erase(best);
    if (size > bytes) free_[offset + bytes] = size - bytes;
    return offset;
  }
  void give(std::size_t offset, std::size_t bytes) {
    auto next = free_.lower_bound(offset);
    if (next != free_.end() && next->first == offset + bytes) {
      bytes += next->second;
      next = free_.erase(next);
    }
    if (next != free_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == offset) {
        before->second += bytes;
        return;
      }
    }
    free_[offset] = bytes;
  }
  std::size_t size() const { return size_; }

 private:
  // At the end, together with what is free there.
  std::size_t grow(std::size_t bytes) {
    std::size_t offset = size_;
    if (!free_.empty()) {
      const auto last = std::prev(free_.end());
      if (last->first + last->second == size_) {
        offset = last->first;
        free_.erase(last);
      }
    }
    size_ = offset + bytes;
    return offset;
  }

  std::map<std::size_t, std::size_t> free_;  // size by offset
  std::size_t size_ = 0;
};

// Values that share one place: views with what they view, results with the operands they overwrite.
class Places {
 public:
  explicit Places(const Module& module) : module_(module), uses_(module), root_(module.indexLimit()), lastUse_(module.indexLimit()) {
    for (std::uint32_t i = 0; i < root_.size(); ++i) root_[i] = i;
    isFixed_.resize(root_.size());
    for (const Operand& input : module.inputs) isFixed_[input.record().index] = true;
    for (std::size_t i = 0; i < module.nodes.size(); ++i) {
      visitOperands(module.nodes[i].operation, [&](std::string_view, const Operand& operand) {
        if (isConstant(operand)) isFixed_[operand.record().index] = true;
        lastUse_[operand.record().index] = i;
      });
    }
    for (const auto& [name, operand] : module.outputs) lastUse_[operand.record().index] = module.nodes.size();
  }

  std::uint32_t find(std::uint32_t index) {
    while (root_[index] != index) index = root_[index] = root_[root_[index]];
    return index;
  }
  std::uint32_t find(const Operand& operand) { return find(operand.record().index); }
  std::size_t lastUse(std::uint32_t root) const { return lastUse_[root]; }

  void join(const Operand& result, const Operand& operand) {
    const std::uint32_t root = find(operand);
    root_[result.record().index] = root;
    lastUse_[root] = std::max(lastUse_[root], lastUse_[result.record().index]);
    if (uses_.isOutput[result.record().index]) isOutput_.push_back(root);
  }
  // Whether a node may write over the place of an operand.
  bool isFree(const Operand& operand, std::size_t node) {
    const std::uint32_t root = find(operand);
    return !isFixed_[root] && lastUse_[root] == node && std::ranges::find(isOutput_, root) == isOutput_.end() &&
           !uses_.isOutput[root];
  }

 private:
  const Module& module_;
  Uses uses_;
  std::vector<std::uint32_t> root_;
  std::vector<std::size_t> lastUse_;
  std::vector<bool> isFixed_;
  std::vector<std::uint32_t> isOutput_;
};

// Joins views and results in place; returns which nodes are views.
std::vector<bool> joinPlaces(const Module& module, Places& places) {
  std::vector<bool> isView(module.nodes.size());
  for (std::size_t i = 0; i < module.nodes.size(); ++i) {
    const ModuleNode& node = module.nodes[i];
    if (const Operand* operand = viewed(node)) {
      places.join(node.outputs[0], *operand);
      isView[i] = true;
      continue;
    }
    if (const Operand* operand = overwritable(node); operand && places.isFree(*operand, i)) places.join(node.outputs[0], *operand);
  }
  return isView;
}

}  // namespace

void separateOutputs(Module& module) {
  std::vector<bool> taken(module.indexLimit());
  for (const Operand& input : module.inputs) taken[input.record().index] = true;
  const auto place = [&](std::uint32_t index) { return index; };
  std::vector<std::uint32_t> viewOf(module.indexLimit(), kNone);
  for (const ModuleNode& node : module.nodes) {
    if (const Operand* operand = viewed(node)) viewOf[node.outputs[0].record().index] = operand->record().index;
  }
  std::vector<bool> isConstantPlace(module.indexLimit());
  for (const ModuleNode& node : module.nodes) {
    visitOperands(node.operation, [&](std::string_view, const Operand& operand) {
      if (isConstant(operand)) isConstantPlace[operand.record().index] = true;
    });
  }
  for (auto& [name, operand] : module.outputs) {
    std::uint32_t root = place(operand.record().index);
    while (viewOf[root] != kNone) root = viewOf[root];
    if (!isConstant(operand) && !isConstantPlace[root] && !taken[root]) {
      taken[root] = true;
      continue;
    }
    Copy copy{.input = operand};
    operand = module.intermediate(operand.descriptor());
    module.nodes.push_back({EngineOperation(std::move(copy)), {operand}});
  }
}

MemoryPlan planMemory(const Module& module) {
  Places places(module);
  MemoryPlan plan;
  plan.isView = joinPlaces(module, places);
  plan.outputBase = static_cast<std::uint32_t>(1 + module.inputs.size());
  plan.constantBase = static_cast<std::uint32_t>(plan.outputBase + module.outputs.size());
  plan.slots.resize(module.indexLimit(), Slot{kNone, 0});
  const auto settled = [&](std::uint32_t index) { return plan.slots[index].base != kNone; };

  for (std::size_t i = 0; i < module.inputs.size(); ++i)
    plan.slots[module.inputs[i].record().index] = {static_cast<std::uint32_t>(1 + i), 0};
  for (std::size_t i = 0; i < module.outputs.size(); ++i)
    plan.slots[places.find(module.outputs[i].second)] = {static_cast<std::uint32_t>(plan.outputBase + i), 0};
  Arena arena;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> ending(module.nodes.size() + 1);
  const auto settle = [&](const Operand& operand) {
    const std::uint32_t index = operand.record().index, root = places.find(index);
    if (!settled(root)) {
      if (isConstant(operand)) {
        plan.slots[root] = {static_cast<std::uint32_t>(plan.constantBase + plan.constants.size()), 0};
        plan.constants.push_back(&operand);
      } else {
        const std::size_t bytes = aligned(bytesOf(operand));
        plan.unsharedBytes += bytes;
        plan.slots[root] = {0, arena.take(bytes)};
        ending[places.lastUse(root)].emplace_back(plan.slots[root].offset, bytes);
      }
    }
    plan.slots[index] = plan.slots[root];
  };
  for (std::size_t i = 0; i < module.nodes.size(); ++i) {
    visitOperands(module.nodes[i].operation, [&](std::string_view, const Operand& operand) { settle(operand); });
    for (const Operand& output : module.nodes[i].outputs) settle(output);
    for (const auto& [offset, bytes] : ending[i]) arena.give(offset, bytes);
  }
  plan.arenaBytes = arena.size();
  return plan;
}

}  // namespace webnn::cpu
