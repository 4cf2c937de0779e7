// webnn convert: a graph in another format.
#include <stdlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/escape.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "context/graph_state.h"
#include "coreml/export.h"
#include "formats/suffix.h"
#include "onnx/read/save.h"

namespace webnn::cli {

namespace {

struct ConvertOptions {
  ModelOptions model;
  std::filesystem::path output;
  std::string format, weights;
  bool quiet = false;
};

bool isStandardOutput(const std::filesystem::path& path) { return path == "-"; }

// The format by its option, else by the output's suffix.
std::string formatOf(const ConvertOptions& options) {
  if (!options.format.empty()) return options.format;
  if (options.output.extension() == ".dot") return "dot";
  static constexpr std::array<const char*, 5> kNames{"text", "json", "onnx", "binary", "coreml"};
  if (const auto format = formats::formatOfSuffix(options.output)) return kNames[static_cast<std::size_t>(*format)];
  if (isStandardOutput(options.output)) throw Misuse("standard output has no suffix: give the format by --to");
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

// Standard output is one file, so that the weights are in it.
void writeStandardOutput(const Graph& graph, const ConvertOptions& options, const std::string& format) {
  if (format == "coreml") throw Misuse("an .mlpackage is a folder, which standard output cannot be");
  if (!options.weights.empty() && options.weights != "inline" && !definitionOf(graph).constants.empty())
    throw Misuse("standard output holds one file: the weights are inline, or OUT is the name of a file");
  if (format == "dot") return print(toDot(graph));
  // Written as a file, which is complete before anybody reads it.
  std::string folder = (std::filesystem::temp_directory_path() / "webnn-XXXXXX").string();
  if (!::mkdtemp(folder.data())) fail(ErrorKind::operationError, "there can be no temporary folder ({}).", std::strerror(errno));
  const std::shared_ptr<void> removed(nullptr, [&](void*) {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  });
  const std::filesystem::path file = std::filesystem::path(folder) / "graph";
  const GraphFormat graphFormat = format == "onnx" ? GraphFormat::onnx : graphFormatOf(format);
  save(graph, file, {.graph = graphFormat, .weights = WeightsFormat::inlineBytes});
  const ExternalBytes bytes = mapFile(file);
  print({reinterpret_cast<const char*>(bytes.bytes.data()), bytes.bytes.size()});
}

int run(const ConvertOptions& options) {
  const std::string format = formatOf(options);
  if (format == "onnx" && !options.weights.empty() && options.weights != "inline") {
    throw Misuse("--weights-format: with ONNX the weights are in OUT.data, or inline.");
  }
  if (format == "coreml" && !options.weights.empty()) throw Misuse("--weights-format: an .mlpackage has a file of its own.");
  Context context = makeReader(options.model.backend);
  const Graph graph = loadModel(context, options.model);
  if (isStandardOutput(options.output)) {
    writeStandardOutput(graph, options, format);
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
      .oneOf({"text", "binary", "json", "onnx", "coreml", "dot"})
      .example("json");
  command
      .option("--weights-format", options->weights,
              "Where the weights go (safetensors; .webnnb: inline; ONNX: OUT.data, or inline)")
      .oneOf({"safetensors", "manifest", "inline"})
      .example("inline");
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
