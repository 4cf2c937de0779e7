// webnn inspect: shows a graph as text, picture or JSON, after passes of the CPU engine, or with its placement.
#include <algorithm>
#include <memory>

#include "backends/cpu/cpu_backend.h"
#include "base/escape.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/inspect/placement.h"
#include "cli/similar_names.h"
#include "context/graph_state.h"
#include "formats/document/document.h"
#include "formats/dot/picture.h"
#include "formats/json/graph_json.h"
#include "formats/suffix.h"
#include "formats/text/writer.h"

namespace webnn::cli {

namespace {

struct InspectOptions {
  ModelOptions model;
  std::string format;  // empty: the format of the output's suffix, or else text
  std::filesystem::path output;
  bool dumpsPasses = false, listsPasses = false, placement = false;
  std::string pass;
};

// Returns the graph without the bytes of constants, which are not worth printing.
formats::GraphDocument withoutBytes(const GraphDefinition& graph) {
  formats::GraphDocument document = formats::documentOf(graph);
  for (formats::ConstantDeclaration& constant : document.constants) constant.source = formats::WeightsReference{constant.name};
  return document;
}

// Replaces characters in names that a terminal might obey.
void sanitizeNames(formats::GraphDocument& document) {
  const auto clean = [](std::string& name) { name = sanitized(name); };
  clean(document.name);
  for (auto& input : document.inputs) clean(input.name);
  for (auto& constant : document.constants) {
    clean(constant.name);
    clean(std::get<formats::WeightsReference>(constant.source).key);
  }
  for (auto& node : document.nodes) {
    clean(node.id);
    std::ranges::for_each(node.inputs, clean);
    std::ranges::for_each(node.outputs, clean);
    for (auto& [key, value] : node.options.members()) {
      if (value.isText()) value = sanitized(value.asText());
    }
  }
  for (auto& output : document.outputs) {
    clean(output.name);
    clean(output.value);
  }
}

std::string formatOf(const InspectOptions& options) {
  if (!options.format.empty()) return options.format;
  const std::string extension = formats::lowerSuffix(options.output);
  if (extension == ".svg" || extension == ".dot" || extension == ".json") return extension.substr(1);
  if (!extension.empty() && extension != ".txt" && extension != ".webnn") {
    throw Misuse(formatText("--out: the suffix of {} is not .txt, .webnn, .json, .svg or .dot; use one of these, or --format",
                            webnn::quoted(options.output.string())));
  }
  return "text";
}

// Returns the graph in the requested format. `openInputs`: the inputs of a graph with open dimensions.
std::string graphText(const GraphDefinition& graph, const std::vector<DeclaredInput>& openInputs, const InspectOptions& options) {
  const std::string format = formatOf(options);
  if (format == "dot") return formats::dotOf(graph);
  if (format == "svg") return formats::svgOf(graph);
  formats::GraphDocument document = withoutBytes(graph);
  if (format == "json") return escapedJson(formats::writeGraphJson(document));
  sanitizeNames(document);
  const std::string sizes = missingDimensions(openInputs, options.model);
  return (sizes.empty() ? "" : formatText("# {} gives sizes.\n", sizes)) + formats::writeText(document);
}

std::string passesText() {
  std::string text;
  std::size_t width = 0;
  for (const cpu::Pass& pass : cpu::allPasses()) width = std::max(width, pass.name.size() + 2);
  for (const cpu::Pass& pass : cpu::allPasses()) {
    text += formatText("{:<{}}{}{}\n", pass.name, width, pass.summary, pass.required ? " (always)" : "");
  }
  return text;
}

void requireKnownPass(std::string_view name) {
  std::vector<std::string_view> names;
  for (const cpu::Pass& pass : cpu::allPasses()) names.push_back(pass.name);
  if (std::ranges::find(names, name) != names.end()) return;
  throw Misuse(formatText("--pass: there is no pass {}{}", webnn::quoted(name), didYouMean(name, names)));
}

// Returns the CPU engine's module before the passes and after each pass, with a note in its place if the pass changes nothing; or
// only the module after the pass `options.pass`.
std::string dumpText(const InspectOptions& options) {
  if (!options.pass.empty()) requireKnownPass(options.pass);
  cpu::CompileOptions compile =
      cpu::settingsOf({.backend = "cpu", .backendOptions = settingsOf(options.model.backend.settings, "cpu")}).compile;
  std::string text, last;
  bool isFound = options.pass.empty();
  compile.dump = [&](std::string_view pass, const std::string& module) {
    if (options.pass.empty()) text += formatText("== {} ==\n{}", pass, module == last ? "(nothing changed)\n" : module);
    if (pass == options.pass) {
      text = module;
      isFound = true;
    }
    last = module;
  };
  Context context = makeReader({.limits = options.model.backend.limits});
  const Graph graph = loadModel(context, options.model);
  cpu::compile(graph.state()->definition, compile, std::make_shared<cpu::TeamPool>(1));
  if (!isFound) throw Misuse("--pass: this pass is disabled.");
  return text;
}

int run(const InspectOptions& options) {
  if (options.listsPasses) {
    writeText(options.output, passesText());
    return kFine;
  }
  if (options.model.model.empty()) throw Misuse("MODEL is required");
  requireOther("--out", options.output, {options.model.model});  // printed graphs lack constants and must not replace the model
  if (options.dumpsPasses || !options.pass.empty()) {
    writeText(options.output, dumpText(options));
    return kFine;
  }
  if (options.placement) {
    const std::string format = formatOf(options);
    if (format != "text" && format != "json") throw Misuse(formatText("--placement: it is text or json, not {}.", format));
    Context context = makeContext(options.model.backend);
    const Graph graph = loadModel(context, options.model);
    writeText(options.output, format == "json" ? jsonText(placementJson(context, graph)) : placementText(context, graph));
    return kFine;
  }
  Context context = makeReader(options.model.backend);
  const LoadedGraph loaded = loadToShow(context, options.model);
  const auto text = [&](const GraphDefinition& graph) { return graphText(graph, loaded.openInputs, options); };
  writeText(options.output, loaded.show(text));
  return kFine;
}

}  // namespace

void addInspect(const Command& app, int& status) {
  auto options = std::make_shared<InspectOptions>();
  const Command command = app.subcommand("inspect", "Print a graph");
  addModelOptions(command, options->model);
  const Option format =
      command.option("--format", options->format, "text, json, svg, or dot for Graphviz (by the extension of --out, else text)")
          .oneOf({"text", "json", "svg", "dot"})
          .example("json");
  command
      .flag(
          "--json", [options] { options->format = "json"; }, "The same as --format=json")
      .excludes(format);
  command.find("MODEL").required(false);  // not needed with --list-passes
  const Option placement =
      command.flag("--placement", options->placement, "Print the device and the steps that run each operation on the backend");
  const Option dumps =
      command.flag("--dump-passes", options->dumpsPasses, "Print the graph after each pass of the CPU engine that changes it");
  dumps.excludes(format);
  dumps.excludes(placement);
  command.option("--pass", options->pass, "Print the graph only after this pass of the CPU engine")
      .excludes(format)
      .type("NAME")
      .example("canonicalize");
  command.flag("--list-passes", options->listsPasses, "Print the passes of the CPU engine, in order");
  command.option("-o,--out", options->output, "Write a file instead of standard output").type("FILE").example("out.txt");
  command.footer(
      "Examples:\n"
      "  webnn inspect digits.webnn\n"
      "  webnn inspect digits.webnn -o digits.svg\n"
      "  webnn inspect model.onnx --placement --backend onnxruntime\n"
      "  webnn inspect digits.webnn --dump-passes --backend-option isa=avx2");
  command.action([options, &status] { status = run(*options); });
}

}  // namespace webnn::cli
