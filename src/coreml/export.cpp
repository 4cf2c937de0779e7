#include "coreml/export.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/text.h"
#include "coreml/mil_builder.h"
#include "coreml/model_writer.h"

namespace webnn::coreml {

namespace {

ExportedModel exportModel(const GraphDefinition& graph, std::vector<std::int64_t> defaultSizes) {
  MilBuilder builder(graph);
  for (const Node& node : graph.nodes) builder.append(node);
  Program program = builder.takeProgram();
  program.defaultSizes = std::move(defaultSizes);
  ExportedModel model;
  model.weights = placeWeights(program);
  model.proto = writeModel(program);
  model.specificationVersion = program.specificationVersion;
  for (const MilPort& input : program.inputs) model.inputs.emplace_back(input.graphName, program.names[input.value.id]);
  for (const MilPort& output : program.outputs) model.outputs.emplace_back(output.graphName, program.names[output.value.id]);
  model.notes = std::move(builder.notes());
  model.placement = std::move(builder.placement());
  return model;
}

// Returns whether the graph is valid, and all tensors have elements, for these sizes of the named dimensions.
bool areValid(const GraphDefinition& graph, const OpenSizes& sizes, std::span<const std::int64_t> named) {
  const auto hasElements = [&](const Operand& operand) {
    return std::ranges::all_of(operand.shape(), [&](std::uint32_t size) { return sizes.evaluate(size, named).value_or(0) > 0; });
  };
  const auto isValid = [&](const Node& node) {
    bool hasSizes = std::ranges::all_of(node.outputs, hasElements);
    visitSizes(node.operation, [&](std::string_view, std::uint32_t size) { hasSizes = hasSizes && sizes.evaluate(size, named); });
    return hasSizes;
  };
  return sizes.allowsSizes(named) && std::ranges::all_of(graph.inputs, hasElements) && std::ranges::all_of(graph.nodes, isValid);
}

// Searches for small sizes of the named dimensions with which all tensors have elements. Core ML needs them as default sizes.
std::optional<std::vector<std::int64_t>> validSizes(const GraphDefinition& graph, const OpenSizes& sizes) {
  constexpr std::array<std::int64_t, 20> kTried{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 32, 64, 128, 224, 512, 1024};
  const std::vector<OpenSizes::Named> dimensions = sizes.named();
  // Tries equal sizes (step 0), then sizes that grow (1) or shrink (-1) from name to name, because expressions such as a - b and
  // b - a may be positive only for one of these orders.
  for (const int step : {0, 1, -1}) {
    for (const std::int64_t tried : kTried) {
      std::vector<std::int64_t> named;
      for (std::size_t i = 0; i < dimensions.size(); ++i) {
        const std::size_t place = dimensions[i].sameAs;
        const std::size_t added = step == 0 ? 0 : step > 0 ? place : dimensions.size() - 1 - place;
        const std::int64_t size = tried + static_cast<std::int64_t>(added);
        named.push_back(std::clamp<std::int64_t>(size, dimensions[i].least, dimensions[i].most));
      }
      if (areValid(graph, sizes, named)) return named;
    }
  }
  return std::nullopt;
}

}  // namespace

ExportedModel exportModel(const GraphDefinition& graph) { return exportModel(graph, std::vector<std::int64_t>()); }

ExportedModel exportModel(const GraphDefinition& graph, OpenSizes sizes) {
  const OpenScope scope(sizes);
  std::string unbounded;
  for (const OpenSizes::Named& dimension : sizes.named()) {
    if (dimension.most == 0) {
      fail(ErrorKind::notSupportedError, "save: the dimension {} is always 0, and Core ML has no tensors without elements.",
           webnn::quoted(dimension.name));
    }
    sizes.dimension(dimension.name, 1);
    if (dimension.max == kMaxDimension) unbounded += (unbounded.empty() ? "" : ", ") + webnn::quoted(dimension.name);
  }
  for (const Operand& input : graph.inputs) {
    const Shape& shape = input.shape();
    const auto isEmpty = [&](std::uint32_t size) { return isOpen(size) && sizes.range(size).second == 0; };
    if (const auto size = std::ranges::find_if(shape, isEmpty); size != shape.end()) {
      fail(ErrorKind::notSupportedError,
           "save: the size {} is 0 whenever the dimensions have elements, and Core ML has no tensors without elements.",
           sizes.text(*size));
    }
  }
  const std::optional<std::vector<std::int64_t>> valid = validSizes(graph, sizes);
  std::vector<std::int64_t> smallest;
  for (const OpenSizes::Named& dimension : sizes.named()) smallest.push_back(dimension.least);
  ExportedModel model = exportModel(graph, valid.value_or(smallest));
  if (!valid) {
    model.notes.push_back(
        "No small sizes were found with which all tensors have elements, so the default shapes of inputs may be invalid.");
  }
  if (!unbounded.empty()) {
    model.notes.push_back(formatText(
        "These dimensions have no largest size, which Core ML may need to reserve memory: {}; declare bounds, or give sizes.",
        unbounded));
  }
  return model;
}

}  // namespace webnn::coreml
