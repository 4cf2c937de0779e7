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

std::string operandLines(std::string_view title, const std::vector<NamedDescriptor>& operands) {
  std::string text = formatText("{}\n", title);
  for (const auto& [name, descriptor] : operands) text += formatText("  {}: {}\n", sanitized(name), toString(descriptor));
  return text;
}

std::string reportText(const Graph& graph, const measure::GraphStatistics& statistics) {
  std::string text = operandLines("Inputs", graph.inputs()) + operandLines("Outputs", graph.outputs());
  text += formatText("Operations: {}\n", definitionOf(graph).nodes.size());
  for (const auto& [name, count] : statistics.operations) text += formatText("  {} {}\n", count, name);
  text += formatText("Parameters: {} in {} constants, {}\n", statistics.parameters, definitionOf(graph).constants.size(),
                     byteText(statistics.parameterBytes));
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

Json reportJson(const Graph& graph, const measure::GraphStatistics& statistics) {
  Json operations = Json::object();
  for (const auto& [name, count] : statistics.operations) operations[name] = count;
  return {{"valid", true},
          {"name", definitionOf(graph).name},
          {"inputs", operandsJson(graph.inputs())},
          {"outputs", operandsJson(graph.outputs())},
          {"operations", operations},
          {"parameters", statistics.parameters},
          {"parameterBytes", statistics.parameterBytes},
          {"inputBytes", statistics.inputBytes},
          {"peakBytes", statistics.peakBytes},
          {"packedWeightBytes", graph.memoryEstimate().packedWeights},
          {"totalBytes", statistics.totalBytes()}};
}

int run(const CheckOptions& options) {
  Context context = makeReader(options.model.backend);
  try {
    const Graph graph = loadModel(context, options.model);
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
