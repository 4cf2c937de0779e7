#include <algorithm>
#include <set>

#include "base/checked.h"
#include "base/text.h"
#include "onnx/read/external_files.h"
#include "onnx/read/import.h"
#include "onnx/read/model.h"

namespace webnn::formats::onnx {

namespace {

using Locations = std::set<std::string_view>;

void addLocations(const Graph& graph, Locations& locations);

void addLocations(const std::vector<NodeProto>& nodes, Locations& locations) {
  for (const NodeProto& node : nodes) {
    for (const Attribute& attribute : node.attributes) {
      if (attribute.t) {
        if (const auto location = locationOf(*attribute.t)) locations.insert(*location);
      }
      if (attribute.g) addLocations(*attribute.g, locations);
    }
  }
}

void addLocations(const Graph& graph, Locations& locations) {
  for (const TensorProto& tensor : graph.initializers) {
    if (const auto location = locationOf(tensor)) locations.insert(*location);
  }
  addLocations(graph.nodes, locations);
}

std::vector<DeclaredDimension> declarationsOf(const ValueInfo& value) {
  std::vector<DeclaredDimension> declared;
  for (std::size_t axis = 0; axis < value.shape->size(); ++axis)
    declared.push_back(declarationOf(value.name, axis, (*value.shape)[axis]));
  return declared;
}

// Returns ONNX's name of a type that is no tensor, such as "map(string,tensor(float))". Returns "" for tensors, and for types
// whose elements are unknown.
std::string onnxTypeOf(const ValueInfo& value) {
  const bool isKnown = value.element != ElementType::undefined;
  if (!isKnown || value.kind == ValueInfo::Kind::tensor || value.kind == ValueInfo::Kind::none) return {};
  const auto textOf = [](ElementType type) {
    return type == ElementType::float32   ? std::string_view("float")
           : type == ElementType::float64 ? std::string_view("double")
                                          : webnn::onnx::name(type);
  };
  std::string text = formatText("tensor({})", textOf(value.element));
  if (value.key != ElementType::undefined) text = formatText("map({},{})", textOf(value.key), text);
  if (value.holdsSequence) text = formatText("seq({})", text);
  return value.isOptional() ? formatText("optional({})", text) : text;
}

DeclaredInput inputOf(const ValueInfo& input) {
  const bool isTensor = input.kind == ValueInfo::Kind::tensor, isMap = input.kind == ValueInfo::Kind::map;
  const bool hasKeys = input.key != ElementType::undefined;
  if (hasKeys && !isMap) fail(ErrorKind::notSupportedError, "the input {} is a sequence of maps.", webnn::quoted(input.name));
  if (isMap && input.key != ElementType::int64 && input.key != ElementType::string) {
    fail(ErrorKind::notSupportedError, "the input {} is a map with keys of {}, which must be int64 or string.",
         webnn::quoted(input.name), webnn::onnx::name(input.key));
  }
  const ElementType type = isTensor ? input.type : input.element;
  const auto dataType = dataTypeOf(type);
  if (type != ElementType::string && bitsPerElement(type) == 0)
    fail(ErrorKind::notSupportedError, "the input {} has no known element type.", webnn::quoted(input.name));
  if (type == ElementType::complex64 || type == ElementType::complex128) {
    fail(ErrorKind::notSupportedError, "the input {} is of {}, a type that is not supported.", webnn::quoted(input.name),
         webnn::onnx::name(type));
  }
  const std::vector<DeclaredDimension> anyShape{{0, std::string(kAnyShape)}};
  return {std::string(input.name),
          dataType.value_or(DataType::uint8),
          isTensor && input.shape ? declarationsOf(input) : anyShape,
          type == ElementType::boolean,
          dataType ? ElementType::undefined : type,
          isMap ? input.key : ElementType::undefined,
          onnxTypeOf(input)};
}

ModelMetadata metadataOf(const Model& model) {
  ModelMetadata metadata;
  metadata.graphName = model.graph.name;
  metadata.graphDescription = model.graph.docString;
  metadata.producerName = model.producerName;
  metadata.producerVersion = model.producerVersion;
  metadata.domain = model.domain;
  metadata.description = model.docString;
  metadata.version = model.modelVersion;
  metadata.properties.insert(model.properties.begin(), model.properties.end());
  return metadata;
}

// Accepts outputs whose declared type or shape is missing or wrong, because many models have such outputs and can be loaded
// nevertheless.
DeclaredOutput outputOf(const ValueInfo& output) {
  DeclaredOutput declared{std::string(output.name),
                          dataTypeOf(output.type),
                          {},
                          output.type == ElementType::boolean,
                          dataTypeOf(output.type) ? ElementType::undefined : output.type,
                          onnxTypeOf(output)};
  if (!output.shape) return declared;
  declared.shape.emplace();
  for (const Dimension& dimension : *output.shape) {
    const bool isKnown = dimension.value && static_cast<std::uint64_t>(*dimension.value) <= kMaxDimension;
    declared.shape->push_back({isKnown ? static_cast<std::uint32_t>(*dimension.value) : 0, std::string(dimension.parameter)});
  }
  return declared;
}

}  // namespace

std::string keyOfPlace(std::string_view input, std::size_t axis) {
  return std::string(1, '\0') + formatText("{}.{}", input, axis);
}

DeclaredDimension declarationOf(std::string_view input, std::size_t axis, const Dimension& dimension) {
  if (!dimension.value) {
    return {0, dimension.parameter.empty() ? formatText("{}.{}", input, axis) : std::string(dimension.parameter)};
  }
  if (*dimension.value < 0 || static_cast<std::uint64_t>(*dimension.value) > kMaxDimension) {
    fail(ErrorKind::dataError, "input {}: dimension {} has the size {}.", webnn::quoted(input), axis, *dimension.value);
  }
  return {static_cast<std::uint32_t>(*dimension.value), {}};
}

FileDescription declarationsOf(const Model& model, const LoadOptions& options) {
  FileDescription description;
  std::set<std::string_view> initializers, inputs, outputs;
  for (const TensorProto& tensor : model.graph.initializers) initializers.insert(tensor.name);
  for (const ValueInfo& input : model.graph.inputs) {
    if (!inputs.insert(input.name).second)
      fail(ErrorKind::dataError, "the value {} is defined twice.", webnn::quoted(input.name));
    if (!initializers.contains(input.name) && !options.values.contains(std::string(input.name)))
      description.inputs.push_back(inputOf(input));
  }
  for (const ValueInfo& output : model.graph.outputs) {
    if (outputs.insert(output.name).second) description.outputs.push_back(outputOf(output));
  }
  description.metadata = metadataOf(model);
  return description;
}

FileDescription describeModel(ExternalBytes file, const std::filesystem::path& folder, const LoadOptions& options) {
  const Model model = readModel(std::move(file), folder);
  FileDescription description = declarationsOf(model, options);
  Locations locations;
  addLocations(model.graph, locations);
  for (const Function& function : model.functions) addLocations(function.nodes, locations);
  const auto external = externalFilesIn(folder, FileAccess::map, options.namedFilesOnly);
  for (const std::string_view location : locations) {
    external->bytesAt({location, 0, 0}, 0);  // throws if load() could not open the file
    description.files.push_back(folder / location);
  }
  return description;
}

}  // namespace webnn::formats::onnx
