// webnn convert: writes a graph in another format.
#include <array>
#include <memory>
#include <utility>

#include "base/escape.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/text.h"
#include "cli/command.h"
#include "context/graph_state.h"
#include "coreml/export.h"
#include "formats/document/document.h"
#include "formats/document/float16_weights.h"
#include "formats/dot/picture.h"
#include "formats/open_graph_source.h"
#include "formats/save_onnx.h"
#include "formats/save_program.h"
#include "formats/suffix.h"

namespace webnn::cli {

namespace {

struct ConvertOptions {
  ModelOptions model;
  std::filesystem::path output;
  std::string format, weights, weightsType;
  bool quiet = false;
};

bool isStandardOutput(const std::filesystem::path& path) { return path == "-"; }

// Returns the format given by --to, else the format that belongs to the output's suffix.
std::string formatOf(const ConvertOptions& options) {
  if (!options.format.empty()) return options.format;
  if (isStandardOutput(options.output)) throw Misuse("standard output has no suffix: give the format by --to");
  static constexpr std::array<const char*, 5> kNames{"text", "json", "onnx", "binary", "coreml"};
  if (const auto format = formats::formatOfSuffix(options.output)) return kNames[static_cast<std::size_t>(*format)];
  // Formats that can be written but not read.
  static constexpr std::array<std::pair<const char*, const char*>, 8> kOthers{{{".dot", "dot"},
                                                                               {".svg", "svg"},
                                                                               {".js", "js"},
                                                                               {".mjs", "js"},
                                                                               {".py", "py"},
                                                                               {".cpp", "cpp"},
                                                                               {".cc", "cpp"},
                                                                               {".cxx", "cpp"}}};
  const std::string ownSuffix = formats::lowerSuffix(options.output);
  for (const auto& [suffix, format] : kOthers) {
    if (ownSuffix == suffix) return format;
  }
  throw Misuse(formatText("the suffix of {} is not .js, .py, .cpp, .dot, .svg, {}; use one of these, or --to.",
                          webnn::quoted(options.output.string()), formats::listSuffixes()));
}

// Returns the programming language of a format; nothing if the format is not a program.
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

std::string pictureOf(const GraphDefinition& graph, const std::string& format) {
  return format == "dot" ? formats::dotOf(graph) : formats::svgOf(graph);
}

// Returns the program's text. Throws Misuse if the program needs a separate weights file.
std::string programText(const GraphDefinition& graph, formats::Language language) {
  const formats::Program program = formats::writeProgram(graph, language, "", "model");
  if (!program.weights.empty())
    throw Misuse("standard output holds one file, but this program has weights: give the name of a file");
  return program.text;
}

// Returns the graph, with float32 weights stored as float16 if requested.
LoadedGraph withWeightsType(Context& context, const LoadedGraph& loaded, const ConvertOptions& options) {
  if (options.weightsType != "float16") return loaded;
  formats::GraphDocument document = loaded.show([](const GraphDefinition& graph) { return formats::documentOf(graph); });
  const formats::Float16Weights done = formats::storeWeightsAsFloat16(document);
  if (!options.quiet && !isStandardOutput(options.output)) {
    print(formatText("float16: {} constants, {} less\n", done.rounded, byteText(done.savedBytes)));
    for (const std::string& name : done.kept)
      print(formatText("note: {} stays float32, as float16 does not hold its elements\n", webnn::quoted(name)));
  }
  if (loaded.open) return {Graph(), formats::openGraphOf(context, document, nullptr, nullptr), loaded.openInputs};
  return {formats::buildGraph(context, document, nullptr, {}), nullptr, {}};
}

void requireSensible(const ConvertOptions& options, const std::string& format) {
  if (isStandardOutput(options.output) && format == "coreml")
    throw Misuse("an .mlpackage is a folder, which standard output cannot be");
  if (format == "onnx" && !options.weights.empty() && options.weights != "inline") {
    throw Misuse("--weights-format: with ONNX the weights are in OUT.data, or inline.");
  }
  if (format == "coreml" && !options.weights.empty()) throw Misuse("--weights-format: an .mlpackage has a file of its own.");
  if (languageOf(format) && !options.weights.empty() && options.weights != "safetensors")
    throw Misuse("--weights-format: the weights of programs are safetensors.");
}

void saveGraph(const LoadedGraph& loaded, const std::filesystem::path& path, const SaveOptions& options) {
  if (loaded.open)
    formats::saveOpen(*loaded.open, path, options);
  else
    save(loaded.graph, path, options);
}

// Writes the graph, with its weights inline, because standard output can hold one file only.
void writeStandardOutput(const LoadedGraph& loaded, const ConvertOptions& options, const std::string& format) {
  if (const auto language = languageOf(format))
    return print(loaded.show([&](const GraphDefinition& graph) { return programText(graph, *language); }));
  if (isPicture(format)) return print(loaded.show([&](const GraphDefinition& graph) { return pictureOf(graph, format); }));
  const bool hasConstants = loaded.show([](const GraphDefinition& graph) { return !graph.constants.empty(); });
  if (!options.weights.empty() && options.weights != "inline" && hasConstants)
    throw Misuse("standard output holds one file: the weights are inline, or OUT is the name of a file");
  // Save to a temporary file first, so that nothing is printed if saving fails.
  std::error_code error;
  const std::filesystem::path folder = makeTemporaryFolder("webnn-", error);
  if (error) fail(ErrorKind::operationError, "there can be no temporary folder ({}).", error.message());
  const std::shared_ptr<void> removed(nullptr, [&](void*) {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  });
  const std::filesystem::path file = folder / "graph";
  const GraphFormat graphFormat = format == "onnx" ? GraphFormat::onnx : graphFormatOf(format);
  saveGraph(loaded, file, {.graph = graphFormat, .weights = WeightsFormat::inlineBytes});
  const ExternalBytes bytes = mapFile(file);
  print({reinterpret_cast<const char*>(bytes.bytes.data()), bytes.bytes.size()});
}

// Writes the file and the files that belong to it, such as weights. Returns notes for the user.
std::vector<std::string> write(const LoadedGraph& loaded, const ConvertOptions& options, const std::string& format) {
  if (const auto language = languageOf(format)) {
    loaded.show([&](const GraphDefinition& graph) { formats::saveProgram(graph, *language, options.output); });
  } else if (isPicture(format)) {
    writeText(options.output, loaded.show([&](const GraphDefinition& graph) { return pictureOf(graph, format); }));
  } else if (format == "coreml") {
    return readingFrom(options.output, [&] {
      return loaded.open ? coreml::savePackage(*loaded.open->definition, *loaded.open->sizes, options.output)
                         : coreml::savePackage(definitionOf(loaded.graph), options.output);
    });
  } else if (format == "onnx") {
    return readingFrom(options.output, [&] {
      const WeightsFormat weights = weightsFormatOf(options.weights).value_or(WeightsFormat::safetensors);
      return loaded.open ? formats::saveOnnx(*loaded.open, options.output, weights)
                         : formats::saveOnnx(definitionOf(loaded.graph), options.output, weights);
    });
  } else {
    saveGraph(loaded, options.output, {.graph = graphFormatOf(format), .weights = weightsFormatOf(options.weights)});
  }
  return {};
}

int run(const ConvertOptions& options) {
  const std::string format = formatOf(options);
  requireSensible(options, format);
  Context context = makeReader(options.model.backend);
  const LoadedGraph loaded = loadToShow(context, options.model);
  const LoadedGraph converted = withWeightsType(context, loaded, options);
  if (isStandardOutput(options.output)) {
    writeStandardOutput(converted, options, format);
    return kFine;
  }
  for (const std::string& note : write(converted, options, format)) {
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
  command.option("--to", options->format, "Format, if not given by the extension of OUT")
      .oneOf({"text", "binary", "json", "onnx", "coreml", "js", "py", "cpp", "dot", "svg"})
      .example("json");
  command
      .option("--weights-format", options->weights,
              "Where the weights go (safetensors; .webnnb: inline; ONNX: OUT.data, or inline)")
      .oneOf({"safetensors", "manifest", "inline"})
      .example("inline");
  command
      .option("--weights-type", options->weightsType,
              "Stores weights of float32 in half the space, each off by at most 2^-11 of itself or by 2^-25; a constant stays "
              "float32 if rounding would make a finite element infinite (65,520 and above), or if the largest finite magnitude "
              "is between 0 and 2^-14, both exclusive")
      .oneOf({"float16"})
      .example("float16");
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
