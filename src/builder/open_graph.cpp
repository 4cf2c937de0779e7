#include "builder/open_graph.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/text.h"
#include "builder/builder_state.h"
#include "builder/empty_operands.h"

namespace webnn {

namespace {

// Builds the graph for given sizes of its open dimensions.
class Fixer {
 public:
  Fixer(Context& context, const OpenGraph& graph, const std::map<std::string, std::uint32_t>& sizes,
        std::shared_ptr<Budget> budget)
      : graph_(graph), builder_(context), names_(graph.definition->operandNames()) {
    if (budget) builder_.state().setBudget(std::move(budget));
    solve(sizes);
  }

  FixedGraph build() {
    const GraphDefinition& definition = *graph_.definition;
    try {
      addOperands(definition);
      for (const Node& node : definition.nodes) add(node);
    } catch (const Error& error) {
      throw Error(error.kind(), error.what() + text_);
    }
    FixedGraph result;
    result.hasEmptyInputs = hasEmptyInputs_;
    std::vector<NamedOperand> outputs;
    for (const auto& [name, operand] : definition.outputs) {
      const Operand& value = values_.at(operand.record().index);
      if (isEmpty(value.descriptor()))
        result.emptyOutputs.emplace_back(name, value.descriptor());
      else
        outputs.emplace_back(name, value);
    }
    builder_.setGraphName(definition.name);
    if (!outputs.empty()) result.graph = builder_.build(std::move(outputs));
    return result;
  }

 private:
  // Finds the size of each named dimension from the sizes of the inputs' dimensions.
  void solve(const std::map<std::string, std::uint32_t>& given) {
    const OpenSizes& open = *graph_.sizes;
    const std::vector<OpenSizes::Named> named = open.named();
    sizes_.assign(named.size(), -1);
    for (std::size_t i = 0; i < named.size(); ++i) {
      auto found = given.find(OpenSizes::keyOfName(named[i].name));
      if (found == given.end()) found = given.find(named[i].name);
      if (found != given.end()) sizes_[i] = found->second;
    }
    std::vector<std::uint32_t> handles;
    for (const Operand& input : graph_.definition->inputs) {
      for (std::uint32_t size : input.shape()) {
        if ((size & kOpenBit) != 0) handles.push_back(size);
      }
    }
    open.forEachSolvable(handles, sizes_, [&](std::uint32_t handle) -> std::optional<std::size_t> {
      const auto found = given.find(open.key(handle));
      return found == given.end() ? std::nullopt : open.solve(handle, found->second, sizes_);
    });
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (sizes_[i] < 0) continue;
      text_ += formatText("{}{} = {}", text_.empty() ? " (with " : ", ", sanitized(named[i].name), sizes_[i]);
    }
    if (!text_.empty()) text_ += ")";
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (sizes_[i] < 0 || (sizes_[i] >= named[i].min && sizes_[i] <= named[i].max)) continue;
      fail(ErrorKind::typeError, "the dimension {} is {}, not between {} and {}, which the graph requires.",
           webnn::quoted(named[i].name), sizes_[i], named[i].min, named[i].max);
    }
    for (std::uint32_t handle : handles) {
      const std::string name = open.key(handle);
      const auto found = given.find(name);
      const auto value = open.evaluate(handle, sizes_);
      if (found == given.end() || value == found->second) continue;
      if (!value) {
        fail(ErrorKind::typeError, "the dimension {} is {}, which no sizes of its names give.{}", webnn::quoted(name),
             found->second, text_);
      }
      fail(ErrorKind::typeError, "the dimension {} is {}; the sizes of the other dimensions make it {}.{}", webnn::quoted(name),
           found->second, *value, text_);
    }
  }

  // Returns the value of a handle. Throws TypeError, which names `what`, if the value is not a valid size.
  std::uint32_t fixed(std::uint32_t size, std::string_view what) const {
    if ((size & kOpenBit) == 0) return size;
    const auto value = graph_.sizes->evaluate(size, sizes_);
    if (value) return *value;
    for (std::size_t i = 0; const OpenSizes::Named& dimension : graph_.sizes->named()) {
      if (sizes_[i++] < 0 && graph_.sizes->names(size).contains(dimension.name))
        fail(ErrorKind::typeError, "{}: the dimension {} has no size.", what, webnn::quoted(dimension.name));
    }
    fail(ErrorKind::typeError, "{}: the size {} is not between 0 and {}.", what, sanitized(graph_.sizes->text(size)),
         kMaxDimension);
  }
  OperandDescriptor fixed(OperandDescriptor descriptor, std::string_view what) const {
    for (std::uint32_t& size : descriptor.shape) size = fixed(size, what);
    return descriptor;
  }

  void addOperands(const GraphDefinition& definition) {
    for (const Operand& input : definition.inputs) {
      const OperandDescriptor descriptor = fixed(input.descriptor(), "input " + webnn::quoted(input.record().name));
      hasEmptyInputs_ = hasEmptyInputs_ || isEmpty(descriptor);
      values_[input.record().index] =
          isEmpty(descriptor) ? emptyOperand(descriptor) : builder_.input(input.record().name, descriptor);
    }
    for (const Operand& constant : definition.constants) {
      const OperandRecord& record = constant.record();
      Operand& value = values_[record.index] =
          builder_.constant(record.descriptor, ExternalBytes{record.bytes, record.keepAlive});
      builder_.setName(value, names_[record.index]);
    }
  }

  void add(const Node& node) {
    Operation operation = node.operation;
    bool hasEmpty = false;
    visitSizes(operation, [&](std::string_view, std::uint32_t& size) {
      if ((size & kOpenBit) == 0) return;
      size = fixed(size, name(node.operation));
      hasEmpty = hasEmpty || size == 0;
    });
    mapOperands(operation, [&](const Operand& operand) {
      const Operand& value = values_.at(operand.record().index);
      hasEmpty = hasEmpty || isEmpty(value.descriptor());
      return value;
    });
    std::vector<Operand> results =
        hasEmpty ? appendWithEmpty(builder_, std::move(operation)) : builder_.append(std::move(operation));
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::uint32_t index = node.outputs[i].record().index;
      if (!isEmpty(results[i].descriptor())) builder_.setName(results[i], names_[index]);
      values_[index] = std::move(results[i]);
    }
  }

  const OpenGraph& graph_;
  GraphBuilder builder_;
  const std::vector<std::string> names_;
  std::vector<std::int64_t> sizes_;  // for each named dimension; -1: unknown
  bool hasEmptyInputs_ = false;
  std::string text_;                                   // the sizes, for messages
  std::unordered_map<std::uint32_t, Operand> values_;  // the fixed graph's operands, by the index of the open graph's operand
};

// Returns a named dimension of the graph whose size the shapes of the inputs do not determine; nullopt if there is none.
std::optional<std::string> undetermined(const OpenSizes& open, std::span<const Operand> inputs, std::span<const Node> nodes) {
  const std::vector<OpenSizes::Named> named = open.named();
  std::vector<std::uint32_t> handles;
  std::set<std::string> used;
  for (const Operand& input : inputs) {
    for (std::uint32_t size : input.shape()) {
      handles.push_back(size);
      used.merge(open.names(size));
    }
  }
  for (const Node& node : nodes)
    visitSizes(node.operation, [&](std::string_view, std::uint32_t size) { used.merge(open.names(size)); });
  // An expression determines its only unknown name if it does so for one of the sample sizes. Both samples are needed:
  // `n - 100` is negative for one of them, `100 - n` for the other.
  constexpr std::int64_t kKnown = 7, kSamples[] = {5, 1 << 20};
  std::vector<std::int64_t> sizes(named.size(), -1);
  open.forEachSolvable(handles, sizes, [&](std::uint32_t handle) -> std::optional<std::size_t> {
    for (std::int64_t sample : kSamples) {
      std::vector<std::int64_t> all = sizes, unsolved = sizes;
      std::ranges::replace(all, std::int64_t{-1}, sample);
      const std::optional<std::uint32_t> value = open.evaluate(handle, all);
      const std::optional<std::size_t> solved = value ? open.solve(handle, *value, unsolved) : std::nullopt;
      if (!solved) continue;
      sizes[*solved] = kKnown;
      return solved;
    }
    return std::nullopt;
  });
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (sizes[i] < 0 && used.contains(named[i].name)) return named[i].name;
  }
  return std::nullopt;
}

}  // namespace

const Graph& FixedGraph::whole() const {
  if (!hasEmptyInputs && emptyOutputs.empty()) return graph;
  fail(ErrorKind::typeError, "an input or output has no elements, which no graph can have; use Session::run().");
}

std::shared_ptr<const OpenGraph> takeOpenGraph(GraphBuilder& builder, std::vector<NamedOperand> outputs) {
  BuilderState& state = builder.state();
  state.requireCanBuild("build");
  const OpenSizes& open = state.ensureOpenSizes();
  std::vector<Operand> inputs;
  for (const auto& record : state.records) {
    if (record->kind == OperandKind::input) inputs.emplace_back(record);
  }
  if (const auto name = undetermined(open, inputs, state.nodes)) {
    fail(ErrorKind::typeError,
         "build: no input determines the dimension {}: none has it by itself or as the only unknown part of a sum.",
         webnn::quoted(*name));
  }
  const std::shared_ptr<const OpenSizes> sizes = state.openSizes;
  GraphDefinition definition = *state.takeDefinition(std::move(outputs));
  // Keeps inputs that no output depends on only if the other inputs do not determine all named dimensions.
  if (undetermined(open, definition.inputs, definition.nodes)) definition.inputs = std::move(inputs);
  return std::make_shared<const OpenGraph>(OpenGraph{std::make_shared<const GraphDefinition>(std::move(definition)), sizes});
}

FixedGraph fixGraph(Context& context, const OpenGraph& graph, const std::map<std::string, std::uint32_t>& sizes,
                    std::shared_ptr<Budget> budget) {
  return Fixer(context, graph, sizes, std::move(budget)).build();
}

}  // namespace webnn
