#include "cpu/compile/origins.h"

#include <algorithm>

namespace webnn::cpu {

namespace {

// By node: whether an output of the module depends on it.
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

void OriginTracker::look() {
  seen_.clear();
  operands_.clear();
  outputs_.clear();
  const std::vector<bool> isUsed = findUsed(module_);
  for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
    ModuleNode& node = module_.nodes[i];
    if (!isUsed[i]) {
      node.origins.clear();
      continue;
    }
    seen_.push_back({node.origins, operands_.size(), outputs_.size()});
    visitOperands(node.operation, [&](std::string_view, const Operand& operand) { operands_.push_back(operand.record().index); });
    for (const Operand& output : node.outputs) outputs_.push_back(output.record().index);
    module_.setAbsent(node.origins, Absence::absorbed);  // if at all, later
  }
  seen_.push_back({{}, operands_.size(), outputs_.size()});
  module_.rewritten.clear();
}

void OriginTracker::settle() {
  const std::vector<bool> isUsed = findUsed(module_);
  maker_.assign(module_.indexLimit(), -1);
  for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
    if (!isUsed[i]) continue;
    for (const Operand& output : module_.nodes[i].outputs) maker_[output.record().index] = static_cast<std::int32_t>(i);
  }
  std::vector<std::size_t> gone;  // users first
  for (std::size_t i = count(); i-- > 0;) {
    if (!heirOf(i)) gone.push_back(i);
  }
  if (!gone.empty()) adopt(gone, givenByThePass(isUsed));
  look();
}

std::optional<std::size_t> OriginTracker::heirOf(std::size_t seen) const {
  for (const std::uint32_t output : outputsOf(seen)) {
    if (maker_[output] >= 0) return static_cast<std::size_t>(maker_[output]);
  }
  return std::nullopt;
}

// The nodes that stand for operations for which those that they are heirs of did not.
OriginTracker::Holders OriginTracker::givenByThePass(const std::vector<bool>& isUsed) const {
  std::vector<const Origins*> before(module_.nodes.size());
  for (std::size_t i = 0; i < count(); ++i) {
    if (const auto heir = heirOf(i)) before[*heir] = &seen_[i].origins;
  }
  Holders given;
  for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
    if (!isUsed[i]) continue;
    for (const std::uint32_t origin : module_.nodes[i].origins) {
      if (!before[i] || !std::ranges::binary_search(*before[i], origin)) given[origin].push_back(i);
    }
  }
  return given;
}

void OriginTracker::adopt(const std::vector<std::size_t>& gone, const Holders& given) {
  std::vector<std::vector<std::size_t>> users(module_.indexLimit());  // by operand
  for (std::size_t i = 0; i < count(); ++i) {
    for (std::size_t k = seen_[i].firstOperand; k < seen_[i + 1].firstOperand; ++k) users[operands_[k]].push_back(i);
  }
  std::unordered_map<std::size_t, std::vector<std::size_t>> successors;  // of each that is gone
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
    bool isTold = false;  // by the pass
    for (const std::uint32_t origin : seen_[i].origins) {
      const auto found = given.find(origin);
      if (found != given.end()) {
        append(told, found->second);
        isTold = true;
      } else if (module_.absences[origin] != Absence::absorbed) {
        isTold = true;
      } else {
        for (const std::size_t node : nodes) adopted[node].push_back(origin);
      }
    }
    if (isTold) nodes = std::move(told);
  }
  for (std::size_t i = 0; i < adopted.size(); ++i) {
    sortUnique(adopted[i]);
    addOrigins(module_.nodes[i].origins, adopted[i]);
  }
}

}  // namespace webnn::cpu
