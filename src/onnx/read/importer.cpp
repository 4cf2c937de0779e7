#include "onnx/read/importer.h"

#include <algorithm>

#include "base/checked.h"
#include "base/text.h"
#include "builder/builder_state.h"
#include "onnx/read/compose.h"
#include "onnx/read/external_files.h"
#include "onnx/read/order.h"
#include "onnx/read/unsupported_operators.h"
#include "webnn/graph.h"

namespace webnn::formats::onnx {

namespace {

constexpr std::string_view kNoSequences = "WebNN has tensors only, no sequences, maps, optional values or sparse tensors";

// Approximate numbers of bytes that the import charges, besides the bytes of names. kBytesToKeep: for keeping a value;
// kBytesToFind: for looking one up.
constexpr std::uint64_t kBytesToKeep = 192, kBytesToFind = 32;

void addInitializers(const Graph& graph, Scope& scope) {
  for (const TensorProto& tensor : graph.initializers) {
    if (!scope.initializers.emplace(tensor.name, &tensor).second)
      fail(ErrorKind::dataError, "the initializer {} is given twice.", webnn::quoted(tensor.name));
  }
}

[[noreturn]] void failRedefined(std::string_view name) {
  fail(ErrorKind::dataError, "the value {} is defined twice.", webnn::quoted(name));
}

void requireTensor(const ImportedValue& value) {
  if (value.sequence) throw Unsupported{std::string(kNoSequences), {}};
}

void take(std::uint64_t& left, std::uint64_t count, std::string_view what) {
  if (count > left) throw Error(ErrorKind::notSupportedError, std::string(what));
  left -= count;
}

// Returns the value that stands for an absent input.
const ImportedValue* absent() {
  static const ImportedValue kAbsent;
  return &kAbsent;
}

// Returns the first `most` names as a list, followed by the number of the other names, for error messages.
std::string listOf(std::span<const std::string> names, std::uint64_t most) {
  std::string list;
  for (const std::string& name : names.first(static_cast<std::size_t>(std::min<std::uint64_t>(names.size(), most))))
    list += (list.empty() ? "" : ", ") + webnn::quoted(name);
  return names.size() > most ? list + formatText(" and {} more", names.size() - most) : list;
}

// Returns the text of a builder's error without the label, which is the node's name: matmul "name": ... becomes matmul: ...
std::string withoutLabel(std::string text, std::string_view label) {
  const std::string shown = " " + webnn::quoted(label);
  const std::size_t at = text.find(' ');
  if (at != std::string::npos && text.compare(at, shown.size() + 1, shown + ":") == 0) text.erase(at, shown.size());
  return text;
}

// Makes the label the default for all operations built during this object's lifetime.
class SetLabel {
 public:
  SetLabel(BuilderState& state, std::string_view label) : state_(state), before_(state.setDefaultLabel(std::string(label))) {}
  ~SetLabel() { state_.setDefaultLabel(std::move(before_)); }
  SetLabel(const SetLabel&) = delete;

 private:
  BuilderState& state_;
  std::string before_;
};

std::vector<std::int64_t> dimsOf(const Shape& shape) { return {shape.begin(), shape.end()}; }

// Returns the tensor of a Constant node whose only attribute is a tensor of numbers, otherwise null. A third of the nodes of some
// models are such nodes, which the importer defines without a NodeContext.
const TensorProto* constantTensor(const NodeProto& node) {
  if (node.opType != "Constant" || !node.domain.empty() || node.attributes.size() != 1) return nullptr;
  if (!node.inputs.empty() || node.outputs.size() != 1 || node.outputs[0].empty()) return nullptr;
  const Attribute& value = node.attributes[0];
  const bool isTensor = value.name == "value" && value.type == AttributeType::tensor && value.reference.empty() && value.t;
  return isTensor && value.t->type != ElementType::string ? &*value.t : nullptr;
}

}  // namespace

webnn::Graph importModel(Context& context, ExternalBytes file, const std::filesystem::path& folder, const LoadOptions& options,
                         std::shared_ptr<Budget> budget) {
  const FileAccess access = options.mapFiles ? FileAccess::map : FileAccess::read;
  return importModel(context, std::move(file), externalFilesIn(folder, access, options.namedFilesOnly), options,
                     std::move(budget));
}

webnn::Graph importModel(Context& context, ExternalBytes file, std::shared_ptr<ExternalFiles> external,
                         const LoadOptions& options, std::shared_ptr<Budget> budget) {
  Model model = readModel(std::move(file));
  orderNodes(model);
  model.external = std::move(external);
  return importModel(context, model, options, std::move(budget), wholeRepertoire());
}

webnn::Graph importModel(Context& context, const Model& model, const LoadOptions& options, std::shared_ptr<Budget> budget,
                         const Repertoire& repertoire) {
  return Importer(context, model, options, std::move(budget), repertoire).run();
}

Importer::Importer(Context& context, const Model& model, const LoadOptions& options, std::shared_ptr<Budget> budget,
                   const Repertoire& repertoire)
    : model_(model),
      options_(options),
      repertoire_(repertoire),
      builder_(context),
      limits_(limitsFor(model.file.bytes.size())),
      folder_(limits_, repertoire.compute) {
  if (budget) builder_.state().setBudget(std::move(budget));
  builder_.state().setLimits({limits_.nodes, limits_.operands, limits_.textBytes});
  builder_.state().setFold(
      [this](const Operation& operation, const ops::Outputs& outputs) { return folder_(operation, outputs); });
}

webnn::Graph Importer::run() {
  main_.operatorSets = &model_.operatorSets;
  if (model_.graph.hasSparseInitializers) {
    fail(ErrorKind::notSupportedError, "the model has sparse initializers, and WebNN has no sparse tensors.");
  }
  addInitializers(model_.graph, main_);
  declareInputs();
  const std::vector<NodeProto>& nodes = model_.graph.nodes;
  main_.values.reserve(nodes.size() + main_.initializers.size());  // most nodes have one result
  builder_.state().nodes.reserve(nodes.size());                    // most nodes become one operation
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    BudgetScope::current().report("load", i, nodes.size());
    importNode(nodes[i]);
  }
  BudgetScope::current().report("load", nodes.size(), nodes.size());
  const std::vector<NamedOperand> results = outputs();
  if (unsupportedCount_ > 0) failUnsupported();
  builder_.setGraphName(std::string(model_.graph.name));
  return withIndexBounds(builder_.build(results), indexReads_, [](std::string_view) { return false; });
}

// Only indices of the main graph are checked: a graph may compute the subgraph of a branch that the model does not take. Indices
// in subgraphs and functions are clamped.
void Importer::readIndices(const NodeProto& node, const Operand& indices, Shape sizes) {
  if (depth_ > 0) return;
  IndexRead read{&node, indices, std::move(sizes)};
  if (indices.record().kind != OperandKind::constant) {
    indexReads_.push_back(std::move(read));
  } else if (const std::size_t count = elementCount(indices.descriptor()); count <= limits_.reads) {
    limits_.reads -= count;
    requireConstantInRange(read);
  }
}

void Importer::declareInputs() {
  for (const ValueInfo& input : model_.graph.inputs) {
    if (!main_.initializers.contains(input.name)) declareInput(input);
  }
  checkDimensions();
  for (const auto& [name, bytes] : options_.values) {
    if (!main_.values.contains(name))
      fail(ErrorKind::typeError, "the model has no input {} whose value could be given.", webnn::quoted(name));
  }
}

void Importer::declareInput(const ValueInfo& input) {
  const std::string name(input.name);
  const std::string subject = "input " + webnn::quoted(name);
  const auto dataType = dataTypeOf(input.type);
  // read the shape even if the type is unsupported: shapeOf() records dimensions without a size, and an error lists all of them
  const Shape shape = input.shape ? shapeOf(input) : Shape{};
  ImportedValue value{input.type, {}, {}};
  if (input.kind != ValueInfo::Kind::tensor) {
    addUnsupported(subject, {std::string(kNoSequences), {}});
  } else if (!dataType) {
    addUnsupported(subject, {"WebNN has no type " + std::string(webnn::onnx::name(input.type)), {}});
  } else if (!input.shape) {
    addUnsupported(subject, {"its rank is not known, and WebNN's shapes are static", {}});
  } else if (std::ranges::count(shape, 0u) > 0) {
    value = emptyValue(input.type, dimsOf(shape));
  } else if (unsized_.empty()) {
    const OperandDescriptor descriptor{*dataType, shape};
    const auto given = options_.values.find(name);
    value.dims = dimsOf(shape);
    value.operand =
        given == options_.values.end() ? builder_.input(name, descriptor) : builder_.constant(descriptor, given->second);
  }
  define(input.name, std::move(value));
}

// Returns an input's shape. Takes the sizes of open dimensions from the options, and records dimensions without a size.
Shape Importer::shapeOf(const ValueInfo& input) {
  Shape shape;
  for (std::size_t axis = 0; axis < input.shape->size(); ++axis) {
    const Dimension& dimension = (*input.shape)[axis];
    if (!dimension.value) walk(kBytesToKeep + input.name.size() + dimension.parameter.size());
    const DeclaredDimension declared = declarationOf(input.name, axis, dimension);
    const std::string& name = declared.name;
    if (name.empty()) {
      shape.push_back(declared.size);
      continue;
    }
    auto given = options_.dimensions.find(keyOfPlace(input.name, axis));
    if (given != options_.dimensions.end())
      dimensions_.emplace(given->first, true);
    else
      given = options_.dimensions.find(name);
    const bool isGiven = given != options_.dimensions.end();
    if (dimensions_.emplace(name, isGiven).second && !isGiven) unsized_.push_back(name);
    shape.push_back(isGiven ? given->second : 1);
  }
  return shape;
}

void Importer::checkDimensions() const {
  std::vector<std::string> names;
  for (const auto& [name, isGiven] : dimensions_) names.push_back(name);
  const std::string all = names.empty() ? "The model has no dynamic dimensions."
                                        : "The model's dynamic dimensions are " + listOf(names, limits_.unsupportedNodes) + ".";
  for (const auto& [name, size] : options_.dimensions) {
    if (!dimensions_.contains(name))
      fail(ErrorKind::typeError, "the dimension {} is not in the model. {}", webnn::quoted(name), all);
    if (size == 0) fail(ErrorKind::typeError, "the size of the dimension {} is 0.", webnn::quoted(name));
  }
  if (!unsized_.empty())
    fail(ErrorKind::typeError, "the dimension {} has no size: none is given in \"dimensions\". {}",
         webnn::quoted(unsized_.front()), all);
}

std::int64_t Importer::versionOf(std::string_view domain) const { return versionOfDomain(*scope_->operatorSets, domain); }

const ImportedValue* Importer::find(std::string_view name) {
  for (Scope* scope = scope_; scope; scope = scope->outer) {
    walk(name.size() + kBytesToFind);
    if (!scope->absent.empty() && scope->absent.contains(name)) return absent();
    if (const auto found = scope->values.find(name); found != scope->values.end()) return &found->second;
    const auto tensor = scope->initializers.find(name);
    if (tensor == scope->initializers.end()) continue;
    return &scope->values.emplace(name, valueOf(*tensor->second)).first->second;
  }
  return nullptr;
}

void Importer::define(std::string_view name, ImportedValue value) {
  walk(name.size() + kBytesToKeep);
  if (value.operand && value.operand.record().kind != OperandKind::input && value.operand.record().name.empty()) {
    builder_.setName(value.operand, std::string(name));
  }
  if (!value.operand && value.name.empty()) value.name = name;
  if (!scope_->values.emplace(name, std::move(value)).second) failRedefined(name);
}

void Importer::defineUnknown(const NodeProto& node) {
  for (std::string_view output : node.outputs) {
    if (!output.empty()) define(output, {});
  }
}

std::string Importer::subjectOf(const NodeProto& node) const {
  return formatText("node {} ({}{}{}, opset {})", webnn::quoted(node.name), sanitized(node.domain),
                    node.domain.empty() ? "" : ".", sanitized(node.opType), versionOf(node.domain));
}

void Importer::importNodes(const std::vector<NodeProto>& nodes) {
  for (const NodeProto& node : nodes) importNode(node);
}

void Importer::spendNodes(std::size_t count) {
  take(limits_.nodes, count, "the model has too many nodes once its loops and functions are unrolled.");
}

void Importer::walk(std::uint64_t bytes) const {
  take(limits_.walkBytes, bytes,
       "the model has too many or too long names and attributes once its loops and functions are unrolled.");
}

// Charges walkBytes for all attributes of a node, because handlers copy some of them. In a function, an attribute may refer to an
// attribute of the call, which is then charged, too.
void Importer::walkAttributes(const NodeProto& node) const {
  for (const Attribute& attribute : node.attributes) {
    walk(kBytesToFind + bytesIn(attribute) + attribute.reference.size());
    if (attribute.reference.empty() || !scope_->attributes) continue;
    const auto given = scope_->attributes->find(attribute.reference);
    if (given != scope_->attributes->end()) walk(bytesIn(*given->second));
  }
}

void Importer::importNode(const NodeProto& node) {
  struct RestoreSets {
    Scope& scope;
    const OperatorSets* around;
    ~RestoreSets() { scope.operatorSets = around; }
  } restore{*scope_, scope_->operatorSets};
  if (node.operatorSets) scope_->operatorSets = node.operatorSets;
  spendNodes(1 + (node.inputs.size() + node.outputs.size()) / 16);
  walk(node.name.size() + node.opType.size() + node.domain.size() + node.overload.size());
  walkAttributes(node);
  for (std::string_view output : node.outputs) {
    if (!output.empty() && scope_->initializers.contains(output)) failRedefined(output);
  }
  if (const TensorProto* tensor = constantTensor(node); tensor && tensor->dims.size() <= limits_.rank) {
    std::optional<ImportedValue> value;
    try {
      value = valueOf(*tensor);
    } catch (const Error&) {  // the handler throws the error again, and runHandler() adds the node's name
    }
    if (value && repertoire_.find(node.domain, node.opType, versionOf(node.domain)))
      return define(node.outputs[0], *std::move(value));
  }
  std::vector<const ImportedValue*> inputs;
  inputs.reserve(node.inputs.size());
  // known: no input comes from an unsupported node. isForeign: some inputs are unknown, each only because WebNN lacks its type.
  bool known = true, isForeign = false;
  for (std::string_view name : node.inputs) {
    const ImportedValue* value = name.empty() ? absent() : find(name);
    if (value == absent()) {
      inputs.push_back(nullptr);
      continue;
    }
    if (!value) {
      fail(ErrorKind::dataError, "node {} ({}): its input {} is not defined before.", webnn::quoted(node.name),
           sanitized(node.opType), webnn::quoted(name));
    }
    if (isUnknown(*value)) {
      const bool hasType = value->type != ElementType::undefined;
      isForeign = known ? hasType : isForeign && hasType;
      known = false;
    }
    inputs.push_back(value);
  }
  const OperatorImport* row = repertoire_.find(node.domain, node.opType, versionOf(node.domain));
  const Function* function = row ? nullptr : model_.functions.find(node);
  if (!row && !function) {
    addUnsupported(subjectOf(node), {std::string(whyUnsupported(node.domain, node.opType)), {}});
  }
  if (isForeign && (row || function)) {
    const auto foreign = std::ranges::find_if(inputs, [](const ImportedValue* input) { return input && isUnknown(*input); });
    addUnsupported(subjectOf(node), {"WebNN has no type " + std::string(webnn::onnx::name((*foreign)->type)), {}});
  }
  if (!known || (!row && !function)) return defineUnknown(node);
  if (function) return callFunction(node, *function, inputs);
  runHandler(node, *row, std::move(inputs));
}

void Importer::runHandler(const NodeProto& node, const OperatorImport& row, std::vector<const ImportedValue*> inputs) {
  const std::vector<const ImportedValue*> given = computeEmpty_ ? inputs : std::vector<const ImportedValue*>();
  NodeContext context(*this, node, versionOf(node.domain), row, std::move(inputs));
  const SetLabel label(builder_.state(), node.name);
  const auto refuse = [&](Unsupported unsupported) {
    std::optional<std::vector<ImportedValue>> results = computeEmpty_ ? (this->*computeEmpty_)(node, row, given) : std::nullopt;
    if (!results) {
      addUnsupported(subjectOf(node), std::move(unsupported));
      return defineUnknown(node);
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (context.wants(i)) define(node.outputs[i], std::move((*results)[i]));
    }
  };
  try {
    row.handler(context);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (context.wants(i) && !(i < context.outputs_.size() && context.outputs_[i])) {
        context.unsupported("WebNN cannot compute its output {} ({})", i, webnn::quoted(node.outputs[i]));
      }
    }
  } catch (Unsupported& unsupported) {
    return refuse(std::move(unsupported));
  } catch (const Unknown&) {
    return defineUnknown(node);
  } catch (const Error& error) {
    std::string text = withoutLabel(error.what(), node.name);
    if (error.kind() != ErrorKind::typeError) throw Error(error.kind(), subjectOf(node) + ": " + text);
    if (text.ends_with('.')) text.pop_back();  // a reason is part of a sentence
    return refuse({std::move(text), {}});
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (context.wants(i)) define(node.outputs[i], std::move(*context.outputs_[i]));
  }
}

std::vector<ImportedValue> Importer::importIn(Scope& scope, const std::vector<NodeProto>& nodes,
                                              const std::vector<std::string_view>& outputs) {
  if (++depth_ > limits_.depth) fail(ErrorKind::dataError, "functions or subgraphs nest deeper than {}.", limits_.depth);
  Scope* const around = std::exchange(scope_, &scope);
  struct Restore {
    Importer& importer;
    Scope* around;
    ~Restore() {
      importer.scope_ = around;
      --importer.depth_;
    }
  } restore{*this, around};
  importNodes(nodes);
  std::vector<ImportedValue> results;
  for (std::string_view name : outputs) {
    const ImportedValue* value = find(name);
    if (!value || value == absent())
      fail(ErrorKind::dataError, "the output {} of a subgraph or function is not defined.", webnn::quoted(name));
    walk(kBytesToKeep);
    results.push_back(*value);
  }
  return results;
}

std::vector<ImportedValue> Importer::importSubgraph(const Graph& graph, std::vector<ImportedValue> inputs) {
  if (inputs.size() != graph.inputs.size()) {
    fail(ErrorKind::dataError, "the subgraph {} has {} inputs, not {}.", webnn::quoted(graph.name), graph.inputs.size(),
         inputs.size());
  }
  spendNodes(1 + (graph.initializers.size() + graph.inputs.size() + graph.outputs.size()) / 16);
  Scope scope;
  scope.outer = scope_;
  scope.operatorSets = scope_->operatorSets;
  scope.attributes = scope_->attributes;
  for (const TensorProto& tensor : graph.initializers) walk(tensor.name.size() + kBytesToKeep);
  addInitializers(graph, scope);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    walk(graph.inputs[i].name.size() + kBytesToKeep);
    scope.values.emplace(graph.inputs[i].name, std::move(inputs[i]));
  }
  std::vector<std::string_view> outputs;
  for (const ValueInfo& output : graph.outputs) outputs.push_back(output.name);
  std::vector<ImportedValue> results = importIn(scope, graph.nodes, outputs);
  if (std::ranges::any_of(results, isUnknown)) throw Unknown{};
  return results;
}

CallAttributes Importer::attributesOf(const NodeProto& call, const Function& function) const {
  CallAttributes attributes;
  for (const Attribute& attribute : function.defaultAttributes) {
    walk(attribute.name.size() + kBytesToKeep);
    attributes[attribute.name] = &attribute;
  }
  for (const Attribute& attribute : call.attributes) {
    const Attribute* given = &attribute;
    if (!attribute.reference.empty()) {
      const auto found = scope_->attributes ? scope_->attributes->find(attribute.reference) : CallAttributes::const_iterator{};
      if (!scope_->attributes || found == scope_->attributes->end()) continue;
      given = found->second;
    }
    walk(attribute.name.size() + kBytesToKeep);
    attributes[attribute.name] = given;
  }
  return attributes;
}

void Importer::callFunction(const NodeProto& node, const Function& function, const std::vector<const ImportedValue*>& inputs) {
  if (inputs.size() > function.inputs.size() || node.outputs.size() > function.outputs.size()) {
    fail(ErrorKind::dataError, "node {}: the function {} has {} inputs and {} outputs.", webnn::quoted(node.name),
         webnn::quoted(function.name), function.inputs.size(), function.outputs.size());
  }
  if (depth_ >= limits_.depth) {
    fail(ErrorKind::dataError, "functions or subgraphs nest deeper than {}: node {} calls the function {}.", limits_.depth,
         webnn::quoted(node.name), webnn::quoted(function.name));
  }
  const CallAttributes attributes = attributesOf(node, function);
  Scope scope;
  scope.operatorSets = &function.operatorSets;
  scope.attributes = &attributes;
  for (std::size_t i = 0; i < function.inputs.size(); ++i) {
    walk(function.inputs[i].size() + kBytesToKeep);
    if (i < inputs.size() && inputs[i]) {
      scope.values.emplace(function.inputs[i], *inputs[i]);
    } else {
      scope.absent.insert(function.inputs[i]);
    }
  }
  std::vector<ImportedValue> results =
      importIn(scope, function.nodes,
               {function.outputs.begin(), function.outputs.begin() + static_cast<std::ptrdiff_t>(node.outputs.size())});
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!node.outputs[i].empty()) define(node.outputs[i], std::move(results[i]));
  }
}

void Importer::spend(std::uint64_t elements) {
  // This Error aborts the import. After Unsupported, the import would continue, and the next node would exceed the limit again.
  take(limits_.elements, elements,
       formatText("constants of {} elements would have to stand for what WebNN lacks, too many for the file's size.", elements));
}

void Importer::read(std::uint64_t elements) {
  take(limits_.reads, elements, "the model's shapes depend on too many elements of constants for the file's size.");
}

ImportedValue Importer::call(const NodeProto& node, std::vector<const ImportedValue*> inputs) {
  const OperatorImport* row = repertoire_.find(node.domain, node.opType, versionOf(node.domain));
  if (!row) throw Unsupported{"WebNN has no operation that does " + sanitized(node.opType), {}};
  NodeContext context(*this, node, versionOf(node.domain), *row, std::move(inputs));
  row->handler(context);
  if (context.outputs_.empty() || !context.outputs_[0]) throw Unsupported{"WebNN cannot compute " + sanitized(node.opType), {}};
  return std::move(*context.outputs_[0]);
}

ImportedValue Importer::valueOf(const TensorProto& tensor) const {
  if (tensor.type == ElementType::string) return {tensor.type, tensor.dims, {}};
  auto at = decoded_.find(&tensor);
  if (at == decoded_.end())
    at = decoded_.emplace(&tensor, formats::onnx::bytesOf(tensor, model_.file, model_.external.get())).first;
  return {tensor.type, tensor.dims, {}, at->second, {}, tensor.name};
}

Operand Importer::operandOf(const ImportedValue& value) {
  requireTensor(value);
  const auto dataType = dataTypeOf(value.type);
  if (!dataType) throw Unsupported{"WebNN has no type " + std::string(webnn::onnx::name(value.type)), {}};
  if (value.operand) return value.operand;
  if (value.isEmpty()) throw Unsupported{"WebNN has no empty tensors", {}};
  Shape shape;
  for (std::int64_t size : value.dims) {
    if (static_cast<std::uint64_t>(size) > kMaxDimension)
      throw Unsupported{formatText("a dimension ({}) is larger than WebNN's", size), {}};
    shape.push_back(static_cast<std::uint32_t>(size));
  }
  value.operand = builder_.constant({*dataType, std::move(shape)}, *value.bytes);
  if (!value.name.empty()) builder_.setName(value.operand, std::string(value.name));
  return value.operand;
}

std::optional<ExternalBytes> Importer::bytesOf(const ImportedValue& value) const {
  requireTensor(value);
  if (value.bytes) return value.bytes;
  if (!value.operand || value.operand.record().kind != OperandKind::constant || !dataTypeOf(value.type)) return std::nullopt;
  return ExternalBytes{value.operand.record().bytes, value.operand.record().keepAlive};
}

void Importer::failUnknown(const ImportedValue& value, std::string_view what) const {
  throw Unsupported{formatText("the value of {} must be known when the graph is built, as WebNN's shapes are static", what),
                    inputsBehind(value.operand), nameOfValue(value.operand)};
}

// In a part, returns the name of the main graph's value that has this operand; "" if there is none.
std::string_view Importer::nameOfValue(const Operand& operand) const {
  if (!isPart() || !operand) return {};
  for (const auto& [name, value] : main_.values) {
    if (value.operand && value.operand.record().index == operand.record().index) return name;
  }
  return {};
}

// Returns the names of the graph inputs that an operand is computed from.
std::vector<std::string> Importer::inputsBehind(const Operand& operand) const {
  if (unsupportedCount_ >= limits_.unsupportedNodes) return {};  // limits the time, because each call visits all nodes
  const BuilderState& state = builder_.state();
  std::vector<bool> needed(state.records.size());
  needed[operand.record().index] = true;
  for (std::size_t i = state.nodes.size(); i-- > 0;) {
    const auto isNeeded = [&](const Operand& output) { return needed[output.record().index]; };
    if (std::ranges::none_of(state.nodes[i].outputs, isNeeded)) continue;
    visitOperands(state.nodes[i].operation, [&](std::string_view, const Operand& input) { needed[input.record().index] = true; });
  }
  std::vector<std::string> names;
  for (const auto& record : state.records) {
    if (!needed[record->index] || record->kind != OperandKind::input) continue;
    walk(record->name.size() + kBytesToKeep);
    names.push_back(record->name);
  }
  return names;
}

std::vector<NamedOperand> Importer::outputs() {
  if (model_.graph.outputs.empty()) fail(ErrorKind::dataError, "the model has no outputs.");
  std::vector<NamedOperand> results;
  std::unordered_set<std::string_view> names;
  for (const ValueInfo& output : model_.graph.outputs) {
    if (!names.insert(output.name).second) continue;  // output listed twice
    if (const Operand operand = outputOf(output)) results.emplace_back(std::string(output.name), operand);
  }
  return results;
}

Operand Importer::outputOf(const ValueInfo& output) {
  const ImportedValue* value = find(output.name);
  if (!value || value == absent()) fail(ErrorKind::dataError, "the output {} is not defined.", webnn::quoted(output.name));
  if (isUnknown(*value)) return {};
  try {
    Operand operand = operandOf(*value);
    if (operand.record().kind == OperandKind::intermediate) return operand;
    BuilderState::Fold fold = builder_.state().setFold(nullptr);  // disable folding: an output must not be a constant
    operand = builder_.identity(operand);
    builder_.state().setFold(std::move(fold));
    return operand;
  } catch (Unsupported& unsupported) {
    addUnsupported("output " + webnn::quoted(output.name), std::move(unsupported));
    return {};
  }
}

void Importer::addUnsupported(std::string subject, Unsupported unsupported) {
  ++unsupportedCount_;
  if (unsupported_.size() < limits_.unsupportedNodes)
    unsupported_.push_back(
        {std::move(subject), std::move(unsupported.reason), std::move(unsupported.inputs), unsupported.needed});
}

void Importer::failUnsupported() const {
  std::string message = "WebNN cannot express:";
  std::vector<std::string> inputs;
  std::unordered_set<std::string_view> known;
  bool valuesSuffice = unsupportedCount_ == unsupported_.size();
  for (const UnsupportedNode& unsupported : unsupported_) {
    message += "\n  " + unsupported.subject + ": " + unsupported.reason + ".";
    valuesSuffice = valuesSuffice && !unsupported.inputs.empty();
    for (const std::string& input : unsupported.inputs) {
      if (known.insert(input).second) inputs.push_back(input);
    }
  }
  if (unsupportedCount_ > unsupported_.size()) message += formatText("\n  and {} more.", unsupportedCount_ - unsupported_.size());
  if (!valuesSuffice) throw Error(ErrorKind::notSupportedError, message);
  message += "\n  The graph can be built if these inputs become constants: " + listOf(inputs, limits_.unsupportedNodes) + ".";
  throw ValuesNeeded(message, std::move(inputs));
}

}  // namespace webnn::formats::onnx
