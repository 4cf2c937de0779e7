#include "builder/builder_state.h"

#include <algorithm>
#include <type_traits>

#include "base/text.h"

namespace webnn {

void BuilderState::Limits::failBeyond(std::string_view what, std::uint64_t limit) const {
  if (areOfService)
    fail(ErrorKind::operationError, "QuotaExceeded: the graph would have more than {} {}, the limit of the service.", limit,
         what);
  fail(ErrorKind::notSupportedError, "the graph would have more than {} {}, too many for the size of its file.", limit, what);
}

bool BuilderState::owns(const Operand& operand) const { return operand && operand.record().builder == token; }

Operand BuilderState::append(OperandKind kind, OperandDescriptor descriptor) {
  if (records.size() >= limits_.operands) limits_.failBeyond("operands", limits_.operands);
  const std::optional<OpenScope> scope =
      kHasOpenSizes && openSizes ? std::optional<OpenScope>(std::in_place, *openSizes) : std::nullopt;
  const bool hasOpenSize = kHasOpenSizes && isOpen(descriptor.shape);
  if (!hasOpenSize) budget_->addElements(elementCount(descriptor));
  auto record = std::make_shared<OperandRecord>();
  record->builder = token;
  record->kind = kind;
  record->index = static_cast<std::uint32_t>(records.size());
  if (hasOpenSize) {
    for (std::uint32_t size : descriptor.shape) {
      if (!isOpen(size)) {
        record->dimensions.emplace_back(size);
        continue;
      }
      const auto [min, max] = openSizes->range(size);
      record->dimensions.emplace_back(openSizes->text(size), min, max);
    }
  }
  record->descriptor = std::move(descriptor);
  records.push_back(record);
  return Operand(std::move(record));
}

OpenSizes& BuilderState::ensureOpenSizes() {
  if (!openSizes) openSizes = std::make_shared<OpenSizes>();
  return *openSizes;
}

void BuilderState::takeText(std::string_view text) {
  if (text.size() > limits_.textBytes - textBytes_) limits_.failBeyond("bytes of labels and names", limits_.textBytes);
  textBytes_ += text.size();
}

void BuilderState::extract(std::vector<NamedOperand> outputs, GraphDefinition& graph) {
  graph.name = graphName;
  graph.indexLimit = records.size();
  std::vector<bool> needed(records.size());
  for (const auto& [name, operand] : outputs) needed[operand.record().index] = true;
  std::vector<bool> nodeNeeded(nodes.size());
  // the nodes are in topological order, because they are in the order of the calls
  for (std::size_t i = nodes.size(); i-- > 0;) {
    for (const Operand& output : nodes[i].outputs) nodeNeeded[i] = nodeNeeded[i] || needed[output.record().index];
    if (!nodeNeeded[i]) continue;
    visitOperands(nodes[i].operation, [&](std::string_view, const Operand& operand) { needed[operand.record().index] = true; });
  }
  for (const auto& record : records) {
    if (!needed[record->index]) continue;
    if (record->kind == OperandKind::input) graph.inputs.emplace_back(record);
    if (record->kind == OperandKind::constant) graph.constants.emplace_back(record);
  }
  graph.nodes.reserve(static_cast<std::size_t>(std::ranges::count(nodeNeeded, true)));
  // Nothing throws from here on, so the nodes belong either to the graph or still to the builder.
  static_assert(std::is_nothrow_move_constructible_v<Node>);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodeNeeded[i]) graph.nodes.push_back(std::move(nodes[i]));
  }
  nodes.clear();
  graph.outputs = std::move(outputs);
}

}  // namespace webnn
