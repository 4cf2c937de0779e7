#include "cli/conformance_case.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/pack.h"
#include "base/text.h"
#include "cli/elements.h"
#include "describe/ops_model.h"
#include "formats/document/json_parse.h"

namespace webnn::cli {

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
std::optional<T> parseInteger(std::string_view text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Number parseText(const std::string& text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return kInfinity;
  if (text == "-Infinity") return -kInfinity;
  if (text == "-0") return -0.0;
  if (const auto value = parseInteger<std::int64_t>(text)) return *value;
  if (const auto value = parseInteger<std::uint64_t>(text)) return *value;
  fail(ErrorKind::dataError, "{} is not a number.", webnn::quoted(text));
}

Number parseNumber(const Json& json) {
  if (json.is_string()) return parseText(json.get<std::string>());
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  return json.get<double>();
}

std::vector<Number> parseValues(const Json& data, const OperandDescriptor& descriptor) {
  std::vector<Number> values;
  if (!data.is_array()) return {parseNumber(data)};
  for (const Json& item : data) values.push_back(parseNumber(item));
  const std::size_t count = elementCount(descriptor);
  if (values.size() != count) fail(ErrorKind::dataError, "there are {} values for {}.", values.size(), toString(descriptor));
  return values;
}

OperandDescriptor parseDescriptor(const Json& json) {
  const auto typeName = json.at("dataType").get<std::string>();
  const auto type = dataTypeFromName(typeName);
  if (!type) fail(ErrorKind::dataError, "there is no data type {}.", webnn::quoted(typeName));
  return {*type, json.at("shape").get<Shape>()};
}

Tolerance parseTolerance(const Json& json) {
  const auto metric = json.at("metric").get<std::string>();
  if (metric == "ULP") return {.metric = Metric::ulp, .units = json.at("value").get<std::uint64_t>()};
  if (metric == "ATOL") return {.metric = Metric::absolute, .distance = json.at("value").get<double>()};
  fail(ErrorKind::dataError, "there is no metric {}.", webnn::quoted(metric));
}

ConformanceCase parseCase(const Json& json) {
  ConformanceCase test;
  test.name = json.at("name").get<std::string>();
  test.tolerance = parseTolerance(json.at("tolerance"));
  test.castToSupportedType = json.value("castToSupportedType", false);
  const Json& graph = json.at("graph");
  for (const auto& [name, input] : graph.at("inputs").items()) {
    const OperandDescriptor descriptor = parseDescriptor(input);
    test.inputs.push_back({name, descriptor, input.value("constant", false), parseValues(input.at("data"), descriptor)});
  }
  for (const auto& [name, output] : graph.at("expectedOutputs").items()) {
    const OperandDescriptor descriptor = parseDescriptor(output);
    test.outputs.push_back({name, {descriptor, parseValues(output.at("data"), descriptor)}});
  }
  test.operators = graph.at("operators");
  return test;
}

std::vector<std::string> namesOf(const Json& json) {
  return json.is_array() ? json.get<std::vector<std::string>>() : std::vector<std::string>{json.get<std::string>()};
}

// Files an argument under the name of the method's next field.
void addArgument(formats::NodeDeclaration& node, const describe::Field& field, const Json& value) {
  if (field.kind == describe::FieldKind::operand || field.kind == describe::FieldKind::operands) {
    for (const std::string& name : namesOf(value)) node.inputs.push_back(name);
  } else {
    node.options[field.name] = formats::parseJson(value.dump());
  }
}

formats::NodeDeclaration nodeOf(const Json& json, std::size_t index) {
  formats::NodeDeclaration node;
  node.where = formatText("operators[{}]", index);
  node.id = formatText("operator_{}", index);
  node.op = json.at("name").get<std::string>();
  node.outputs = namesOf(json.at("outputs"));
  const auto operation = makeOperation(node.op);
  if (!operation) fail(ErrorKind::typeError, "there is no operation {}.", webnn::quoted(node.op));
  const describe::Method method = describe::methodOf(*operation);
  auto field = method.fields.begin();
  for (const Json& argument : json.at("arguments")) {
    if (argument.is_null()) continue;
    for (const auto& [key, value] : argument.items()) {
      if (key == "options") {
        for (const auto& [option, given] : value.items()) node.options[option] = formats::parseJson(given.dump());
        continue;
      }
      if (field == method.fields.end() || !field->argument) {
        fail(ErrorKind::dataError, "{} takes no argument {}.", node.op, webnn::quoted(key));
      }
      addArgument(node, *field++, value);
    }
  }
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

// Types that hold every value of a type, the closest first.
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

// The type itself if it is among `allowed`, else a wider one.
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

// Declares the inputs and constants again, in the types they now have, with a cast back where that is not their own.
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
  std::vector<ConformanceCase> tests;
  try {
    const Json json = Json::parse(text);
    for (const Json& test : json.at("cases")) {
      try {
        tests.push_back(parseCase(test));
      } catch (const std::exception& error) {
        fail(ErrorKind::dataError, "case {}: {}", webnn::quoted(test.value("name", "")), sanitized(error.what()));
      }
    }
  } catch (const nlohmann::json::exception& error) {
    fail(ErrorKind::dataError, "the file holds no conformance vectors: {}", sanitized(error.what()));
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
  for (const Json& json : test.operators) document.nodes.push_back(nodeOf(json, document.nodes.size()));
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
  } catch (const nlohmann::json::exception& error) {
    return formatText("the case is malformed: {}", error.what());
  }
}

}  // namespace webnn::cli
