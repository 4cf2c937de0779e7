// webnn convert: a graph in another format.
#include <memory>

#include "base/escape.h"
#include "base/text.h"
#include "cli/command.h"
#include "context/graph_state.h"
#include "coreml/export.h"
#include "formats/code/code.h"
#include "formats/document/document.h"
#include "formats/document/float16_weights.h"
#include "formats/json/graph_json.h"
#include "formats/text/writer.h"
#include "onnx/read/save.h"

namespace webnn::cli {

namespace {

struct ConvertOptions {
  ModelOptions model;
  std::filesystem::path output;
  std::string format, weights, weightsType;
  bool quiet = false;
};

// The format by its option, else by the output's extension.
std::string formatOf(const ConvertOptions& options) {
  if (!options.format.empty()) return options.format;
  const std::string extension = options.output.extension().string();
  if (extension == ".webnn") return "text";
  if (extension == ".webnnb") return "binary";
  if (extension == ".json") return "json";
  if (extension == ".dot") return "dot";
  if (extension == ".onnx") return "onnx";
  if (extension == ".mlpackage") return "coreml";
  if (extension == ".svg") return "svg";
  if (extension == ".js" || extension == ".mjs") return "js";
  if (extension == ".py") return "py";
  if (extension == ".cpp" || extension == ".cc" || extension == ".cxx") return "cpp";
  throw Misuse(formatText(
      "{} does not say the format: its extension is not .webnn, .webnnb, .json, .onnx, .mlpackage, .js, .py, .cpp, .dot or "
      ".svg; use --to.",
      webnn::quoted(options.output.string())));
}

// The language of a program.
std::optional<formats::Language> languageOf(const std::string& format) {
  if (format == "js") return formats::Language::javaScript;
  if (format == "py") return formats::Language::python;
  if (format == "cpp") return formats::Language::cpp;
  return std::nullopt;
}

bool isPicture(const std::string& format) { return format == "dot" || format == "svg"; }

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
  if (isPicture(format) || options.weights == "inline" || definitionOf(graph).constants.empty()) return;
  throw Misuse("standard output holds one file: give --weights-format inline, or the name of a file");
}

std::string pictureOf(const Graph& graph, const std::string& format) { return format == "dot" ? toDot(graph) : toSvg(graph); }

std::string textOf(const Graph& graph, const std::string& format) {
  if (isPicture(format)) return pictureOf(graph, format);
  const formats::GraphDocument document = formats::documentOf(definitionOf(graph));
  return format == "json" ? formats::writeGraphJson(document) : formats::writeText(document);
}

// The program alone; Misuse if it has weights beside it.
std::string programText(const Graph& graph, formats::Language language) {
  const formats::Program program = formats::writeProgram(definitionOf(graph), language, "", "model");
  if (!program.weights.empty())
    throw Misuse("standard output holds one file, but this program has weights: give the name of a file");
  return program.text;
}

// The graph with weights of the type that the options ask for.
Graph withWeightsType(Context& context, const Graph& graph, const ConvertOptions& options) {
  if (options.weightsType != "float16") return graph;
  formats::GraphDocument document = formats::documentOf(definitionOf(graph));
  const formats::Float16Weights done = formats::storeWeightsAsFloat16(document);
  if (!options.quiet && !isStandardOutput(options.output)) {
    print(formatText("float16: {} constants, {} less\n", done.rounded, byteText(done.savedBytes)));
    for (const std::string& name : done.kept)
      print(formatText("note: {} stays float32, as float16 does not hold its elements\n", webnn::quoted(name)));
  }
  return formats::buildGraph(context, document, nullptr, {});
}

void requireSensible(const ConvertOptions& options, const std::string& format) {
  if (isStandardOutput(options.output) && (format == "onnx" || format == "binary" || format == "coreml"))
    throw Misuse("ONNX, .mlpackage and .webnnb are not written to standard output");
  if (format == "onnx" && !options.weights.empty() && options.weights != "inline") {
    throw Misuse("--weights-format: with ONNX the weights are in OUT.data, or inline.");
  }
  if (format == "coreml" && !options.weights.empty()) throw Misuse("--weights-format: an .mlpackage has a file of its own.");
  if (languageOf(format) && !options.weights.empty() && options.weights != "safetensors")
    throw Misuse("--weights-format: the weights of programs are safetensors.");
}

// Writes the file, and others beside it. What it notes comes back.
std::vector<std::string> write(const Graph& graph, const ConvertOptions& options, const std::string& format) {
  const auto language = languageOf(format);
  if (isPicture(format)) {
    writeText(options.output, pictureOf(graph, format));
  } else if (language) {
    formats::saveProgram(definitionOf(graph), *language, options.output);
  } else if (format == "coreml") {
    return coreml::savePackage(definitionOf(graph), options.output);
  } else if (format == "onnx") {
    return formats::saveOnnx(definitionOf(graph), options.output,
                             weightsFormatOf(options.weights).value_or(WeightsFormat::safetensors));
  } else {
    save(graph, options.output, {.graph = graphFormatOf(format), .weights = weightsFormatOf(options.weights)});
  }
  return {};
}

int run(const ConvertOptions& options) {
  const std::string format = formatOf(options);
  requireSensible(options, format);
  Context context = makeReader(options.model.backend);
  const Graph graph = withWeightsType(context, loadModel(context, options.model), options);
  if (isStandardOutput(options.output)) {
    if (const auto language = languageOf(format)) {
      print(programText(graph, *language));
      return kFine;
    }
    requireOneFile(options, format, graph);
    print(textOf(graph, format));
    return kFine;
  }
  for (const std::string& note : write(graph, options, format)) {
    if (!options.quiet) print("note: " + escaped(note, 2000) + "\n");
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
      .option(
          "OUT", options->output,
          "The file to write: .webnn, .webnnb, .json, .onnx, .mlpackage, .js, .py, .cpp, .dot or .svg; - with --to for standard "
          "output")
      .required()
      .type("FILE");
  command.option("--to", options->format, "Format, whatever OUT is called")
      .oneOf({"text", "binary", "json", "onnx", "coreml", "js", "py", "cpp", "dot", "svg"});
  command
      .option("--weights-format", options->weights,
              "Where the weights go (safetensors; .webnnb: inline; ONNX: OUT.data, or inline)")
      .oneOf({"safetensors", "manifest", "inline"});
  command
      .option("--weights-type", options->weightsType,
              "Stores weights of float32 in half the space, each off by at most 2^-11 of itself or by 2^-25; what float16 cannot "
              "hold "
              "(above 65504) stays float32")
      .oneOf({"float16"});
  command.flag("--quiet", options->quiet, "Errors only");
  command.footer(
      "Examples:\n"
      "  webnn convert model.json model.webnn\n"
      "  webnn convert model.webnn model.json --weights-format manifest --dim batch=1\n"
      "  webnn convert model.webnn model.onnx\n"
      "  webnn convert model.onnx model.mlpackage\n"
      "  webnn convert model.onnx model.js       # a program that builds the graph; so do model.py and model.cpp\n"
      "  webnn convert model.onnx half.onnx --weights-type float16");
  command.action([options, &status] { status = run(*options); });
}

}  // namespace webnn::cli
