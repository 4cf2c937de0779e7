#include "cli/conformance/conformance_case.h"

#include <algorithm>
#include <map>
#include <memory>

#include "base/pack.h"
#include "base/text.h"
#include "cli/elements.h"
#include "describe/ops_model.h"
#include "formats/document/json_fields.h"
#include "formats/document/json_parse.h"

namespace webnn::cli {

namespace {

using formats::JsonAt;

// Parses an element of a conformance vector. Large integers, and numbers that JSON lacks, are strings. Returns nullopt for other
// values.
std::optional<Number> elementOf(const formats::Json& json) {
  if (json.isText() && json.asText() == "-0") return -0.0;
  return formats::numberOf(json);
}

std::vector<Number> readValues(const JsonAt& data, const OperandDescriptor& descriptor) {
  std::vector<Number> values;
  const auto add = [&](const formats::Json& json) {
    const std::optional<Number> value = elementOf(json);
    if (value) values.push_back(*value);
    return value.has_value();
  };
  if (!data.json().isArray()) {
    if (!add(data.json())) data.fail(formats::excerpt(data.json()) + " is not a number.");
    return values;
  }
  for (const formats::Json& item : data.json().items()) {
    if (!add(item)) data.item(values.size()).fail(formats::excerpt(item) + " is not a number.");
  }
  const std::size_t count = elementCount(descriptor);
  if (values.size() != count) data.fail(formatText("there are {} values for {}.", values.size(), toString(descriptor)));
  return values;
}

OperandDescriptor readOperand(const JsonAt& json) {
  return formats::readDescriptor(json.member("dataType"), json.member("shape"));
}

Tolerance readTolerance(const JsonAt& json) {
  const JsonAt metric = json.member("metric"), value = json.member("value");
  if (metric.text() == "ULP") return {.metric = Metric::ulp, .units = value.integer64()};
  if (metric.text() != "ATOL") metric.fail("there is no metric " + webnn::quoted(metric.text()) + ".");
  Tolerance tolerance{.metric = Metric::absolute};
  formats::readField(value.path(), value.json(), tolerance.distance);
  return tolerance;
}

bool readFlag(const JsonAt& json, std::string_view key) {
  bool flag = false;
  if (const auto value = json.find(key)) formats::readField(value->path(), value->json(), flag);
  return flag;
}

ConformanceCase readCase(const JsonAt& json) {
  ConformanceCase test;
  test.name = json.member("name").text();
  test.tolerance = readTolerance(json.member("tolerance"));
  test.castToSupportedType = readFlag(json, "castToSupportedType");
  const JsonAt graph = json.member("graph");
  graph.member("inputs").forEachMember([&](const std::string& name, const JsonAt& input) {
    const OperandDescriptor descriptor = readOperand(input);
    test.inputs.push_back({name, descriptor, readFlag(input, "constant"), readValues(input.member("data"), descriptor)});
  });
  graph.member("expectedOutputs").forEachMember([&](const std::string& name, const JsonAt& output) {
    const OperandDescriptor descriptor = readOperand(output);
    test.outputs.push_back({name, {descriptor, readValues(output.member("data"), descriptor)}});
  });
  test.operators = graph.member("operators").json();
  return test;
}

// Returns the prefix of error messages: the case's name, if it has one.
std::string caseLabel(const JsonAt& json) {
  const formats::Json* const name = json.json().find("name");
  return name && name->isText() ? formatText("case {}: ", webnn::quoted(name->asText())) : std::string();
}

std::vector<std::string> namesOf(const JsonAt& json) {
  if (!json.json().isArray()) return {json.text()};
  std::vector<std::string> names;
  json.forEachItem([&](const JsonAt& name) { names.push_back(name.text()); });
  return names;
}

// Assigns a call's arguments to the operation's fields. Positional arguments fill the fields in order.
class Arguments {
 public:
  explicit Arguments(formats::NodeDeclaration& node, const Operation& operation)
      : node_(node), method_(describe::methodOf(operation)), next_(method_.fields.begin()) {}

  void add(const std::string& key, const JsonAt& value) {
    if (key == "options") return addOptions(value);
    if (next_ == method_.fields.end() || !next_->argument)
      fail(ErrorKind::dataError, "{} takes no argument {}.", node_.op, webnn::quoted(key));
    const describe::Field& field = *next_++;
    if (field.kind == describe::FieldKind::operand || field.kind == describe::FieldKind::operands) {
      for (const std::string& name : namesOf(value)) node_.inputs.push_back(name);
    } else {
      node_.options[field.name] = value.json();
    }
  }

 private:
  void addOptions(const JsonAt& options) {
    if (options.json().isNull()) return;
    options.forEachMember([&](const std::string& key, const JsonAt& value) { node_.options[key] = value.json(); });
  }

  formats::NodeDeclaration& node_;
  const describe::Method method_;
  std::vector<describe::Field>::const_iterator next_;
};

formats::NodeDeclaration nodeOf(const JsonAt& json, std::size_t index) {
  formats::NodeDeclaration node;
  node.where = json.path();
  node.id = formatText("operator_{}", index);
  node.op = json.member("name").text();
  node.outputs = namesOf(json.member("outputs"));
  const auto operation = makeOperation(node.op);
  if (!operation) fail(ErrorKind::typeError, "there is no operation {}.", webnn::quoted(node.op));
  Arguments arguments(node, *operation);
  json.member("arguments").forEachItem([&](const JsonAt& argument) {
    if (argument.json().isNull()) return;
    argument.forEachMember([&](const std::string& key, const JsonAt& value) { arguments.add(key, value); });
  });
  return node;
}

formats::InputDeclaration inputDeclaration(const std::string& name, const OperandDescriptor& descriptor) {
  formats::InputDeclaration input;
  input.name = name;
  input.dataType = descriptor.dataType;
  for (std::uint32_t size : descriptor.shape) input.shape.push_back({size, {}});
  return input;
}

std::vector<std::byte> packInput(const CaseInput& input) {
  std::vector<Number> values = input.values;
  for (Number& value : values) value = asWritten(input.descriptor.dataType, value);
  return packElements(input.descriptor, values);
}

formats::ConstantDeclaration constantDeclaration(const CaseInput& input) {
  auto bytes = std::make_shared<const std::vector<std::byte>>(packInput(input));
  formats::ConstantDeclaration constant;
  constant.name = input.name;
  constant.descriptor = input.descriptor;
  constant.source = ExternalBytes{*bytes, bytes};
  return constant;
}

// Returns wider types that represent each value of `type` exactly, the closest first.
std::span<const DataType> widerTypes(DataType type) {
  static const std::map<DataType, std::vector<DataType>> wider{
      {DataType::float16, {DataType::float32}},
      {DataType::int4, {DataType::int8, DataType::int32, DataType::int64}},
      {DataType::uint4, {DataType::uint8, DataType::uint32, DataType::int32, DataType::uint64, DataType::int64}},
      {DataType::int8, {DataType::int32, DataType::int64}},
      {DataType::uint8, {DataType::uint32, DataType::int32, DataType::uint64, DataType::int64}},
      {DataType::int32, {DataType::int64}},
      {DataType::uint32, {DataType::uint64, DataType::int64}},
  };
  const auto found = wider.find(type);
  return found == wider.end() ? std::span<const DataType>() : std::span<const DataType>(found->second);
}

bool supports(const std::vector<DataType>& types, DataType type) { return std::ranges::find(types, type) != types.end(); }

// Returns `type` if it is in `allowed`, else a wider type in `allowed` if the case permits that, else throws NotSupportedError.
DataType supportedType(DataType type, const std::vector<DataType>& allowed, std::string_view what, const ConformanceCase& test,
                       const OpSupportLimits& limits) {
  if (supports(allowed, type)) return type;
  const auto cast = limits.operations.find("cast");
  if (test.castToSupportedType && cast != limits.operations.end()) {
    for (DataType candidate : widerTypes(type)) {
      if (supports(allowed, candidate) && supports(cast->second.at("input").dataTypes, candidate)) return candidate;
    }
  }
  fail(ErrorKind::notSupportedError, "the backend does not support {} of data type {}.", what, name(type));
}

formats::NodeDeclaration castNode(const std::string& from, const std::string& to, DataType type) {
  formats::NodeDeclaration node;
  node.id = "cast_" + to;
  node.op = "cast";
  node.inputs = {from};
  node.options["dataType"] = name(type);
  node.outputs = {to};
  return node;
}

// Declares inputs and constants with types that the context supports. If a type was widened, a cast converts the value back.
void adaptInputs(ConformanceCase& test, formats::GraphDocument& document, const OpSupportLimits& limits) {
  document.inputs.clear();
  document.constants.clear();
  std::vector<formats::NodeDeclaration> casts;
  for (CaseInput& input : test.inputs) {
    const DataType own = input.descriptor.dataType;
    const auto& limit = input.constant ? limits.constant : limits.input;
    input.descriptor.dataType = supportedType(own, limit.dataTypes, input.constant ? "constants" : "inputs", test, limits);
    if (input.descriptor.dataType != own) {
      const std::string original = input.name;
      input.name += " (wide)";
      casts.push_back(castNode(input.name, original, own));
    }
    if (input.constant) {
      document.constants.push_back(constantDeclaration(input));
    } else {
      document.inputs.push_back(inputDeclaration(input.name, input.descriptor));
    }
  }
  document.nodes.insert(document.nodes.begin(), casts.begin(), casts.end());
}

void adaptOutputs(ConformanceCase& test, formats::GraphDocument& document, const OpSupportLimits& limits) {
  document.outputs.clear();
  for (CaseOutput& output : test.outputs) {
    const DataType own = output.expected.descriptor.dataType;
    const DataType type = supportedType(own, limits.output.dataTypes, "outputs", test, limits);
    const std::string value = type == own ? output.name : output.name + " (wide)";
    if (type != own) document.nodes.push_back(castNode(output.name, value, type));
    output.expected.descriptor.dataType = type;
    document.outputs.push_back({output.name, value});
  }
}

void requireDescriptors(const Graph& graph, const ConformanceCase& test) {
  for (const auto& [outputName, descriptor] : graph.outputs()) {
    for (const CaseOutput& output : test.outputs) {
      if (output.name != outputName || output.expected.descriptor == descriptor) continue;
      fail(ErrorKind::dataError, "output {} is {}, not {}.", webnn::quoted(outputName), toString(descriptor),
           toString(output.expected.descriptor));
    }
  }
}

std::vector<NamedTensor> bindInputs(Context& context, const Graph& graph, const ConformanceCase& test) {
  std::vector<NamedTensor> tensors;
  for (const auto& [inputName, descriptor] : graph.inputs()) {
    const auto input = std::ranges::find(test.inputs, inputName, &CaseInput::name);
    tensors.emplace_back(inputName,
                         context.createTensor({.dataType = descriptor.dataType, .shape = descriptor.shape, .writable = true}));
    context.writeTensor(tensors.back().second, packInput(*input));
  }
  return tensors;
}

std::optional<std::string> runGraph(Context& context, const Graph& graph, const ConformanceCase& test) {
  std::vector<NamedTensor> outputs;
  for (const auto& [outputName, descriptor] : graph.outputs()) {
    outputs.emplace_back(outputName,
                         context.createTensor({.dataType = descriptor.dataType, .shape = descriptor.shape, .readable = true}));
  }
  context.dispatch(graph, bindInputs(context, graph, test), outputs);
  for (const auto& [outputName, tensor] : outputs) {
    const auto output = std::ranges::find(test.outputs, outputName, &CaseOutput::name);
    const auto mismatch = compare(output->expected, context.readTensor(tensor).get(), test.tolerance);
    if (!mismatch) continue;
    return formatText("{}[{}] is {}, expected {} ({})", outputName, mismatch->index, mismatch->actual, mismatch->expected,
                      mismatch->distance);
  }
  return std::nullopt;
}

}  // namespace

std::vector<ConformanceCase> readCases(std::string_view text) {
  formats::Json json;
  std::size_t count = 0;
  try {
    json = formats::parseJson(text);
    count = JsonAt(json, {}).member("cases").listSize();
  } catch (const Error& error) {
    fail(ErrorKind::dataError, "the file holds no conformance vectors: {}", error.what());
  }
  std::vector<ConformanceCase> tests;
  for (std::size_t i = 0; i < count; ++i) {
    const JsonAt test = JsonAt(json, {}).member("cases").item(i);
    try {
      tests.push_back(readCase(test));
    } catch (const Error& error) {
      fail(ErrorKind::dataError, "{}{}", caseLabel(test), sanitized(error.what()));
    }
  }
  return tests;
}

formats::GraphDocument documentOf(const ConformanceCase& test) {
  formats::GraphDocument document;
  document.name = test.name;
  for (const CaseInput& input : test.inputs) {
    if (input.constant) {
      document.constants.push_back(constantDeclaration(input));
    } else {
      document.inputs.push_back(inputDeclaration(input.name, input.descriptor));
    }
  }
  JsonAt(test.operators, "operators").forEachItem([&](const JsonAt& json) {
    document.nodes.push_back(nodeOf(json, document.nodes.size()));
  });
  for (const CaseOutput& output : test.outputs) document.outputs.push_back({output.name, output.name});
  return document;
}

void adaptToLimits(ConformanceCase& test, formats::GraphDocument& document, const OpSupportLimits& limits) {
  adaptInputs(test, document, limits);
  adaptOutputs(test, document, limits);
}

std::optional<std::string> runCase(Context& context, const OpSupportLimits& limits, ConformanceCase test) {
  try {
    formats::GraphDocument document = documentOf(test);
    adaptToLimits(test, document, limits);
    const Graph graph = formats::buildGraph(context, document, nullptr, {});
    requireDescriptors(graph, test);
    return runGraph(context, graph, test);
  } catch (const Error& error) {
    return formatText("{}: {}", name(error.kind()), error.what());
  }
}

}  // namespace webnn::cli
