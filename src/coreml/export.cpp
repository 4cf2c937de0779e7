#include "coreml/export.h"

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

}  // namespace webnn::coreml
