// webnn check: validates a graph and reports its memory and operations.
#include <memory>

#include "base/text.h"
#include "cli/command.h"
#include "context/graph_state.h"
#include "measure/graph_statistics.h"

namespace webnn::cli {

namespace {

struct CheckOptions {
  ModelOptions model;
  bool quiet = false, json = false;
};

std::vector<NamedDescriptor> inputsOf(const GraphDefinition& graph) {
  std::vector<NamedDescriptor> inputs;
  for (const Operand& input : graph.inputs) inputs.emplace_back(input.record().name, input.descriptor());
  return inputs;
}

std::vector<NamedDescriptor> outputsOf(const GraphDefinition& graph) {
  std::vector<NamedDescriptor> outputs;
  for (const auto& [name, operand] : graph.outputs) outputs.emplace_back(name, operand.descriptor());
  return outputs;
}

std::string operandLines(std::string_view title, const std::vector<NamedDescriptor>& operands) {
  std::string text = formatText("{}\n", title);
  for (const auto& [name, descriptor] : operands)
    text += formatText("  {}: {}\n", sanitized(name), sanitized(toString(descriptor)));
  return text;
}

// Lists inputs, outputs, operations and parameters. These do not depend on the sizes of open dimensions.
std::string countsText(const GraphDefinition& graph, const measure::GraphStatistics& statistics) {
  std::string text = operandLines("Inputs", inputsOf(graph)) + operandLines("Outputs", outputsOf(graph));
  text += formatText("Operations: {}\n", graph.nodes.size());
  for (const auto& [name, count] : statistics.operations) text += formatText("  {} {}\n", count, name);
  return text + formatText("Parameters: {} in {} constants, {}\n", statistics.parameters, graph.constants.size(),
                           byteText(statistics.parameterBytes));
}

std::string boundsText(const OpenSizes& sizes) {
  std::string text = "Open dimensions\n";
  for (const OpenSizes::Named& dimension : sizes.named()) {
    const bool isBounded = dimension.max != kMaxDimension;
    text += formatText("  {}: {} {}\n", sanitized(dimension.name), dimension.min,
                       isBounded ? formatText("to {}", dimension.max) : "or more");
  }
  return text + "Memory: depends on the sizes, which --dim gives\n";
}

std::string reportText(const Graph& graph, const measure::GraphStatistics& statistics) {
  std::string text = countsText(definitionOf(graph), statistics);
  text +=
      formatText("Memory: {} parameters + {} inputs + {} results at most at a time = {}\n", byteText(statistics.parameterBytes),
                 byteText(statistics.inputBytes), byteText(statistics.peakBytes), byteText(statistics.totalBytes()));
  text += formatText("Compiling adds about {} of packed weights\n", byteText(graph.memoryEstimate().packedWeights));
  return text;
}

Json operandsJson(const std::vector<NamedDescriptor>& operands) {
  Json json = Json::object();
  // Avoids json[name], which searches all members: the names are known to be distinct.
  for (const auto& [name, descriptor] : operands) json.members().emplace_back(name, descriptorJson(descriptor));
  return json;
}

// Returns the facts of countsText() as JSON.
Json countsJson(const GraphDefinition& graph, const measure::GraphStatistics& statistics) {
  Json operations = Json::object();
  for (const auto& [name, count] : statistics.operations) operations[name] = count;
  return {{"valid", true},
          {"name", graph.name},
          {"inputs", operandsJson(inputsOf(graph))},
          {"outputs", operandsJson(outputsOf(graph))},
          {"operations", operations},
          {"parameters", statistics.parameters},
          {"parameterBytes", statistics.parameterBytes}};
}

Json reportJson(const Graph& graph, const measure::GraphStatistics& statistics) {
  Json json = countsJson(definitionOf(graph), statistics);
  json["inputBytes"] = statistics.inputBytes;
  json["peakBytes"] = statistics.peakBytes;
  json["packedWeightBytes"] = graph.memoryEstimate().packedWeights;
  json["totalBytes"] = statistics.totalBytes();
  return json;
}

Json boundsJson(const OpenSizes& sizes) {
  Json json = Json::object();
  for (const OpenSizes::Named& dimension : sizes.named())
    json.members().emplace_back(dimension.name, Json{{"minSize", dimension.min}, {"maxSize", dimension.max}});
  return json;
}

// Returns the report on a graph with open dimensions.
std::string openReport(const OpenGraph& open, const CheckOptions& options) {
  return printed(open, [&](const GraphDefinition& graph) {
    const measure::GraphStatistics statistics = measure::countsOf(graph);
    if (options.json) {
      Json json = countsJson(graph, statistics);
      json["dimensions"] = boundsJson(*open.sizes);
      return jsonText(json);
    }
    return (options.quiet ? std::string() : countsText(graph, statistics) + boundsText(*open.sizes)) + "OK\n";
  });
}

int run(const CheckOptions& options) {
  Context context = makeReader(options.model.backend);
  try {
    const bool compiles = !options.model.backend.name.empty();
    const LoadedGraph loaded = loadToShow(context, options.model, compiles);
    if (loaded.open) {
      print(openReport(*loaded.open, options));
      return kFine;
    }
    const Graph& graph = loaded.graph;
    const measure::GraphStatistics statistics = measure::statisticsOf(definitionOf(graph));
    if (options.json) {
      print(jsonText(reportJson(graph, statistics)));
    } else {
      print((options.quiet ? std::string() : reportText(graph, statistics)) + "OK\n");
    }
  } catch (const Error& error) {
    if (!options.json) throw;
    print(jsonText(Json{{"valid", false}, {"kind", name(error.kind())}, {"message", error.what()}}));
    return kFailed;
  }
  return kFine;
}

}  // namespace

void addCheck(const Command& app, int& status) {
  auto options = std::make_shared<CheckOptions>();
  const Command command = app.subcommand("check", "Validate a graph and say what it needs; with --backend, compile it too");
  addModelOptions(command, options->model);
  command.flag("--json", options->json, "Machine-readable result");
  command.flag("--quiet", options->quiet, "Only OK or the error");
  command.footer(
      "Examples:\n"
      "  webnn check digits.webnn\n"
      "  webnn check stranger.onnx --max-memory 4GB --max-time 10 --named-files-only\n"
      "  webnn check model.json --weights model.safetensors --dim batch=1");
  command.action([options, &status] { status = run(*options); });
}

}  // namespace webnn::cli
