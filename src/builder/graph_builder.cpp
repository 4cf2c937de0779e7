#include "webnn/graph_builder.h"

#include "base/as_errors.h"
#include "base/pack.h"
#include "base/text.h"
#include "builder/builder_state.h"
#include "context/context_state.h"
#include "context/graph_state.h"
#include "context/tensor_state.h"
#include "ops/checks.h"

namespace webnn {

namespace {

// Checks a descriptor, and adds the method's name to the error message.
void checkDescriptor(std::string_view method, const OperandDescriptor& descriptor) {
  try {
    byteLength(descriptor);
  } catch (const Error& error) {
    fail(error.kind(), "{}: {}", method, error.what());
  }
}

void checkBytes(const OperandDescriptor& descriptor, std::span<const std::byte> bytes) {
  checkDescriptor("constant", descriptor);
  if (bytes.size() != byteLength(descriptor)) {
    fail(ErrorKind::typeError, "constant: the byte length ({}) is not that of {} ({}).", bytes.size(), toString(descriptor),
         byteLength(descriptor));
  }
}

// Makes the builder's open sizes current while the object exists. If the builder has none, IfNone::make creates them. Unless
// commit() is called, the destructor restores their conditions and ranges, and removes them if they are new.
class OpenTransaction {
 public:
  enum class IfNone { make, doNothing };
  OpenTransaction(BuilderState& state, IfNone ifNone) : state_(kHasOpenSizes ? &state : nullptr), isNew_(!state.openSizes) {
    if (!kHasOpenSizes || (isNew_ && ifNone == IfNone::doNothing)) {
      commit();
      return;
    }
    scope_.emplace(state.ensureOpenSizes());
    before_ = state.openSizes->checkpoint();
  }
  ~OpenTransaction() {
    if (!kHasOpenSizes || !state_) return;
    scope_.reset();
    state_->openSizes->restore(before_);
    if (isNew_) state_->openSizes.reset();
  }
  OpenTransaction(const OpenTransaction&) = delete;
  OpenTransaction& operator=(const OpenTransaction&) = delete;
  void commit() { state_ = nullptr; }

 private:
  BuilderState* state_;
  const bool isNew_;
  std::optional<OpenScope> scope_;
  OpenSizes::Checkpoint before_;
};

struct CopiedBytes {
  MemoryCharge charge;
  std::vector<std::byte> bytes;
};

}  // namespace

void BuilderState::requireCanBuild(std::string_view method) const {
  if (hasBuilt) fail(ErrorKind::invalidStateError, "{}: the builder has already built its graph.", method);
  if (!context.state()->isLost()) return;
  context.state()->requireReachable(method);
  fail(ErrorKind::invalidStateError, "{}: the context is lost.", method);
}

GraphBuilder::GraphBuilder(const Context& context) try : state_(std::make_unique<BuilderState>()) {
  if (!context.state()) fail(ErrorKind::typeError, "GraphBuilder: the context refers to nothing.");
  context.state()->requireReachable("GraphBuilder");
  state_->context = context;
  state_->requireCanBuild("GraphBuilder");
  const ContextState& owner = *context.state();
  state_->budget_ = std::make_shared<Budget>("build", owner.limits, owner.memory, owner.lostFlag);
} catch (...) {
  throwAsError("GraphBuilder");
}
GraphBuilder::~GraphBuilder() = default;
GraphBuilder::GraphBuilder(GraphBuilder&&) noexcept = default;
GraphBuilder& GraphBuilder::operator=(GraphBuilder&&) noexcept = default;

BuilderState& GraphBuilder::state() const {
  if (!state_) fail(ErrorKind::invalidStateError, "the builder refers to nothing: it was moved from.");
  return *state_;
}

Operand GraphBuilder::input(std::string name, OperandDescriptor descriptor) try {
  state().requireCanBuild("input");
  if (name.empty()) fail(ErrorKind::typeError, "input: the name is empty.");
  if (state().inputNames.contains(name)) fail(ErrorKind::typeError, "input: the name {} is already taken.", webnn::quoted(name));
  OpenTransaction transaction(state(), OpenTransaction::IfNone::doNothing);
  if (isOpen(descriptor.shape))
    ops::requireDimensions({"input", name}, descriptor.shape);
  else
    checkDescriptor("input", descriptor);
  Operand operand = state().append(OperandKind::input, std::move(descriptor));
  state().records.back()->name = name;
  state().inputNames.insert(std::move(name));
  transaction.commit();
  return operand;
} catch (...) {
  throwAsError("input");
}

std::uint32_t GraphBuilder::openSize(std::string_view text) try {
  state().requireCanBuild("openSize");
  OpenTransaction transaction(state(), OpenTransaction::IfNone::make);
  const std::uint32_t size = state().openSizes->parse(text);
  transaction.commit();
  return size;
} catch (...) {
  throwAsError("openSize");
}

Operand GraphBuilder::openInput(std::string name, OpenDescriptor descriptor) try {
  state().requireCanBuild("openInput");
  OpenTransaction transaction(state(), OpenTransaction::IfNone::make);
  OperandDescriptor operand{descriptor.dataType, {}};
  for (const Dimension& dimension : descriptor.shape) operand.shape.push_back(state().openSizes->declare(dimension));
  Operand result = input(std::move(name), std::move(operand));
  transaction.commit();
  return result;
} catch (...) {
  throwAsError("openInput");
}

Operand GraphBuilder::constant(OperandDescriptor descriptor, std::span<const std::byte> bytes) try {
  state().requireCanBuild("constant");
  checkBytes(descriptor, bytes);
  const auto copy = std::make_shared<CopiedBytes>();
  copy->charge = MemoryCharge(state().context.state()->memory, bytes.size(), "constant: a copy");
  copy->bytes.assign(bytes.begin(), bytes.end());
  return constant(std::move(descriptor), ExternalBytes{copy->bytes, copy});
} catch (...) {
  throwAsError("constant");
}

Operand GraphBuilder::constant(OperandDescriptor descriptor, ExternalBytes data) try {
  state().requireCanBuild("constant");
  checkBytes(descriptor, data.bytes);
  Operand operand = state().append(OperandKind::constant, std::move(descriptor));
  state().records.back()->bytes = data.bytes;
  state().records.back()->keepAlive = std::move(data.keepAlive);
  return operand;
} catch (...) {
  throwAsError("constant");
}

Operand GraphBuilder::constant(DataType dataType, Number value) try {
  state().requireCanBuild("constant");
  auto bytes = std::make_shared<std::vector<std::byte>>(packScalar(dataType, value));
  return constant({dataType, {}}, ExternalBytes{*bytes, bytes});
} catch (...) {
  throwAsError("constant");
}

Operand GraphBuilder::constant(const Tensor& tensor) try {
  if (!tensor.state() || tensor.state()->context != state().context.state()) {
    fail(ErrorKind::typeError, "constant: the tensor is of another context.");
  }
  if (tensor.state()->isDestroyed()) fail(ErrorKind::typeError, "constant: the tensor is destroyed.");
  if (!tensor.constant()) fail(ErrorKind::typeError, "constant: the tensor is not a constant tensor.");
  state().requireCanBuild("constant");
  const std::shared_ptr<TensorStorage> storage = tensor.state()->storage();  // constant tensors are never written again
  return constant(tensor.descriptor(), ExternalBytes{storage->bytes(), storage});
} catch (...) {
  throwAsError("constant");
}

namespace {

bool hasOnlyConstants(const Operation& operation) {
  bool result = true;
  visitOperands(operation, [&](std::string_view, const Operand& operand) {
    result = result && operand.record().kind == OperandKind::constant;
  });
  return result;
}

}  // namespace

void BuilderState::applyDefaultLabel(Operation& operation) {
  if (defaultLabel_.empty()) return;
  std::visit(
      [&](auto& op) {
        if (!op.options.label.empty()) return;
        takeText(defaultLabel_);
        op.options.label = defaultLabel_;
      },
      operation);
}

std::vector<Operand> GraphBuilder::append(Operation operation) try {
  const std::string_view method = name(operation);
  state().requireCanBuild(method);
  visitOperands(operation, [&](std::string_view operandName, const Operand& operand) {
    if (!state().owns(operand)) {
      throw Error(ErrorKind::typeError,
                  ops::messagePrefix(method, label(operation)) +
                      formatText("{} is {}.", operandName, operand ? "an operand of another builder" : "no operand"));
    }
  });
  state().applyDefaultLabel(operation);
  OpenTransaction transaction(state(), OpenTransaction::IfNone::doNothing);
  const ops::Outputs outputs = validateInPlace(operation);
  if (state().fold_ && hasOnlyConstants(operation)) {
    if (auto folded = state().fold_(operation, outputs)) {
      std::vector<Operand> constants;
      for (std::size_t i = 0; i < outputs.size(); ++i) constants.push_back(constant(outputs[i], std::move((*folded)[i])));
      return constants;
    }
  }
  if (state().nodes.size() >= state().limits_.nodes) state().limits_.failBeyond("operations", state().limits_.nodes);
  state().budget_->addOperation();
  Node node{std::move(operation), {}};
  for (const OperandDescriptor& descriptor : outputs)
    node.outputs.push_back(state().append(OperandKind::intermediate, descriptor));
  std::vector<Operand> results = node.outputs;
  state().nodes.push_back(std::move(node));
  transaction.commit();
  return results;
} catch (...) {
  throwAsError("append");
}

Operand GraphBuilder::appendOne(Operation operation) { return append(std::move(operation))[0]; }

void GraphBuilder::setName(const Operand& operand, std::string name) {
  state().requireCanBuild("setName");
  if (!state().owns(operand)) fail(ErrorKind::typeError, "setName: the operand is of another builder.");
  if (operand.record().kind == OperandKind::input) fail(ErrorKind::typeError, "setName: the operand is an input.");
  state().takeText(name);
  state().records[operand.record().index]->name = std::move(name);
}

void GraphBuilder::setGraphName(std::string name) {
  state().requireCanBuild("setGraphName");
  state().graphName = std::move(name);
}

void BuilderState::requireFixedSizes() const {
  if (openSizes && !openSizes->named().empty())
    fail(ErrorKind::typeError, "build: the graph has open dimensions, so it is no single graph; build a session.");
}

std::shared_ptr<const GraphDefinition> BuilderState::takeDefinition(std::vector<NamedOperand> outputs) {
  requireCanBuild("build");
  if (outputs.empty()) fail(ErrorKind::typeError, "build: there are no outputs.");
  std::unordered_set<std::string_view> names;
  for (const auto& [name, operand] : outputs) {
    if (name.empty()) fail(ErrorKind::typeError, "build: the name of an output is empty.");
    if (!names.insert(name).second) fail(ErrorKind::typeError, "build: the output name {} is given twice.", webnn::quoted(name));
    if (!owns(operand)) fail(ErrorKind::typeError, "build: output {} is not an operand of this builder.", webnn::quoted(name));
    if (operand.record().kind != OperandKind::intermediate) {
      fail(ErrorKind::typeError, "build: output {} is {}; put an identity between.", webnn::quoted(name),
           operand.record().kind == OperandKind::input ? "an input" : "a constant");
    }
  }
  auto definition = std::make_shared<GraphDefinition>();
  extract(std::move(outputs), *definition);
  hasBuilt = true;
  return definition;
}

Graph GraphBuilder::build(std::vector<NamedOperand> outputs, const CallOptions& options) try {
  const auto called = Budget::Clock::now();
  state().requireFixedSizes();
  std::shared_ptr<const GraphDefinition> definition = state().takeDefinition(std::move(outputs));
  state().budget_->limitCall("build", options, called);
  return state().context.state()->compile(std::move(definition), *state().budget_);
} catch (...) {
  throwAsError("build");
}

std::future<Graph> GraphBuilder::buildAsync(std::vector<NamedOperand> outputs, const CallOptions& options) try {
  const auto promise = std::make_shared<std::promise<Graph>>();
  std::future<Graph> result = promise->get_future();
  const auto settle = [promise](std::exception_ptr error, Graph graph) {
    error ? promise->set_exception(std::move(error)) : promise->set_value(std::move(graph));
  };
  buildAsync(std::move(outputs), settle, options);
  return result;
} catch (...) {
  throwAsError("build");
}

void GraphBuilder::buildAsync(std::vector<NamedOperand> outputs, std::function<void(std::exception_ptr, Graph)> done,
                              const CallOptions& options) try {
  const auto called = Budget::Clock::now();
  if (!done) fail(ErrorKind::typeError, "build: there is nothing to call when it is done.");
  const Context context = state().context;  // a copy of the handle, because `done` may destroy the builder
  context.state()->requireReachable("build");
  state().requireFixedSizes();
  std::shared_ptr<const GraphDefinition> definition = state().takeDefinition(std::move(outputs));
  state().budget_->limitCall("build", {.stop = options.stop, .timeout = options.timeout}, called);
  context.state()->compileLater(std::move(definition), state().budget_, std::move(done));
} catch (...) {
  throwAsError("build");
}

}  // namespace webnn
