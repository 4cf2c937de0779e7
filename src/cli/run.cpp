// webnn run: computes the outputs of a graph.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/escape.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/image.h"
#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/summary.h"

namespace webnn::cli {

namespace {

struct PictureOptions {
  std::vector<std::string> files;
  std::string preset, resize, channels, layout, range;
  std::vector<double> mean, std;
  double scale = 1;
  bool show = false;
};

struct RunOptions {
  ModelOptions model;
  std::vector<std::string> inputs;
  PictureOptions picture;
  std::vector<std::string> outputs;
  std::filesystem::path outputDirectory, labels;
  std::size_t top = 0, repeat = 1;
  bool quiet = false, verbose = false, json = false;
};

using InputBytes = std::vector<std::optional<std::vector<std::byte>>>;

std::array<double, 3> threeNumbers(std::string_view option, const std::vector<double>& numbers) {
  if (numbers.size() == 1) return {numbers[0], numbers[0], numbers[0]};
  if (numbers.size() != 3) throw Misuse(formatText("{}: there are {} numbers, not 1 or 3.", option, numbers.size()));
  return {numbers[0], numbers[1], numbers[2]};
}

// The preset, then what is given explicitly.
ImageOptions imageOptions(const PictureOptions& picture) {
  ImageOptions options = picture.preset == "imagenet" ? ImageOptions::imagenet() : ImageOptions();
  if (!picture.resize.empty()) {
    options.resize = picture.resize == "crop"   ? ResizeMode::centreCrop
                     : picture.resize == "none" ? ResizeMode::none
                                                : ResizeMode::stretch;
  }
  if (!picture.channels.empty()) options.order = picture.channels == "bgr" ? ChannelOrder::bgr : ChannelOrder::rgb;
  if (!picture.layout.empty()) options.layout = picture.layout == "nhwc" ? ImageLayout::nhwc : ImageLayout::nchw;
  if (!picture.range.empty()) options.range = picture.range == "0-255" ? ValueRange::zeroTo255 : ValueRange::zeroToOne;
  if (!picture.mean.empty()) options.mean = threeNumbers("--mean", picture.mean);
  if (!picture.std.empty()) options.std = threeNumbers("--std", picture.std);
  if (!(std::abs(picture.scale) > 0)) throw Misuse("--scale: the factor is 0 or no number.");
  for (double& divisor : options.std) divisor /= picture.scale;
  return options;
}

void setInput(InputBytes& bytes, const std::vector<NamedDescriptor>& inputs, std::size_t index, std::vector<std::byte> value) {
  if (bytes[index]) throw Misuse(formatText("input {} is given twice.", webnn::quoted(inputs[index].first)));
  bytes[index] = std::move(value);
}

// Terminals that do not say that they know UTF-8 get ASCII.
bool wantsAscii() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (!value || !*value) continue;
    const std::string_view locale(value);
    return locale.find("UTF-8") == std::string_view::npos && locale.find("utf8") == std::string_view::npos;
  }
  return true;
}

bool isChannelsLast(const OperandDescriptor& descriptor, const ImageOptions& options) {
  if (options.layout) return *options.layout == ImageLayout::nhwc;
  return descriptor.shape[1] != 1 && descriptor.shape[1] != 3;
}

void readPictures(InputBytes& bytes, const std::vector<NamedDescriptor>& inputs, const RunOptions& options) {
  const ImageOptions image = imageOptions(options.picture);
  for (const std::string& text : options.picture.files) {
    const auto [index, source] = resolveInput(inputs, "--image", text);
    const OperandDescriptor& descriptor = inputs[index].second;
    const ExternalBytes file = mapFile(source);
    setInput(bytes, inputs, index, readingFrom(source, [&] { return imageToTensor(file.bytes, descriptor, image); }));
    if (options.picture.show && !options.json)
      print(drawPicture(descriptor, *bytes[index], isChannelsLast(descriptor, image), wantsAscii()));
  }
}

std::vector<std::vector<std::byte>> readInputs(const std::vector<NamedDescriptor>& inputs, const RunOptions& options) {
  InputBytes bytes(inputs.size());
  for (const std::string& text : options.inputs) {
    const auto [index, source] = resolveInput(inputs, "--input", text);
    setInput(bytes, inputs, index, readInput(inputs[index], source));
  }
  readPictures(bytes, inputs, options);
  std::vector<std::vector<std::byte>> result;
  std::vector<NamedDescriptor> missing;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!bytes[i]) missing.push_back(inputs[i]);
    result.push_back(std::move(bytes[i]).value_or(std::vector<std::byte>()));
  }
  if (!missing.empty()) throw Misuse(formatText("no value is given for {}; use --input or --image.", listText(missing)));
  return result;
}

struct RunResult {
  std::vector<std::vector<std::byte>> outputs;
  std::vector<double> milliseconds;  // of each run, in ascending order
};

std::vector<NamedTensor> makeTensors(Context& context, const std::vector<NamedDescriptor>& operands, bool readable) {
  std::vector<NamedTensor> tensors;
  for (const auto& [name, descriptor] : operands) {
    const TensorDescriptor tensor{descriptor.dataType, descriptor.shape, readable, !readable};
    tensors.emplace_back(name, context.createTensor(tensor));
  }
  return tensors;
}

RunResult runGraph(Context& context, const Graph& graph, const std::vector<std::vector<std::byte>>& inputs,
                   const RunOptions& options) {
  const std::vector<NamedTensor> inputTensors = makeTensors(context, graph.inputs(), false);
  const std::vector<NamedTensor> outputTensors = makeTensors(context, graph.outputs(), true);
  for (std::size_t i = 0; i < inputs.size(); ++i) context.writeTensor(inputTensors[i].second, inputs[i]);
  RunResult result;
  Progress progress("run", options.repeat, options.quiet);
  for (std::size_t i = 0; i < options.repeat; ++i) {
    const auto start = std::chrono::steady_clock::now();
    context.dispatch(graph, inputTensors, outputTensors);
    result.outputs.clear();
    for (const auto& [name, tensor] : outputTensors) result.outputs.push_back(context.readTensor(tensor).get());
    result.milliseconds.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    progress.step();
  }
  std::ranges::sort(result.milliseconds);
  return result;
}

void writeOutputs(const Graph& graph, const RunResult& result, const RunOptions& options) {
  const std::vector<NamedDescriptor> outputs = graph.outputs();
  for (const std::string& text : options.outputs) {
    const auto [name, file] = nameAndValue("--output", text);
    const auto found = std::ranges::find(outputs, name, &NamedDescriptor::first);
    if (found == outputs.end())
      throw Misuse(formatText("--output: there is no output {}; the graph has {}.", webnn::quoted(name), listText(outputs)));
    writeOutput(file, found->second, result.outputs[static_cast<std::size_t>(found - outputs.begin())]);
  }
  if (options.outputDirectory.empty()) return;
  makeFolders(options.outputDirectory);
  std::set<std::string> used;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    writeOutput(options.outputDirectory / fileNameOf(outputs[i].first, used), outputs[i].second, result.outputs[i]);
  }
}

void report(const Context& context, const Graph& graph, const RunResult& result, const RunOptions& options) {
  const std::string labels = options.labels.empty() ? std::string() : readText(options.labels);
  const SummaryOptions summary{.top = options.top, .labels = options.labels.empty() ? nullptr : &labels};
  const std::vector<NamedDescriptor> outputs = graph.outputs();
  const double median = result.milliseconds[result.milliseconds.size() / 2];
  if (options.json) {
    Json json{{"backend", context.backend()}, {"runs", options.repeat}, {"outputs", Json::object()}};
    if (!context.service().empty()) json["service"] = context.service();
    json["milliseconds"] = {{"min", result.milliseconds.front()}, {"median", median}, {"max", result.milliseconds.back()}};
    for (std::size_t i = 0; i < outputs.size(); ++i)
      json["outputs"][outputs[i].first] = summaryJson(outputs[i], result.outputs[i], summary);
    if (const auto notes = graph.notes(); !notes.empty()) json["notes"] = notes;
    return print(jsonText(json));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) print(summaryText(outputs[i], result.outputs[i], summary));
  if (options.quiet) return;
  if (options.verbose) {
    for (const std::string& note : graph.notes()) print("note: " + escaped(note, 2000) + "\n");
  }
  const std::string service = context.service().empty() ? "" : formatText(" of the service {}", sanitized(context.service()));
  if (options.repeat == 1) return print(formatText("{:.3g} ms on backend {}{}\n", median, context.backend(), service));
  print(formatText("{} runs on backend {}{}: min {:.3g} ms, median {:.3g} ms, max {:.3g} ms\n", options.repeat, context.backend(),
                   service, result.milliseconds.front(), median, result.milliseconds.back()));
}

int run(const RunOptions& options) {
  if (!options.labels.empty() && options.top == 0) throw Misuse("--labels needs --top.");
  if (options.picture.show && options.picture.files.empty()) throw Misuse("--show needs --image.");
  Context context = makeContext(options.model.backend);
  const Graph graph = loadModel(context, options.model);
  const auto inputs = readInputs(graph.inputs(), options);
  const RunResult result = runGraph(context, graph, inputs, options);
  writeOutputs(graph, result, options);
  report(context, graph, result, options);
  return kFine;
}

// An option that may be given many times, with one value each time.
Option addRepeatable(const Command& app, const std::string& name, std::vector<std::string>& values,
                     const std::string& description, const std::string& type) {
  return app.option(name, values, description).type(type).repeatable();
}

void addPictureOptions(const Command& app, PictureOptions& picture) {
  const std::string group = "Pictures";
  addRepeatable(app, "--image", picture.files, "Input from a JPEG, PNG or BMP file", "[NAME=]FILE").group(group);
  app.option("--preset", picture.preset, "Mean, std and crop of a family of networks").oneOf({"imagenet"}).group(group);
  app.option("--resize", picture.resize, "How the picture fits the tensor (stretch)")
      .oneOf({"stretch", "crop", "none"})
      .group(group);
  app.option("--range", picture.range, "Values of black to white (0-1 for floats, 0-255 for integers)")
      .oneOf({"0-1", "0-255"})
      .group(group);
  app.option("--mean", picture.mean, "Subtracted from red, green, blue").commas().type("R,G,B").group(group);
  app.option("--std", picture.std, "Then divides red, green, blue").commas().type("R,G,B").group(group);
  app.option("--scale", picture.scale, "Then multiplies all").type("FACTOR").group(group);
  app.option("--channels", picture.channels, "Order of the tensor's channels (rgb)").oneOf({"rgb", "bgr"}).group(group);
  app.option("--layout", picture.layout, "Layout of the tensor (from its shape)").oneOf({"nchw", "nhwc"}).group(group);
  app.flag("--show", picture.show, "Draw the picture as text").group(group);
}

}  // namespace

void addRun(const Command& app, int& status) {
  auto options = std::make_shared<RunOptions>();
  const Command command = app.subcommand("run", "Compute the outputs of a graph");
  addModelOptions(command, options->model);
  addRepeatable(command, "--input", options->inputs, "Input from a .npy file, raw bytes, random:SEED, zeros or ones",
                "[NAME=]SOURCE");
  addPictureOptions(command, options->picture);
  addRepeatable(command, "--output", options->outputs, "Write an output: .npy, or raw bytes for any other name", "NAME=FILE");
  command.option("--output-dir", options->outputDirectory, "Write every output as NAME.npy").type("DIR");
  command.option("--top", options->top, "Show the K greatest elements of each row").range(1, 1000000000).type("K");
  command.option("--labels", options->labels, "Names of the classes, one to a line").type("FILE");
  command.option("--repeat", options->repeat, "Run N times and show the times").range(1, 1000000).type("N");
  command.flag("--json", options->json, "Machine-readable result");
  const Option quiet = command.flag("--quiet", options->quiet, "Results only");
  command.flag("--verbose", options->verbose, "Also say what the backend does otherwise than the graph says").excludes(quiet);
  command.footer(
      "Examples:\n"
      "  webnn run digits.webnn --image image=3.png --top 3 --labels labels.txt --show\n"
      "  webnn run model.webnn --input x=random:1 --output y=y.npy");
  command.action([options, &status] { status = run(*options); });
}

}  // namespace webnn::cli
