#include "compiler/passes/origins.h"

#include <algorithm>
#include <set>

namespace webnn::compiler {

namespace {

// Returns for each node whether an output of the module depends on it.
std::vector<bool> findUsed(const Module& module) {
  std::vector<bool> needed(module.indexLimit()), isUsed(module.nodes.size());
  for (const auto& [name, operand] : module.outputs) needed[operand.record().index] = true;
  for (std::size_t i = module.nodes.size(); i-- > 0;) {
    const ModuleNode& node = module.nodes[i];
    isUsed[i] = std::ranges::any_of(node.outputs, [&](const Operand& output) { return needed[output.record().index]; });
    if (!isUsed[i]) continue;
    visitOperands(node.operation, [&](std::string_view, const Operand& operand) { needed[operand.record().index] = true; });
  }
  return isUsed;
}

void append(std::vector<std::size_t>& to, const std::vector<std::size_t>& from) { to.insert(to.end(), from.begin(), from.end()); }

void sortUnique(auto& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

OriginTracker::OriginTracker(Module& module) : module_(module) { look(findUsed(module)); }

void OriginTracker::look(const std::vector<bool>& isUsed) {
  std::size_t used = 0;  // old entries are overwritten, so that their vectors keep their memory from one pass to the next
  const auto see = [&](const Origins& origins) {
    if (used == seen_.size()) seen_.emplace_back();
    Seen& seen = seen_[used++];
    seen.origins = origins;
    seen.firstOperand = operands_.size();
    seen.firstOutput = outputs_.size();
  };
  operands_.clear();
  outputs_.clear();
  seenMaker_.assign(module_.indexLimit(), -1);
  isConstant_.assign(module_.indexLimit(), false);
  for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
    const ModuleNode& node = module_.nodes[i];
    if (!isUsed[i]) continue;
    see(node.origins);
    visitOperands(node.operation, [&](std::string_view, const Operand& operand) {
      operands_.push_back(operand.record().index);
      isConstant_[operand.record().index] = isConstant(operand);
    });
    for (const Operand& output : node.outputs) {
      outputs_.push_back(output.record().index);
      seenMaker_[output.record().index] = static_cast<std::int32_t>(used - 1);
    }
    // settle() changes this to `removed` if no node implements the operation.
    module_.setAbsent(node.origins, Absence::absorbed);
  }
  see({});
  seen_.resize(used);
  module_.rewritten.clear();
}

bool OriginTracker::isUnchanged(const std::vector<bool>& isUsed) const {
  std::size_t seen = 0, operand = 0, output = 0;
  bool isSame = true;
  for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
    if (!isUsed[i]) continue;
    const ModuleNode& node = module_.nodes[i];
    if (seen == count() || node.origins != seen_[seen].origins) return false;
    visitOperands(node.operation, [&](std::string_view, const Operand& read) {
      isSame = isSame && operand < operands_.size() && operands_[operand++] == read.record().index;
    });
    for (const Operand& computed : node.outputs)
      isSame = isSame && output < outputs_.size() && outputs_[output++] == computed.record().index;
    ++seen;
    if (!isSame || operand != seen_[seen].firstOperand || output != seen_[seen].firstOutput) return false;
  }
  return seen == count();
}

void OriginTracker::settle() {
  const std::vector<bool> isUsed = findUsed(module_);
  if (isUnchanged(isUsed)) return module_.rewritten.clear();
  maker_.assign(module_.indexLimit(), -1);
  for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
    if (!isUsed[i]) continue;
    for (const Operand& output : module_.nodes[i].outputs) maker_[output.record().index] = static_cast<std::int32_t>(i);
  }
  std::vector<std::size_t> gone;  // old nodes that no node replaces; users come before producers
  for (std::size_t i = count(); i-- > 0;) {
    if (!heirOf(i)) gone.push_back(i);
  }
  const Holders given = givenByThePass(isUsed);
  if (!gone.empty()) adopt(gone, given);
  for (std::size_t i = 0; i < count(); ++i) {
    if (const auto heir = heirOf(i)) addBetween(i, module_.nodes[*heir], given);
  }
  look(isUsed);
}

// If a pass made a node read earlier operands, the node now also implements the operations between its new and its old operands,
// even if other users still need those operations.
void OriginTracker::addBetween(std::size_t seen, ModuleNode& heir, const Holders& given) {
  constexpr std::size_t kMost = 64;
  std::size_t place = seen_[seen].firstOperand;
  bool isSame = true;
  visitOperands(heir.operation, [&](std::string_view, const Operand& operand) {
    isSame = isSame && place < seen_[seen + 1].firstOperand && operands_[place++] == operand.record().index;
  });
  if (isSame && place == seen_[seen + 1].firstOperand) return;
  std::vector<std::uint32_t> read;
  bool isKnown = true;
  visitOperands(heir.operation, [&](std::string_view, const Operand& operand) {
    const std::uint32_t index = operand.record().index;
    if (!isConstant(operand)) read.push_back(index);
    isKnown = isKnown && (isConstant(operand) || index < seenMaker_.size());
  });
  if (!isKnown) return;  // the pass created an operand
  // Returns whether the pass itself said which nodes implement one of these operations, or why no node does.
  const auto isTold = [&](const Origins& origins) {
    return std::ranges::any_of(
        origins, [&](std::uint32_t origin) { return module_.absences[origin] != Absence::absorbed || given.contains(origin); });
  };
  std::vector<std::size_t> open{seen}, between;
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    for (std::size_t k = seen_[node].firstOperand; k < seen_[node + 1].firstOperand; ++k) {
      if (isConstant_[operands_[k]] || std::ranges::find(read, operands_[k]) != read.end()) continue;
      const std::int32_t maker = seenMaker_[operands_[k]];
      // The path reaches an input or is too long. The new operands are then taken for other values that equal the old operands,
      // not for an earlier point of the same computation.
      if (maker < 0 || between.size() == kMost) return;
      const auto next = static_cast<std::size_t>(maker);
      if (isTold(seen_[next].origins) || std::ranges::find(between, next) != between.end()) continue;
      between.push_back(next);
      open.push_back(next);
    }
  }
  std::ranges::sort(between);
  for (const std::size_t node : between) addOrigins(heir.origins, seen_[node].origins);
}

std::optional<std::size_t> OriginTracker::heirOf(std::size_t seen) const {
  for (const std::uint32_t output : outputsOf(seen)) {
    if (maker_[output] >= 0) return static_cast<std::size_t>(maker_[output]);
  }
  return std::nullopt;
}

// Finds operations that the pass moved to other nodes. Returns, for each such operation, the nodes that implement it now. Such a
// node did not implement the operation before the pass.
OriginTracker::Holders OriginTracker::givenByThePass(const std::vector<bool>& isUsed) const {
  Holders given;
  for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
    if (!isUsed[i]) continue;
    const std::uint32_t output = module_.nodes[i].outputs[0].record().index;
    const std::int32_t before = output < seenMaker_.size() ? seenMaker_[output] : -1;
    const Origins* had = before < 0 ? nullptr : &seen_[static_cast<std::size_t>(before)].origins;
    for (const std::uint32_t origin : module_.nodes[i].origins) {
      if (!had || !std::ranges::binary_search(*had, origin)) given[origin].push_back(i);
    }
  }
  return given;
}

void OriginTracker::adopt(const std::vector<std::size_t>& gone, const Holders& given) {
  std::vector<std::vector<std::size_t>> users(module_.indexLimit());  // indexed by operand
  for (std::size_t i = 0; i < count(); ++i) {
    for (std::size_t k = seen_[i].firstOperand; k < seen_[i + 1].firstOperand; ++k) users[operands_[k]].push_back(i);
  }
  std::set<Origins> allGone;
  for (const std::size_t i : gone) allGone.insert(seen_[i].origins);
  // Returns whether `node` has exactly the origins of a removed node other than seen_[i], and thus replaces that node.
  const auto isOfAnother = [&](std::size_t node, std::size_t i) {
    const Origins& origins = module_.nodes[node].origins;
    return origins != seen_[i].origins && allGone.contains(origins);
  };
  std::unordered_map<std::size_t, std::vector<std::size_t>> successors;  // keyed by removed node
  std::vector<Origins> adopted(module_.nodes.size());
  for (const std::size_t i : gone) {
    std::vector<std::size_t>& nodes = successors[i];
    for (const std::uint32_t output : outputsOf(i)) {
      for (const std::size_t user : users[output]) {
        if (const auto heir = heirOf(user)) {
          nodes.push_back(*heir);
        } else {
          append(nodes, successors[user]);
        }
      }
    }
    sortUnique(nodes);
    std::vector<std::size_t> told;
    bool isTold = false;  // whether the pass recorded which nodes implement the operations, or why none does
    for (const std::uint32_t origin : seen_[i].origins) {
      const auto found = given.find(origin);
      std::vector<std::size_t> holders = found == given.end() ? std::vector<std::size_t>() : found->second;
      std::erase_if(holders, [&](std::size_t node) { return isOfAnother(node, i); });
      if (!holders.empty()) {
        append(told, holders);
        isTold = true;
      } else if (module_.absences[origin] != Absence::absorbed) {
        isTold = true;
      } else {
        for (const std::size_t node : nodes) adopted[node].push_back(origin);
        if (nodes.empty()) module_.absences[origin] = Absence::removed;  // the users were removed, too
      }
    }
    if (isTold) nodes = std::move(told);
  }
  for (std::size_t i = 0; i < adopted.size(); ++i) {
    sortUnique(adopted[i]);
    addOrigins(module_.nodes[i].origins, adopted[i]);
  }
}

}  // namespace webnn::compiler
