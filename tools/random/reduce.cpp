#include "random/reduce.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "backends/reference/reference_backend.h"
#include "context/graph_state.h"
#include "webnn/graph_builder.h"

namespace webnn::random {

namespace {

// Replaces the size `from` by `to` in fields that may contain sizes of dimensions.
struct SizeChange {
  std::uint32_t from = 0, to = 0;

  void in(std::string_view name, std::uint32_t& value) const {
    if (value == from && (name == "steps" || name == "hiddenSize" || name == "groups")) value = to;
  }
  void in(std::string_view name, std::vector<std::uint32_t>& values) const {
    const bool isSize =
        name == "newShape" || name == "sizes" || name == "outputSizes" || name == "windowDimensions" || name == "splits";
    if (isSize) std::ranges::replace(values, from, to);
  }
  void in(std::string_view name, OptionalSizes& values) const {
    if (values) in(name, *values);
  }
  void in(std::string_view name, Splits& splits) const {
    if (auto* sizes = std::get_if<std::vector<std::uint32_t>>(&splits)) in(name, *sizes);
  }
  template <typename Other>
  void in(std::string_view, const Other&) const {}
  void argument(std::string_view name, auto& field) const { in(name, field); }
  void option(std::string_view name, auto& field) const { in(name, field); }
};

// Removes the optional operand with index `which` (from 0) among the optional operands that are present.
struct Removal {
  std::size_t which;
  std::size_t seen = 0;
  bool isDone = false;

  void in(std::optional<Operand>& operand) {
    if (!operand || seen++ != which) return;
    operand.reset();
    isDone = true;
  }
  template <typename Other>
  void in(const Other&) {}
  void argument(std::string_view, auto& field) { in(field); }
  void option(std::string_view, auto& field) { in(field); }
};

// A change that makes a smaller variant of a graph.
struct Edit {
  std::optional<std::vector<std::size_t>> outputs;  // indices of outputs to keep
  std::optional<std::size_t> last;                  // index of a node whose results become the only outputs
  std::set<std::size_t> cut;                        // indices of nodes whose results become inputs
  std::optional<std::size_t> skipped;               // index of a node to replace by one of its operands
  // Index of the replacing operand among the operands that have the type and shape of the node's result.
  std::size_t skippedTo = 0;
  std::optional<SizeChange> size;
  std::optional<std::pair<std::size_t, std::size_t>> removed;  // index of a node, and of its optional operand to remove
  std::optional<std::size_t> plain;                            // operand index of an input or constant to fill with ones
};

// Crops a tensor to the shape `to`. Dimensions that grow repeat elements.
Bytes cropped(const OperandDescriptor& from, const Bytes& bytes, const Shape& to) {
  Bytes result(byteLength({from.dataType, to}));
  const std::size_t count = elementCount({from.dataType, to});
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i, place = 0, stride = 1;
    for (std::size_t d = to.size(); d-- > 0;) {
      place += rest % to[d] % from.shape[d] * stride;
      rest /= to[d];
      stride *= from.shape[d];
    }
    setBits(from.dataType, result, i, bitsAt(from.dataType, bytes, place));
  }
  return result;
}

const GraphDefinition& definitionOf(const Case& of) { return webnn::definitionOf(of.graph); }

// Returns the values of all operands, by operand index.
std::vector<Bytes> valuesOf(const Case& of) {
  const GraphDefinition& graph = definitionOf(of);
  std::vector<Bytes> values(graph.indexLimit);
  for (std::size_t i = 0; i < of.inputs.size(); ++i) values[graph.inputs[i].record().index] = of.inputs[i];
  for (const Operand& constant : graph.constants) {
    values[constant.record().index].assign(constant.record().bytes.begin(), constant.record().bytes.end());
  }
  for (const Node& node : graph.nodes) {
    std::vector<std::span<const std::byte>> operands;
    visitOperands(node.operation,
                  [&](std::string_view, const Operand& operand) { operands.emplace_back(values[operand.record().index]); });
    ops::Outputs outputs;
    for (const Operand& output : node.outputs) outputs.push_back(output.descriptor());
    std::vector<Bytes> results = reference::evaluate(node.operation, operands, outputs);
    for (std::size_t i = 0; i < results.size(); ++i) values[node.outputs[i].record().index] = std::move(results[i]);
  }
  return values;
}

// Returns the operand with index `which` (from 0) among the operands of `operation` that have this descriptor.
Operand sameAs(const Operation& operation, const OperandDescriptor& descriptor, std::size_t which) {
  Operand found;
  visitOperands(operation, [&](std::string_view, const Operand& operand) {
    if (operand.descriptor() == descriptor && which-- == 0) found = operand;
  });
  if (!found) throw Error(ErrorKind::typeError, "has no such operand");
  return found;
}

// Returns the variant of `from` that `edit` describes. Throws Error if operands no longer fit together.
Case edited(const Context& context, const Case& from, const Edit& edit) {
  const GraphDefinition& graph = definitionOf(from);
  GraphBuilder builder(context);
  std::map<std::string, Bytes> bytes;
  std::vector<Operand> operands(graph.indexLimit);
  const auto input = [&](const Operand& old, Bytes value, const Shape& shape) {
    std::string name = "x" + std::to_string(bytes.size());
    operands[old.record().index] = builder.input(name, {old.dataType(), shape});
    bytes.emplace(std::move(name), std::move(value));
  };
  const auto leaf = [&](const Operand& old, Bytes value, bool isInput) {
    Shape shape = old.shape();
    if (edit.size) std::ranges::replace(shape, edit.size->from, edit.size->to);
    if (shape != old.shape()) value = cropped(old.descriptor(), value, shape);
    if (edit.plain == old.record().index) {
      for (std::size_t i = elementCount({old.dataType(), shape}); i-- > 0;) setReal(old.dataType(), value, i, 1);
    }
    if (isInput) return input(old, std::move(value), shape);
    operands[old.record().index] = builder.constant({old.dataType(), shape}, value);
  };
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) leaf(graph.inputs[i], from.inputs[i], true);
  for (const Operand& constant : graph.constants) {
    leaf(constant, Bytes(constant.record().bytes.begin(), constant.record().bytes.end()), false);
  }
  const std::vector<Bytes> all = edit.cut.empty() ? std::vector<Bytes>() : valuesOf(from);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (edit.cut.contains(i)) {
      for (const Operand& output : node.outputs) input(output, all[output.record().index], output.shape());
      continue;
    }
    Operation operation = node.operation;
    mapOperands(operation, [&](const Operand& operand) { return operands[operand.record().index]; });
    if (edit.skipped == i) {
      operands[node.outputs[0].record().index] = sameAs(operation, node.outputs[0].descriptor(), edit.skippedTo);
      continue;
    }
    if (edit.size) visitFields(operation, *edit.size);
    if (edit.removed && edit.removed->first == i) {
      Removal removal{edit.removed->second};
      visitFields(operation, removal);
      if (!removal.isDone) throw Error(ErrorKind::typeError, "has no such operand");
    }
    const std::vector<Operand> results = builder.append(std::move(operation));
    for (std::size_t j = 0; j < results.size(); ++j) operands[node.outputs[j].record().index] = results[j];
  }
  std::vector<NamedOperand> outputs;
  for (std::size_t i = 0; edit.last && i < graph.nodes[*edit.last].outputs.size(); ++i) {
    outputs.emplace_back("y" + std::to_string(i), operands[graph.nodes[*edit.last].outputs[i].record().index]);
  }
  for (std::size_t i = 0; !edit.last && i < graph.outputs.size(); ++i) {
    if (edit.outputs && std::ranges::find(*edit.outputs, i) == edit.outputs->end()) continue;
    outputs.emplace_back("y" + std::to_string(outputs.size()), operands[graph.outputs[i].second.record().index]);
  }
  Case result{builder.build(outputs), {}};
  for (const auto& [name, descriptor] : result.graph.inputs()) result.inputs.push_back(bytes.at(name));
  return result;
}

std::set<std::uint32_t> sizesOf(const GraphDefinition& graph) {
  std::set<std::uint32_t> sizes;
  for (const auto* leaves : {&graph.inputs, &graph.constants}) {
    for (const Operand& leaf : *leaves) sizes.insert(leaf.shape().begin(), leaf.shape().end());
  }
  return sizes;
}

class Reduction {
 public:
  Reduction(const Context& context, Case failing, const std::function<bool(const Case&)>& fails)
      : context_(context), case_(std::move(failing)), fails_(fails) {}

  Case run() {
    for (bool isChanged = true; isChanged && attempts_ < kMostAttempts;) {
      isChanged = stopEarly();
      isChanged |= reduceOutputs();
      isChanged |= cutNodes();
      isChanged |= skipNodes();
      isChanged |= removeOperands();
      isChanged |= shrink();
    }
    simplifyValues();
    return std::move(case_);
  }

 private:
  static constexpr int kMostAttempts = 1500;

  const GraphDefinition& graph() const { return definitionOf(case_); }

  // Keeps the variant if it still fails. Returns whether it does.
  bool attempt(const Edit& edit) {
    if (++attempts_ > kMostAttempts) return false;
    std::optional<Case> variant;
    try {
      variant = edited(context_, case_, edit);
    } catch (const std::exception&) {  // operands no longer fit together
      return false;
    }
    if (!fails_(*variant)) return false;
    case_ = std::move(*variant);
    return true;
  }

  // Cuts the graph after the first node whose results alone already fail.
  bool stopEarly() {
    const std::size_t count = graph().nodes.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (attempt({.last = i})) return graph().nodes.size() < count;
    }
    return false;
  }

  bool reduceOutputs() {
    const std::size_t count = graph().outputs.size();
    if (count == 1) return false;
    for (std::size_t i = 0; i < count; ++i) {
      if (attempt({.outputs = std::vector{i}})) return true;
    }
    bool isChanged = false;
    for (std::size_t i = count; i-- > 0 && graph().outputs.size() > 1;) {
      std::vector<std::size_t> kept;
      for (std::size_t j = 0; j < graph().outputs.size(); ++j) {
        if (j != i) kept.push_back(j);
      }
      isChanged |= attempt({.outputs = kept});
    }
    return isChanged;
  }

  // Replaces results by inputs: first many results in one step, then single results, beginning at the inputs.
  bool cutNodes() {
    bool isChanged = false;
    for (std::size_t length = graph().nodes.size() / 2; length > 0; length /= 2) {
      for (std::size_t i = 0; i < graph().nodes.size();) {
        Edit edit;
        for (std::size_t j = i; j < std::min(i + length, graph().nodes.size()); ++j) edit.cut.insert(j);
        if (attempt(edit)) {
          isChanged = true;
        } else {
          i += length;
        }
      }
    }
    return isChanged;
  }

  bool skipNodes() {
    bool isChanged = false;
    for (std::size_t i = graph().nodes.size(); i-- > 0;) {
      for (std::size_t which = 0; which < 2 && i < graph().nodes.size(); ++which) {
        isChanged |= attempt({.skipped = i, .skippedTo = which});
      }
    }
    return isChanged;
  }

  bool removeOperands() {
    bool isChanged = false;
    for (std::size_t i = 0; i < graph().nodes.size(); ++i) {
      for (std::size_t which = 0; which < 3; ++which) isChanged |= attempt({.removed = std::pair{i, which}});
    }
    return isChanged;
  }

  bool shrink() {
    bool isChanged = false;
    for (const std::uint32_t size : sizesOf(graph())) {
      for (const std::uint32_t smaller : {1U, 2U, size / 2, size - 1}) {
        if (smaller == 0 || smaller >= size || !sizesOf(graph()).contains(size)) continue;
        if (attempt({.size = SizeChange{size, smaller}})) {
          isChanged = true;
          break;
        }
      }
    }
    return isChanged;
  }

  void simplifyValues() {
    for (std::size_t i = 0; i < graph().inputs.size(); ++i) attempt({.plain = graph().inputs[i].record().index});
    for (std::size_t i = 0; i < graph().constants.size(); ++i) attempt({.plain = graph().constants[i].record().index});
  }

  const Context& context_;
  Case case_;
  const std::function<bool(const Case&)>& fails_;
  int attempts_ = 0;
};

}  // namespace

Case reduce(const Context& context, Case failing, const std::function<bool(const Case&)>& fails) {
  return Reduction(context, std::move(failing), fails).run();
}

}  // namespace webnn::random
