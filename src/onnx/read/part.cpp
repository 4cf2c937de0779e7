#include "onnx/read/part.h"

#include <algorithm>
#include <array>

#include "builder/builder_state.h"
#include "onnx/read/compose.h"
#include "onnx/read/importer.h"

namespace webnn::formats::onnx {

namespace {

// Adds the values that a node reads to `names`. `inner` has the names that the subgraphs around the node define.
void addValuesReadBy(const NodeProto& node, const std::set<std::string_view>& inner, std::set<std::string_view>& names) {
  for (const std::string_view input : node.inputs) {
    if (!input.empty() && !inner.contains(input)) names.insert(input);
  }
  for (const Attribute& attribute : node.attributes) {
    if (!attribute.g) continue;
    std::set<std::string_view> own = inner;
    for (const ValueInfo& input : attribute.g->inputs) own.insert(input.name);
    for (const TensorProto& tensor : attribute.g->initializers) own.insert(tensor.name);
    for (const NodeProto& nested : attribute.g->nodes) {
      addValuesReadBy(nested, own, names);
      own.insert(nested.outputs.begin(), nested.outputs.end());
    }
    for (const ValueInfo& output : attribute.g->outputs) {
      if (!own.contains(output.name)) names.insert(output.name);
    }
  }
}

std::string nameOf(const ValuePath& path) {
  std::string name(path.name);
  for (const std::size_t position : path.positions) name += formatText("[{}]", position);
  return name;
}

}  // namespace

std::set<std::string_view> valuesReadBy(const NodeProto& node) {
  std::set<std::string_view> names;
  addValuesReadBy(node, {}, names);
  return names;
}

ImportedPart importPart(Context& context, const Model& model, const PartRequest& request, const LoadOptions& options,
                        std::shared_ptr<Budget> budget, const Repertoire& repertoire) {
  return Importer(context, model, options, std::move(budget), repertoire).runPart(request);
}

std::optional<std::unordered_map<std::string_view, ValueForm>> formsOf(Context& context, const Model& model,
                                                                       const PartRequest& request, const LoadOptions& options,
                                                                       std::shared_ptr<Budget> budget,
                                                                       const Repertoire& repertoire) {
  return Importer(context, model, options, std::move(budget), repertoire).forms(request);
}

// Declares a value that the caller knows: as a constant of the graph if `isConstant` is set, otherwise as an input. Returns an
// unknown value if the value cannot be declared: an input whose type WebNN lacks or of which a dimension is too large, or a
// constant without bytes (strings). If WebNN lacks the type, the unknown value keeps it, so that errors can name it.
ImportedValue Importer::declareKnown(const ImportedValue& value, ValuePath path, bool isConstant) {
  if (value.sequence) {
    Sequence elements;
    for (std::size_t i = 0; i < value.sequence->size(); ++i) {
      ValuePath element = path;
      element.positions.push_back(i);
      elements.push_back(std::make_shared<const ImportedValue>(declareKnown(*(*value.sequence)[i], element, isConstant)));
      if (isUnknown(*elements.back())) return {elements.back()->type, {}, {}};
    }
    return {{}, {}, {}, {}, std::make_shared<Sequence>(std::move(elements))};
  }
  if (value.isEmpty()) return emptyValue(value.type, value.dims);
  const auto dataType = dataTypeOf(value.type);
  const auto isTooLarge = [](std::int64_t size) { return static_cast<std::uint64_t>(size) > kMaxDimension; };
  if (!dataType && (!isConstant || !value.bytes)) return {value.type, value.dims, {}};
  if (isConstant) {
    const auto copy = std::make_shared<const std::vector<std::byte>>(value.bytes->bytes.begin(), value.bytes->bytes.end());
    return {value.type, value.dims, {}, ExternalBytes{*copy, copy}, {}, path.name};
  }
  if (std::ranges::any_of(value.dims, isTooLarge)) return {};
  ImportedValue input{value.type, value.dims, builder_.input(nameOf(path), {*dataType, {value.dims.begin(), value.dims.end()}})};
  known_.emplace(input.operand.record().index, std::move(path));
  return input;
}

// Returns how the caller can get a value that the part has computed. Appends the value to `outputs` if the graph must compute it
// and no output is the same operand.
PartResult Importer::resultOf(const ImportedValue& value, std::string_view name, std::vector<NamedOperand>& outputs) {
  PartResult result{.type = value.type, .dims = value.dims};
  if (value.sequence) {
    result.kind = PartResult::Kind::sequence;
    for (std::size_t i = 0; i < value.sequence->size(); ++i)
      result.parts.push_back(resultOf(*(*value.sequence)[i], formatText("{}[{}]", name, i), outputs));
    return result;
  }
  if (const auto bytes = value.isEmpty() ? ExternalBytes{} : bytesOf(value)) {
    result.constant = {value.type, value.dims, {}, *bytes};
    return result;
  }
  if (dataTypeOf(value.type) != value.operand.dataType()) result.held = webnn::onnx::elementTypeOf(value.operand.dataType());
  const OperandRecord& record = value.operand.record();
  if (record.kind == OperandKind::constant) {  // computed from constants whose type WebNN lacks, so held in another type
    result.constant = {result.held, value.dims, {}, ExternalBytes{record.bytes, record.keepAlive}};
    return result;
  }
  if (const auto known = known_.find(record.index); known != known_.end()) {
    result.kind = PartResult::Kind::known;
    result.known = known->second;
    return result;
  }
  result.kind = PartResult::Kind::output;
  const auto same =
      std::ranges::find_if(outputs, [&](const NamedOperand& output) { return output.second.record().index == record.index; });
  result.output = static_cast<std::size_t>(same - outputs.begin());
  if (same == outputs.end()) outputs.emplace_back(std::string(name), value.operand);
  return result;
}

// Returns the results of a node that has an empty input, if the results are empty too. (WebNN's operations take no empty
// tensors.) To find their shapes, imports the node three times, with 1, 2 and 3 in place of each size 0. If a result dimension is
// linear in that size, its value for 0 is 2 * (value for 1) - (value for 2). Returns nullopt if a result dimension is not linear,
// a result has elements, or the node cannot be imported.
std::optional<std::vector<ImportedValue>> Importer::emptyResults(const NodeProto& node, const OperatorImport& row,
                                                                 const std::vector<const ImportedValue*>& inputs) {
  constexpr std::uint64_t kMostElements = std::uint64_t{1} << 20;
  const auto isEmpty = [](const ImportedValue* input) { return input && !input->sequence && input->isEmpty(); };
  if (std::ranges::none_of(inputs, isEmpty)) return std::nullopt;
  std::array<std::vector<ImportedValue>, 3> results;
  for (std::size_t size = 1; size <= 3; ++size) {
    std::vector<ImportedValue> full(inputs.size());
    std::vector<const ImportedValue*> given = inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!isEmpty(inputs[i])) continue;
      const auto dataType = dataTypeOf(inputs[i]->type);
      std::vector<std::int64_t> dims = inputs[i]->dims;
      std::ranges::replace(dims, std::int64_t{0}, static_cast<std::int64_t>(size));
      const auto count = countOf(dims);
      if (!dataType || !count || static_cast<std::uint64_t>(*count) > kMostElements) return std::nullopt;
      const OperandDescriptor descriptor{*dataType, {dims.begin(), dims.end()}};
      full[i] = {inputs[i]->type, std::move(dims), builder_.constant(descriptor, std::vector<std::byte>(byteLength(descriptor)))};
      given[i] = &full[i];
    }
    NodeContext context(*this, node, versionOf(node.domain), row, std::move(given));
    try {
      row.handler(context);
    } catch (const Unsupported&) {
      return std::nullopt;
    } catch (const Unknown&) {
      return std::nullopt;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::typeError && error.kind() != ErrorKind::dataError) throw;
      return std::nullopt;
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (context.wants(i) && !(i < context.outputs_.size() && context.outputs_[i])) return std::nullopt;
      results[size - 1].push_back(context.wants(i) ? std::move(*context.outputs_[i]) : ImportedValue{});
    }
  }
  std::vector<ImportedValue> empty;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const auto &one = results[0][i].dims, &two = results[1][i].dims, &three = results[2][i].dims;
    if (node.outputs[i].empty()) {
      empty.emplace_back();
      continue;
    }
    if (one.size() != two.size() || two.size() != three.size()) return std::nullopt;
    std::vector<std::int64_t> dims;
    for (std::size_t d = 0; d < one.size(); ++d) {
      dims.push_back(2 * one[d] - two[d]);
      if (three[d] - two[d] != two[d] - one[d]) return std::nullopt;
    }
    if (std::ranges::count(dims, 0) == 0 || std::ranges::any_of(dims, [](std::int64_t size) { return size < 0; }))
      return std::nullopt;
    empty.push_back(emptyValue(results[0][i].type, std::move(dims)));
  }
  return empty;
}

// Declares the known values and imports the nodes. Sets only `rest` and `blocked` of the returned part.
ImportedPart Importer::importKnown(const PartRequest& request) {
  computeEmpty_ = &Importer::emptyResults;
  main_.operatorSets = &model_.operatorSets;
  for (const Graph* graph : request.graphs) {
    for (const TensorProto& tensor : graph->initializers) main_.initializers.emplace(tensor.name, &tensor);
  }
  for (const TensorProto* tensor : request.initializers) main_.initializers.emplace(tensor->name, tensor);
  for (const auto& [name, value] : request.known) {
    if (value->isNone) {
      main_.absent.insert(name);
      continue;
    }
    main_.values.insert_or_assign(name, declareKnown(*value, {name, {}}, request.byValue.contains(name)));
  }
  ImportedPart part;
  std::vector<bool> isBlocked(request.nodes.size());
  for (std::size_t i = 0; i < request.nodes.size(); ++i) {
    const NodeProto& node = *request.nodes[i];
    BudgetScope::current().report("load", i, request.nodes.size());
    if (request.held.contains(&node)) {
      defineUnknown(node);
      part.rest.push_back(&node);
      part.blocked.push_back({&node, {}, {}, {}, {}});
      continue;
    }
    const std::size_t before = unsupported_.size(), countBefore = unsupportedCount_;
    importNode(node);
    const auto isMissing = [&](std::string_view output) { return !output.empty() && isUnknown(main_.values.at(output)); };
    if (std::ranges::none_of(node.outputs, isMissing)) continue;
    part.rest.push_back(&node);
    if (unsupportedCount_ == countBefore) continue;
    UnsupportedNode why = unsupported_.size() > before ? std::move(unsupported_[before]) : UnsupportedNode{};
    part.blocked.push_back({&node, std::move(why.subject), std::move(why.reason), why.needed, std::move(why.inputs)});
  }
  return part;
}

std::optional<std::unordered_map<std::string_view, ValueForm>> Importer::forms(const PartRequest& request) {
  constexpr std::size_t kMostBytes = 64;
  if (!importKnown(request).rest.empty()) return std::nullopt;
  std::unordered_map<std::string_view, ValueForm> forms;
  for (const NodeProto* node : request.nodes) {
    for (const std::string_view name : node->outputs) {
      if (name.empty()) continue;
      const ImportedValue& value = main_.values.at(name);
      if (value.sequence) return std::nullopt;
      const std::optional<ExternalBytes> bytes = bytesOf(value);
      ValueForm& form = forms[name] = {std::string(webnn::onnx::name(value.type)), bytes.has_value()};
      for (const std::int64_t size : value.dims) form.text += formatText(",{}", size);
      if (!bytes) continue;
      const std::string_view text(reinterpret_cast<const char*>(bytes->bytes.data()), bytes->bytes.size());
      if (text.size() <= kMostBytes)
        form.text.append(":").append(text);
      else
        form.text += std::to_string(std::hash<std::string_view>()(text));
    }
  }
  return forms;
}

ImportedPart Importer::runPart(const PartRequest& request) {
  ImportedPart part = importKnown(request);
  std::set<std::string_view> wanted = request.required;
  for (const NodeProto* node : part.rest) wanted.merge(valuesReadBy(*node));
  std::vector<NamedOperand> outputs;
  for (const NodeProto* node : request.nodes) {
    for (const std::string_view name : node->outputs) {
      if (name.empty() || !wanted.contains(name) || isUnknown(main_.values.at(name))) continue;
      part.results.emplace_back(name, resultOf(main_.values.at(name), name, outputs));
    }
  }
  if (outputs.empty()) return part;
  builder_.setGraphName(std::string(model_.graph.name));
  part.graph = withIndexBounds(builder_.build(outputs), indexReads_, [&](std::string_view name) {
    return std::ranges::find(model_.graph.inputs, name, &ValueInfo::name) == model_.graph.inputs.end();
  });
  for (const NamedDescriptor& input : part.graph->inputs()) {
    const auto found = std::ranges::find_if(known_, [&](const auto& known) { return nameOf(known.second) == input.first; });
    part.inputs.push_back(found->second);
  }
  return part;
}

}  // namespace webnn::formats::onnx
