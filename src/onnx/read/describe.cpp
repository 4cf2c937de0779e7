// What a model declares, without a walk over what its nodes compute.
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

DeclaredInput declarationOf(const ValueInfo& input) {
  const auto dataType = dataTypeOf(input.type);
  if (input.kind != ValueInfo::Kind::tensor || !dataType || !input.shape) {
    fail(ErrorKind::notSupportedError, "the input {} is not a tensor of a known rank and of a type that WebNN has.",
         webnn::quoted(input.name));
  }
  DeclaredInput declared{std::string(input.name), *dataType, {}, input.type == ElementType::boolean};
  for (std::size_t axis = 0; axis < input.shape->size(); ++axis)
    declared.shape.push_back(declarationOf(input.name, axis, (*input.shape)[axis]));
  return declared;
}

DeclaredOutput outputOf(const ValueInfo& output) {
  DeclaredOutput declared{std::string(output.name), {}, {}, output.type == ElementType::boolean};
  if (output.kind != ValueInfo::Kind::tensor) return declared;
  declared.dataType = dataTypeOf(output.type);
  if (!output.shape) return declared;
  declared.shape.emplace();
  for (std::size_t axis = 0; axis < output.shape->size(); ++axis) {
    Dimension dimension = (*output.shape)[axis];
    if (dimension.value && *dimension.value < 0) dimension.value.reset();  // some exporters mean an open one
    declared.shape->push_back(declarationOf(output.name, axis, dimension));
  }
  return declared;
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

}  // namespace

DeclaredDimension declarationOf(std::string_view input, std::size_t axis, const Dimension& dimension) {
  if (!dimension.value) {
    return {0, dimension.parameter.empty() ? formatText("{}.{}", input, axis) : std::string(dimension.parameter)};
  }
  if (*dimension.value < 0 || static_cast<std::uint64_t>(*dimension.value) > kMaxDimension) {
    fail(ErrorKind::dataError, "input {}: dimension {} has the size {}.", webnn::quoted(input), axis, *dimension.value);
  }
  return {static_cast<std::uint32_t>(*dimension.value), {}};
}

FileDescription describeModel(ExternalBytes file, const std::filesystem::path& folder, const LoadOptions& options) {
  const Model model = readModel(std::move(file), folder);
  FileDescription description;
  std::set<std::string_view> initializers, names;
  for (const TensorProto& tensor : model.graph.initializers) initializers.insert(tensor.name);
  for (const ValueInfo& input : model.graph.inputs) {
    if (!names.insert(input.name).second) fail(ErrorKind::dataError, "the value {} is defined twice.", webnn::quoted(input.name));
    if (!initializers.contains(input.name) && !options.values.contains(std::string(input.name)))
      description.inputs.push_back(declarationOf(input));
  }
  for (const ValueInfo& output : model.graph.outputs) description.outputs.push_back(outputOf(output));
  description.metadata = metadataOf(model);
  Locations locations;
  addLocations(model.graph, locations);
  for (const Function& function : model.functions) addLocations(function.nodes, locations);
  const auto external = externalFilesIn(folder, FileAccess::map, options.namedFilesOnly);
  for (const std::string_view location : locations) {
    external->bytesAt({location, 0, 0}, 0);  // is it a file that load() would open?
    description.files.push_back(folder / location);
  }
  return description;
}

}  // namespace webnn::formats::onnx
