// webnn inspect: a graph as text, Graphviz or JSON.
#include <CLI/CLI.hpp>
#include <memory>

#include "base/text.h"
#include "cli/command.h"
#include "context/graph_state.h"
#include "formats/document.h"
#include "formats/json/graph_json.h"
#include "formats/text/writer.h"

namespace webnn::cli {

namespace {

struct InspectOptions {
  ModelOptions model;
  std::string format = "text";
  std::filesystem::path output;
};

// The graph with references in place of the constants' bytes, which nobody wants to read.
formats::GraphDocument withoutBytes(const Graph& graph) {
  formats::GraphDocument document = formats::documentOf(*graph.state()->definition);
  for (formats::ConstantDeclaration& constant : document.constants) constant.source = formats::WeightsReference{constant.name};
  return document;
}

int run(const InspectOptions& options) {
  Context context = makeContext(options.model.backend);
  const Graph graph = loadModel(context, options.model);
  if (options.format == "dot") {
    writeText(options.output, toDot(graph));
  } else if (options.format == "json") {
    writeText(options.output, formats::writeGraphJson(withoutBytes(graph)));
  } else {
    writeText(options.output, formats::writeText(withoutBytes(graph)));
  }
  return kFine;
}

}  // namespace

void addInspect(CLI::App& app, int& status) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App& command = *app.add_subcommand("inspect", "Print a graph");
  addModelOptions(command, options->model);
  CLI::Option* format = command.add_option("--format", options->format, "text (the default), dot for Graphviz, or json")
                            ->check(CLI::IsMember({"text", "dot", "json"}));
  command
      .add_flag_callback(
          "--json", [options] { options->format = "json"; }, "The same as --format=json")
      ->excludes(format);
  command.add_option("-o,--out", options->output, "Write a file instead of standard output")->type_name("FILE");
  command.footer(
      "Examples:\n"
      "  webnn inspect digits.webnn\n"
      "  webnn inspect digits.webnn --format=dot | dot -Tsvg -o digits.svg");
  command.callback([options, &status] { status = run(*options); });
}

}  // namespace webnn::cli
