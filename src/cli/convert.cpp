// webnn convert: a graph in another format.
#include <array>
#include <memory>

#include "base/escape.h"
#include "base/text.h"
#include "cli/command.h"
#include "context/graph_state.h"
#include "coreml/export.h"
#include "formats/document/document.h"
#include "formats/json/graph_json.h"
#include "formats/suffix.h"
#include "formats/text/writer.h"
#include "onnx/read/save.h"

namespace webnn::cli {

namespace {

struct ConvertOptions {
  ModelOptions model;
  std::filesystem::path output;
  std::string format, weights;
  bool quiet = false;
};

// The format by its option, else by the output's suffix.
std::string formatOf(const ConvertOptions& options) {
  if (!options.format.empty()) return options.format;
  if (options.output.extension() == ".dot") return "dot";
  static constexpr std::array<const char*, 5> kNames{"text", "json", "onnx", "binary", "coreml"};
  if (const auto format = formats::formatOfSuffix(options.output)) return kNames[static_cast<std::size_t>(*format)];
  throw Misuse(formatText("the suffix of {} is not .dot, {}; use one of these, or --to.", webnn::quoted(options.output.string()),
                          formats::listSuffixes()));
}

GraphFormat graphFormatOf(const std::string& text) {
  if (text == "binary") return GraphFormat::webnnBinary;
  return text == "json" ? GraphFormat::graphJson : GraphFormat::webnnText;
}

std::optional<WeightsFormat> weightsFormatOf(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "manifest") return WeightsFormat::manifest;
  return text == "inline" ? WeightsFormat::inlineBytes : WeightsFormat::safetensors;
}

bool isStandardOutput(const std::filesystem::path& path) { return path == "-"; }

// One file is all that standard output can be.
void requireOneFile(const ConvertOptions& options, const std::string& format, const Graph& graph) {
  if (format == "dot" || options.weights == "inline" || definitionOf(graph).constants.empty()) return;
  throw Misuse("standard output holds one file: give --weights-format inline, or the name of a file");
}

std::string textOf(const Graph& graph, const std::string& format) {
  if (format == "dot") return toDot(graph);
  const formats::GraphDocument document = formats::documentOf(definitionOf(graph));
  return format == "json" ? formats::writeGraphJson(document) : formats::writeText(document);
}

int run(const ConvertOptions& options) {
  const std::string format = formatOf(options);
  if (isStandardOutput(options.output) && (format == "onnx" || format == "binary" || format == "coreml"))
    throw Misuse("ONNX, .mlpackage and .webnnb are not written to standard output");
  if (format == "onnx" && !options.weights.empty() && options.weights != "inline") {
    throw Misuse("--weights-format: with ONNX the weights are in OUT.data, or inline.");
  }
  if (format == "coreml" && !options.weights.empty()) throw Misuse("--weights-format: an .mlpackage has a file of its own.");
  Context context = makeReader(options.model.backend);
  const Graph graph = loadModel(context, options.model);
  if (isStandardOutput(options.output)) {
    requireOneFile(options, format, graph);
    print(textOf(graph, format));
    return kFine;
  }
  if (format == "dot") {
    writeText(options.output, toDot(graph));
  } else if (format == "onnx" || format == "coreml") {
    const std::vector<std::string> notes = readingFrom(options.output, [&] {
      return format == "coreml" ? coreml::savePackage(definitionOf(graph), options.output)
                                : formats::saveOnnx(definitionOf(graph), options.output,
                                                    weightsFormatOf(options.weights).value_or(WeightsFormat::safetensors));
    });
    for (const std::string& note : notes) {
      if (!options.quiet) print("note: " + escaped(note, 2000) + "\n");
    }
  } else {
    save(graph, options.output, {.graph = graphFormatOf(format), .weights = weightsFormatOf(options.weights)});
  }
  if (!options.quiet) print(formatText("wrote {}\n", sanitized(options.output.string())));
  return kFine;
}

}  // namespace

void addConvert(const Command& app, int& status) {
  auto options = std::make_shared<ConvertOptions>();
  const Command command = app.subcommand("convert", "Write a graph in another format");
  addModelOptions(command, options->model);
  command
      .option("OUT", options->output,
              "The file to write: .webnn, .webnnb, .json, .onnx, .mlpackage or .dot; - with --to for standard output")
      .required()
      .type("FILE");
  command.option("--to", options->format, "Format, whatever OUT is called")
      .oneOf({"text", "binary", "json", "onnx", "coreml", "dot"});
  command
      .option("--weights-format", options->weights,
              "Where the weights go (safetensors; .webnnb: inline; ONNX: OUT.data, or inline)")
      .oneOf({"safetensors", "manifest", "inline"});
  command.flag("--quiet", options->quiet, "Errors only");
  command.footer(
      "Examples:\n"
      "  webnn convert model.json model.webnn\n"
      "  webnn convert model.webnn model.json --weights-format manifest --dim batch=1\n"
      "  webnn convert model.webnn model.onnx\n"
      "  webnn convert model.onnx model.mlpackage");
  command.action([options, &status] { status = run(*options); });
}

}  // namespace webnn::cli
