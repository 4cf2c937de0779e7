#include "compiler/plan/memory_plan.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "base/text.h"
#include "compiler/plan/readings.h"

namespace webnn::compiler {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

std::size_t bytesOf(const Operand& operand) { return byteLength(operand.descriptor()); }

// Manages the free ranges of the arena.
class Arena {
 public:
  std::size_t take(std::size_t bytes) {
    const auto best = bySize_.lower_bound({bytes, 0});  // the smallest sufficient range
    if (best == bySize_.end()) return grow(bytes);
    const auto [size, offset] = *best;
    remove(free_.find(offset));
    if (size > bytes) add(offset + bytes, size - bytes);
    return offset;
  }
  void give(std::size_t offset, std::size_t bytes) {
    const auto next = free_.lower_bound(offset);
    if (next != free_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == offset) {
        offset = before->first;
        bytes += before->second;
        remove(before);
      }
    }
    if (next != free_.end() && next->first == offset + bytes) {
      bytes += next->second;
      remove(next);
    }
    add(offset, bytes);
  }
  std::size_t size() const { return size_; }

 private:
  using Ranges = std::map<std::size_t, std::size_t>;  // size by offset

  // Extends the arena. If a free range ends at the arena's end, the allocation begins there.
  std::size_t grow(std::size_t bytes) {
    std::size_t offset = size_;
    if (!free_.empty()) {
      const auto last = std::prev(free_.end());
      if (last->first + last->second == size_) {
        offset = last->first;
        remove(last);
      }
    }
    if (bytes > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) - offset)
      fail(ErrorKind::operationError, "build: the intermediate values are beyond what this process can address.");
    size_ = offset + bytes;
    return offset;
  }
  void add(std::size_t offset, std::size_t bytes) {
    free_[offset] = bytes;
    bySize_.insert({bytes, offset});
  }
  void remove(Ranges::iterator range) {
    bySize_.erase({range->second, range->first});
    free_.erase(range);
  }

  Ranges free_;
  std::set<std::pair<std::size_t, std::size_t>> bySize_;
  std::size_t size_ = 0;
};

// A slice of a computed value is placed in the value's memory only if the slice has at least 1 / kMostPerCut of the value's
// bytes.
constexpr std::size_t kMostPerCut = 8;

// Tracks which values share memory: a view or slice with its source, a result with the operand that it overwrites, and a part
// with the concatenation or pad that contains it.
class BufferAliases {
 public:
  // The location of a value in the memory of value `root`, which may be the value itself.
  struct Place {
    std::uint32_t root = 0;
    std::size_t offset = 0;  // in bytes, from the root's start
  };

  explicit BufferAliases(const Module& module)
      : uses_(module),
        parents_(module.indexLimit()),
        lastUse_(module.indexLimit()),
        isFixed_(module.indexLimit()),
        isShared_(module.indexLimit()),
        isOutputPlace_(uses_.isOutput),
        rowStrides_(module.indexLimit()),
        bytes_(module.indexLimit()) {
    for (std::uint32_t i = 0; i < parents_.size(); ++i) parents_[i].root = i;
    for (const Operand& input : module.inputs) isFixed_[input.record().index] = true;
    for (std::size_t i = 0; i < module.nodes.size(); ++i) {
      visitOperands(module.nodes[i].operation, [&](std::string_view, const Operand& operand) {
        if (isConstant(operand)) isFixed_[operand.record().index] = true;
        lastUse_[operand.record().index] = i;
      });
      for (const Operand& output : module.nodes[i].outputs) bytes_[output.record().index] = bytesOf(output);
    }
    for (const auto& [name, operand] : module.outputs) lastUse_[operand.record().index] = module.nodes.size();
    for (auto node = module.nodes.rbegin(); node != module.nodes.rend(); ++node) {
      const Operand* operand = viewed(*node);
      if (operand && isOutputPlace_[node->outputs[0].record().index]) isOutputPlace_[operand->record().index] = true;
    }
  }

  Place find(std::uint32_t index) const {
    Place place{index, 0};
    while (parents_[place.root].root != place.root) {
      place.offset += parents_[place.root].offset;
      place.root = parents_[place.root].root;
    }
    return place;
  }
  Place find(const Operand& operand) const { return find(operand.record().index); }
  bool isShared(std::uint32_t root) const { return isShared_[root]; }
  std::size_t lastUse(std::uint32_t root) const { return lastUse_[root]; }
  // Returns the operand's row stride in elements if it differs from the size of the last dimension, else 0.
  std::size_t rowStride(const Operand& operand) const { return rowStrides_[operand.record().index]; }

  // Places the result of a node in the memory of `operand`.
  void join(const Operand& result, const Operand& operand) {
    link(result.record().index, find(operand).root, find(operand).offset);
  }

  // Places the result of a contiguous slice in the memory of its operand. Returns false if it cannot be there, or if it would
  // keep much more memory in use than it needs.
  bool joinCut(const ModuleNode& node) {
    const std::optional<Cut> cut = cutOf(node);
    const std::uint32_t result = node.outputs[0].record().index;
    if (!cut || parents_[result].root != result || isOutputPlace_[result] || rowStride(*cut->operand) != 0) return false;
    const Place place = find(*cut->operand);
    if (!isFixed_[place.root] && bytesOf(*cut->operand) / kMostPerCut > bytesOf(node.outputs[0])) return false;
    link(result, place.root, place.offset + cut->offset);
    return true;
  }

  // Places the inputs of a concatenation or pad in its result, if they are distinct values and their producers can compute them
  // there. Returns whether all inputs are placed.
  bool joinParts(const Module& module, const ModuleNode& node) {
    const std::vector<Reading> parts = readingsOf(node);
    const std::uint32_t root = node.outputs[0].record().index;
    std::unordered_map<std::uint32_t, std::size_t> times;  // how often a value is an input
    for (const Reading& part : parts) ++times[part.operand->record().index];
    std::vector<bool> isPlaced(parts.size());
    std::int32_t lastApart = -1;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::uint32_t index = parts[i].operand->record().index;
      isPlaced[i] = times[index] == 1 && isPart(module, parts[i]);
      if (!isPlaced[i]) lastApart = std::max(lastApart, uses_.producer[index]);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::uint32_t index = parts[i].operand->record().index;
      // If other inputs must be copied, a part may be placed only if it is computed after them: placing it allocates the result.
      isPlaced[i] = isPlaced[i] && uses_.producer[index] > lastApart;
      if (!isPlaced[i]) continue;
      rowStrides_[index] = parts[i].rowStride;
      link(index, root, parts[i].offset);
      isShared_[root] = true;
    }
    return std::ranges::all_of(isPlaced, std::identity());
  }

  // Returns the operand that the first output of a node may overwrite, or null.
  const Operand* overwritable(const ModuleNode& node, std::size_t index) const {
    const std::vector<Reading> readings = readingsOf(node);
    const auto mayBe = [&](const Reading& reading) {
      if (reading.time != ReadTime::element || !isFree(*reading.operand, index)) return false;
      const Place place = find(*reading.operand);
      // An output needs memory of its size, so it cannot overwrite a slice in a larger value.
      if (isOutputPlace_[node.outputs[0].record().index] && bytes_[place.root] != bytesOf(node.outputs[0])) return false;
      return std::ranges::all_of(readings, [&](const Reading& other) {  // no operand in the same memory is read later
        const Place otherPlace = find(*other.operand);
        return otherPlace.root != place.root || (other.time == ReadTime::element && otherPlace.offset == place.offset);
      });
    };
    const auto found = std::ranges::find_if(readings, mayBe);
    return found == readings.end() ? nullptr : found->operand;
  }

 private:
  // Returns whether `node` may overwrite the operand's memory: it holds no input, constant, part, output or value read later.
  bool isFree(const Operand& operand, std::size_t node) const {
    const std::uint32_t root = find(operand).root;
    return !isFixed_[root] && !isShared_[root] && lastUse_[root] == node && rowStrides_[operand.record().index] == 0;
  }

  // Returns whether a value can be computed directly in the result of a concatenation or pad.
  bool isPart(const Module& module, const Reading& reading) const {
    const Operand& operand = *reading.operand;
    const std::uint32_t index = operand.record().index;
    const ModuleNode* producer = uses_.producerOf(module, operand);
    if (reading.time != ReadTime::part || isFixed_[index] || isOutputPlace_[index]) return false;
    if (!producer || parents_[index].root != index || viewed(*producer)) return false;
    // The result of a concatenation or pad is never a part: its own parts would be in the memory of the outer concatenation,
    // which may also copy them to another place.
    if (reading.rowStride == 0) return !as<ops::Concat>(producer->operation) && !as<ops::Pad>(producer->operation);
    return uses_.of(operand) == 1 && writesStrided(*producer);
  }

  void link(std::uint32_t index, std::uint32_t root, std::size_t offset) {
    parents_[index] = {root, offset};
    lastUse_[root] = std::max(lastUse_[root], lastUse_[index]);
    if (uses_.isOutput[index]) isShared_[root] = true;
  }

  Uses uses_;
  std::vector<Place> parents_;
  std::vector<std::size_t> lastUse_;  // indexed by root: the last node that reads the root's memory
  std::vector<bool> isFixed_;         // inputs and constants
  std::vector<bool> isShared_;        // roots that hold parts or outputs: never overwritten or placed elsewhere
  std::vector<bool> isOutputPlace_;   // outputs of the module, and the sources of outputs that are views
  std::vector<std::size_t> rowStrides_;
  std::vector<std::size_t> bytes_;  // of values that nodes compute
};

// Merges views with their sources. Unless `isApart`, also merges slices with their operands, concatenations and pads with their
// parts, and results with the operands that they overwrite. Returns for each node whether it need not run.
std::vector<bool> aliasBuffers(const Module& module, BufferAliases& places, bool isApart) {
  std::vector<bool> isView(module.nodes.size());
  for (std::size_t i = 0; i < module.nodes.size() && !isApart; ++i) {
    const ModuleNode& node = module.nodes[i];
    if (as<ops::Concat>(node.operation)) isView[i] = places.joinParts(module, node);
    if (as<ops::Pad>(node.operation)) places.joinParts(module, node);  // the step writes the padding
  }
  for (std::size_t i = 0; i < module.nodes.size(); ++i) {
    const ModuleNode& node = module.nodes[i];
    if (const Operand* operand = viewed(node)) {
      places.join(node.outputs[0], *operand);
      isView[i] = true;
      continue;
    }
    const std::uint32_t result = node.outputs[0].record().index;
    if (!isApart && places.joinCut(node)) {
      isView[i] = true;
      continue;
    }
    if (isApart || isView[i] || places.find(result).root != result || places.isShared(result)) continue;
    if (const Operand* operand = places.overwritable(node, i)) places.join(node.outputs[0], *operand);
  }
  return isView;
}

}  // namespace

void separateOutputs(Module& module) {
  std::vector<bool> taken(module.indexLimit());
  for (const Operand& input : module.inputs) taken[input.record().index] = true;
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
    std::uint32_t root = operand.record().index;
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

namespace {

// Plans the memory of all values. If `guardBytes` is 0, values share memory; otherwise they are kept `guardBytes` apart.
MemoryPlan makePlan(const Module& module, std::size_t guardBytes) {
  BufferAliases places(module);
  MemoryPlan plan;
  plan.isView = aliasBuffers(module, places, guardBytes > 0);
  plan.outputBase = static_cast<std::uint32_t>(1 + module.inputs.size());
  plan.constantBase = static_cast<std::uint32_t>(plan.outputBase + module.outputs.size());
  plan.slots.resize(module.indexLimit(), Slot{kNone, 0});
  plan.rowStrides.resize(module.indexLimit());
  const auto settled = [&](std::uint32_t index) { return plan.slots[index].base != kNone; };
  std::vector<const Operand*> operands(module.indexLimit());  // indexed by root
  const auto note = [&](const Operand& operand) { operands[operand.record().index] = &operand; };
  for (const ModuleNode& node : module.nodes) {
    visitOperands(node.operation, [&](std::string_view, const Operand& operand) { note(operand); });
    for (const Operand& output : node.outputs) note(output);
  }

  for (std::size_t i = 0; i < module.inputs.size(); ++i)
    plan.slots[module.inputs[i].record().index] = {static_cast<std::uint32_t>(1 + i), 0};
  for (std::size_t i = 0; i < module.outputs.size(); ++i)
    plan.slots[places.find(module.outputs[i].second).root] = {static_cast<std::uint32_t>(plan.outputBase + i), 0};
  Arena arena;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> ending(module.nodes.size() + 1);
  const auto settle = [&](const Operand& operand) {
    const auto [root, offset] = places.find(operand);
    if (!settled(root)) {
      if (isConstant(*operands[root])) {
        plan.slots[root] = {static_cast<std::uint32_t>(plan.constantBase + plan.constants.size()), 0};
        plan.constants.push_back(operands[root]);
      } else {
        const std::size_t bytes = aligned(bytesOf(*operands[root]));
        plan.unsharedBytes += bytes;
        plan.slots[root] = {0, guardBytes + arena.take(bytes + guardBytes)};
        if (guardBytes == 0) ending[places.lastUse(root)].emplace_back(plan.slots[root].offset, bytes);
      }
    }
    plan.slots[operand.record().index] = {plan.slots[root].base, plan.slots[root].offset + offset};
    plan.rowStrides[operand.record().index] = places.rowStride(operand);
  };
  for (std::size_t i = 0; i < module.nodes.size(); ++i) {
    visitOperands(module.nodes[i].operation, [&](std::string_view, const Operand& operand) { settle(operand); });
    for (const Operand& output : module.nodes[i].outputs) settle(output);
    for (const auto& [offset, bytes] : ending[i]) arena.give(offset, bytes);
  }
  plan.arenaBytes = arena.size() + guardBytes;
  return plan;
}

}  // namespace

MemoryPlan planMemory(const Module& module) { return makePlan(module, 0); }

MemoryPlan planApart(const Module& module, std::size_t guardBytes) { return makePlan(module, guardBytes); }

}  // namespace webnn::compiler
