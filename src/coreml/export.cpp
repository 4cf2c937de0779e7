#include "coreml/export.h"

#include "base/text.h"
#include "coreml/mil_builder.h"
#include "coreml/model_writer.h"

namespace webnn::coreml {

ExportedModel exportModel(const GraphDefinition& graph) {
  MilBuilder builder(graph);
  for (const Node& node : graph.nodes) builder.append(node);
  Program program = builder.takeProgram();
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
  ExportedModel model = exportModel(graph);
  if (!unbounded.empty()) {
    model.notes.push_back(formatText(
        "These dimensions have no largest size, which Core ML may need to reserve memory: {}; declare bounds, or give sizes.",
        unbounded));
  }
  return model;
}

}  // namespace webnn::coreml
