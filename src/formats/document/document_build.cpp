#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "base/pack.h"
#include "base/progress.h"
#include "base/text.h"
#include "builder/builder_state.h"
#include "formats/document/budget.h"
#include "formats/document/dimensions.h"
#include "formats/document/document.h"
#include "formats/document/json_fields.h"
#include "formats/document/json_parse.h"
#include "formats/document/options.h"
#include "ops/checks.h"
#include "webnn/graph.h"

namespace webnn::formats {

namespace {

// Runs `call`; prefixes errors with the position in the file and keeps their kind.
template <typename Call>
auto at(const std::string& where, Call&& call) {
  try {
    return call();
  } catch (const Error& error) {
    throw Error(error.kind(), where.empty() ? std::string(error.what()) : where + ": " + error.what());
  }
}

std::vector<std::string> sortedNames(const auto& declarations) {
  std::vector<std::string> names;
  for (const auto& declaration : declarations) names.push_back(declaration.name);
  std::ranges::sort(names);
  return names;
}

// Returns the names that integer references index; see GraphDocument::numbering.
std::vector<std::string> numberingOf(const GraphDocument& document) {
  if (!document.numbering.empty()) return document.numbering;
  std::vector<std::string> names = sortedNames(document.inputs);
  for (std::string& name : sortedNames(document.constants)) names.push_back(std::move(name));
  for (const NodeDeclaration& node : document.nodes) names.insert(names.end(), node.outputs.begin(), node.outputs.end());
  return names;
}

// Calls visit(dimension) for each open dimension of the document.
void forEachDynamic(const GraphDocument& document, FunctionRef<void(const Dimension&)> visit) {
  for (const InputDeclaration& input : document.inputs) {
    for (const Dimension& dimension : input.shape) {
      if (!dimension.name.empty()) visit(dimension);
    }
  }
  for (const NodeDeclaration& node : document.nodes) forEachDynamic(node.options, visit);
}

DimensionLimits dynamicDimensions(const GraphDocument& document) {
  DimensionLimits limits;
  forEachDynamic(document, [&](const Dimension& dimension) { addDimension(limits, dimension.name, dimension.size); });
  return limits;
}

// Declares the open dimensions in `sizes`. Returns their handles by name.
std::map<std::string, std::uint32_t> declareDimensions(const GraphDocument& document, OpenSizes& sizes) {
  std::map<std::string, std::uint32_t> handles;
  forEachDynamic(document, [&](const Dimension& dimension) {
    if (expressionOf(dimension)) return;
    handles[dimension.name] =
        sizes.dimension(dimension.name, dimension.min, std::min<std::uint32_t>(dimension.size, kMaxDimension));
  });
  forEachDynamic(document, [&](const Dimension& dimension) {
    if (const auto expression = expressionOf(dimension)) handles[dimension.name] = sizes.parse(*expression);
  });
  return handles;
}

// Returns the bytes of a tensor filled with one value.
ExternalBytes filled(const OperandDescriptor& descriptor, const Number& value) {
  const double* real = std::get_if<double>(&value.value());
  if (real && *real != *real && !isFloat(descriptor.dataType)) {
    fail(ErrorKind::dataError, "the scalar is NaN, which {} cannot hold.", name(descriptor.dataType));
  }
  std::vector<std::byte> element = packScalar(descriptor.dataType, value);
  const bool isNibble = bitsPerElement(descriptor.dataType) == 4;
  if (isNibble) element[0] |= element[0] << 4;
  auto bytes = std::make_shared<std::vector<std::byte>>(byteLength(descriptor));
  inParts(bytes->size() / element.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) std::memcpy(bytes->data() + i * element.size(), element.data(), element.size());
  });
  if (isNibble && elementCount(descriptor) % 2 == 1) bytes->back() &= std::byte{0xF};
  return {*bytes, bytes};
}

class Loader {
 public:
  Loader(Context& context, const GraphDocument& document, const WeightsReader* weights,
         const std::map<std::string, std::uint32_t>& dimensions)
      : builder_(context), weights_(weights), dimensions_(dimensions), numbering_(numberingOf(document)) {
    if (!document.nodeLimit) return;
    builder_.state().setLimits({.nodes = *document.nodeLimit, .operands = kOperandsPerNode * *document.nodeLimit});
  }

  void add(const InputDeclaration& input);
  void add(const ConstantDeclaration& constant);
  void add(const NodeDeclaration& node);
  // Sets the budget that the following calls are charged to.
  void setBudget(std::shared_ptr<Budget> budget) { builder_.state().setBudget(std::move(budget)); }
  Graph build(const GraphDocument& document) { return builder_.build(outputsOf(document)); }
  // Builds the graph and keeps its open dimensions open. The constructor's `dimensions` must map their names to their handles in
  // openSizes().
  std::shared_ptr<const OpenGraph> buildOpen(const GraphDocument& document) {
    return takeOpenGraph(builder_, outputsOf(document));
  }
  OpenSizes& openSizes() { return builder_.state().ensureOpenSizes(); }

  // Returns an operand by its name, or by its index if `reference` is an integer.
  Operand operandOf(std::string_view what, const Json& reference) const;

 private:
  // Adds the inputs, constants and operations of the document to the builder, and returns its outputs.
  std::vector<NamedOperand> outputsOf(const GraphDocument& document);
  void define(const std::string& name, const Operand& operand);
  ExternalBytes bytesOf(const ConstantDeclaration& constant);

  GraphBuilder builder_;
  const WeightsReader* weights_;
  const std::map<std::string, std::uint32_t>& dimensions_;
  const std::vector<std::string> numbering_;
  std::unordered_map<std::string, Operand> operands_;
  std::size_t filledBytes_ = 0;
};

// Fills an operation's fields in the order of the method's signature.
struct Filler {
  const Loader& loader;
  const NodeDeclaration& node;
  Json options;               // normalized; options that were read are removed
  std::size_t nextInput = 0;  // index of the next positional operand

  Operand positional(std::string_view name) {
    if (nextInput >= node.inputs.size()) fail(ErrorKind::dataError, "the operand {} is missing.", name);
    return loader.operandOf(name, node.inputs[nextInput++]);
  }
  std::optional<Json> take(std::string_view name) {
    Json* const found = options.find(name);
    if (!found) return std::nullopt;
    Json value = std::move(*found);
    options.erase(name);
    return value;
  }
  // Some tools pass option operands as further positional operands, and mark present ones with "hasScale" and "hasBias".
  bool isPositional(std::string_view name) const {
    std::string flag = "has" + std::string(name);
    flag[3] = static_cast<char>(flag[3] - 'a' + 'A');
    const Json* const found = node.options.find(flag);
    return nextInput < node.inputs.size() && (!found || *found != false);
  }

  void argument(std::string_view name, Operand& field) { field = positional(name); }
  void argument(std::string_view name, std::vector<Operand>& field) {
    while (nextInput < node.inputs.size()) field.push_back(positional(name));
  }
  void argument(std::string_view name, auto& field) {
    const auto value = take(name);
    if (!value) fail(ErrorKind::dataError, "the argument {} is missing.", name);
    readField(name, *value, field);
  }
  void option(std::string_view name, std::optional<Operand>& field) {
    if (const auto value = take(name)) {
      field = loader.operandOf(name, *value);
    } else if (isPositional(name)) {
      field = positional(name);
    }
  }
  void option(std::string_view name, auto& field) {
    if (const auto value = take(name)) readField(name, *value, field);
  }

  void requireAllUsed() const {
    if (nextInput < node.inputs.size()) {
      fail(ErrorKind::dataError, "there are more operands ({}) than it takes ({}).", node.inputs.size(), nextInput);
    }
    if (!options.empty()) fail(ErrorKind::dataError, "the option {} is unknown.", webnn::quoted(options.members()[0].first));
  }
};

void Loader::define(const std::string& name, const Operand& operand) {
  if (name.empty()) fail(ErrorKind::dataError, "the name of an operand is empty.");
  if (!operands_.emplace(name, operand).second) fail(ErrorKind::dataError, "the name {} is defined twice.", webnn::quoted(name));
}

Operand Loader::operandOf(std::string_view what, const Json& reference) const {
  if (!reference.isText() && !reference.isUnsigned()) {
    fail(ErrorKind::dataError, "{} ({}) is neither the name nor the number of an operand.", what, excerpt(reference));
  }
  std::string name;
  if (reference.isText()) {
    name = reference.asText();
  } else {
    const std::uint64_t number = reference.asUnsigned();
    if (number >= numbering_.size()) {
      fail(ErrorKind::dataError, "{} ({}) is not the number of an operand; there are {}.", what, number, numbering_.size());
    }
    name = numbering_[static_cast<std::size_t>(number)];
  }
  const auto found = operands_.find(name);
  if (found == operands_.end())
    fail(ErrorKind::dataError, "{} refers to {}, which is not defined before.", what, webnn::quoted(name));
  return found->second;
}

void Loader::add(const InputDeclaration& input) {
  OperandDescriptor descriptor{input.dataType, {}};
  for (const Dimension& dimension : input.shape) {
    descriptor.shape.push_back(dimension.name.empty() ? dimension.size : dimensions_.at(dimension.name));
  }
  define(input.name, builder_.input(input.name, std::move(descriptor)));
}

ExternalBytes Loader::bytesOf(const ConstantDeclaration& constant) {
  const std::size_t length = byteLength(constant.descriptor);
  if (const auto* reference = std::get_if<WeightsReference>(&constant.source)) {
    if (!weights_) fail(ErrorKind::notFoundError, "there is no weights file for the key {}.", webnn::quoted(reference->key));
    return weights_->find(reference->key, constant.descriptor);
  }
  if (const auto* fill = std::get_if<ScalarFill>(&constant.source)) {
    if (length > kMaxFilledBytes - filledBytes_) {
      fail(ErrorKind::dataError, "the constants that are filled with a scalar take more than {} bytes.", kMaxFilledBytes);
    }
    filledBytes_ += length;
    return filled(constant.descriptor, fill->value);
  }
  return std::get<ExternalBytes>(constant.source);
}

void Loader::add(const ConstantDeclaration& constant) {
  at("constant " + webnn::quoted(constant.name), [&] {
    const Operand operand = builder_.constant(constant.descriptor, bytesOf(constant));
    define(constant.name, operand);
    builder_.setName(operand, constant.name);
  });
}

void Loader::add(const NodeDeclaration& node) {
  auto operation = makeOperation(node.op);
  if (!operation) fail(ErrorKind::dataError, "the operation {} is unknown.", webnn::quoted(node.op));
  const Json* const label = node.options.find("label");
  const std::string prefix = ops::messagePrefix(node.op, label && label->isText() ? label->asText() : std::string());
  const auto about = prefix.substr(0, prefix.size() - 2);  // drops ": " at the end, because at() adds it
  at(about, [&] {
    Filler filler{*this, node, normalizedOptions(node.op, node.options, dimensions_)};
    visitFields(*operation, filler);
    if (const auto text = filler.take("label")) {
      if (!text->isText()) fail(ErrorKind::dataError, "label ({}) is not a text.", excerpt(*text));
      std::visit([&](auto& op) { op.options.label = text->asText(); }, *operation);
    }
    filler.requireAllUsed();
  });
  const std::vector<Operand> results = builder_.append(std::move(*operation));
  at(about, [&] {
    if (!node.outputs.empty() && node.outputs.size() != results.size()) {
      fail(ErrorKind::dataError, "there are {} names for {} results.", node.outputs.size(), results.size());
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      define(node.outputs[i], results[i]);
      builder_.setName(results[i], node.outputs[i]);
    }
  });
}

std::vector<NamedOperand> Loader::outputsOf(const GraphDocument& document) {
  for (const auto& input : document.inputs) at(input.where, [&] { add(input); });
  for (const auto& constant : document.constants) at(constant.where, [&] { add(constant); });
  const std::size_t count = document.nodes.size();
  for (std::size_t i = 0; i < count; ++i) {
    BudgetScope::current().report("load", i, count);
    at(document.nodes[i].where, [&] { add(document.nodes[i]); });
  }
  BudgetScope::current().report("load", count, count);
  std::vector<NamedOperand> outputs;
  for (const auto& output : document.outputs) {
    at(output.where, [&] { outputs.emplace_back(output.name, operandOf("output " + webnn::quoted(output.name), output.value)); });
  }
  builder_.setGraphName(document.name);
  return outputs;
}

}  // namespace

Graph buildGraph(Context& context, const GraphDocument& document, const WeightsReader* weights,
                 const std::map<std::string, std::uint32_t>& dimensions, std::shared_ptr<Budget> budget) {
  if (kHasOpenSizes && needsOpenGraph(document)) {
    return fixGraph(context, *openGraphOf(context, document, weights, budget), dimensions, budget).whole();
  }
  checkDimensions(dynamicDimensions(document), dimensions);
  Loader loader(context, document, weights, dimensions);
  if (budget) loader.setBudget(std::move(budget));
  return loader.build(document);
}

bool needsOpenGraph(const GraphDocument& document) {
  if constexpr (!kHasOpenSizes) return false;
  bool needs = false;
  forEachDynamic(document, [&](const Dimension& dimension) { needs = needs || dimension.min != 1 || expressionOf(dimension); });
  return needs;
}

std::map<std::string, std::string> dimensionKeys(const GraphDocument& document) {
  OpenSizes sizes;
  std::map<std::string, std::string> keys;
  for (const auto& [name, size] : declareDimensions(document, sizes))
    keys[name] = (size & kOpenBit) != 0 ? sizes.key(size) : std::to_string(size);
  return keys;
}

std::shared_ptr<const OpenGraph> openGraphOf(Context& context, const GraphDocument& document, const WeightsReader* weights,
                                             std::shared_ptr<Budget> budget) {
  std::map<std::string, std::uint32_t> handles;
  Loader loader(context, document, weights, handles);
  if (budget) loader.setBudget(std::move(budget));
  handles = declareDimensions(document, loader.openSizes());
  return loader.buildOpen(document);
}

}  // namespace webnn::formats
