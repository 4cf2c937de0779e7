// webnn run: computes a graph's outputs.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "base/escape.h"
#include "base/files/file.h"
#include "base/files/matching_files.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/diff/diff_bisect.h"
#include "cli/image.h"
#include "cli/inputs.h"
#include "cli/inspect/summary.h"
#include "cli/model_session.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "context/graph_state.h"
#include "formats/suffix.h"
#include "ops/sizes/open_sizes.h"
#include "webnn/session.h"

namespace webnn::cli {

namespace {

constexpr std::string_view kPictureSuffixes[] = {".jpg", ".jpeg", ".png", ".bmp"};

struct PictureOptions {
  std::vector<std::string> files;
  std::vector<std::string> more;  // further files of the last --image, if the shell has expanded its pattern
  std::string preset, resize, channels, layout, range;
  std::vector<double> mean, std;
  double scale = 1;
  bool show = false;
};

struct RunOptions {
  ModelOptions model;
  std::vector<std::string> inputs;
  std::string fill;
  PictureOptions picture;
  std::vector<std::string> outputs;
  std::filesystem::path outputDirectory, labels;
  std::size_t top = 0, repeat = 1;
  bool quiet = false, verbose = false, json = false, full = false, softmax = false, all = false;
};

std::array<double, 3> threeNumbers(std::string_view option, const std::vector<double>& numbers) {
  if (numbers.size() == 1) return {numbers[0], numbers[0], numbers[0]};
  if (numbers.size() != 3) throw Misuse(formatText("{}: there are {} numbers, not 1 or 3.", option, numbers.size()));
  return {numbers[0], numbers[1], numbers[2]};
}

// Applies the preset first, then explicit options.
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

// Returns whether the locale's encoding is not UTF-8.
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

// Returns the inputs as the file declares them, with open dimensions; empty if the file cannot be described.
std::vector<DeclaredInput> declaredInputs(const ModelOptions& model) {
  try {
    return describeModel(model).inputs;
  } catch (const Error&) {  // loading reports the error
    return {};
  }
}

// Sources of the inputs: `values` are the same in each run, `pictures` have one file per run (or one for all).
struct Sources {
  std::map<std::string, std::string> values;
  std::map<std::string, std::vector<std::string>> pictures;

  std::size_t runs() const {
    std::size_t most = 1;
    for (const auto& [name, files] : pictures) most = std::max(most, files.size());
    return most;
  }
  bool has(const std::string& input) const { return values.contains(input) || pictures.contains(input); }
};

// Returns the files that match the pattern, or the pattern itself if it has no wildcards or is the name of a file.
std::vector<std::string> filesOf(const std::string& pattern) {
  std::error_code ignored;
  if (pattern.find_first_of("*?[") == std::string::npos || std::filesystem::exists(pattern, ignored)) return {pattern};
  std::vector<std::string> files = matchingFiles(pattern);
  if (files.empty()) throw Misuse(formatText("--image: there is no file {}.", webnn::quoted(pattern)));
  return files;
}

// Throws Misuse if more than one argument reads standard input.
void requireOneOfStandardInput(const Sources& sources, const RunOptions& options) {
  std::vector<KnownInput> readers;
  for (const auto& [name, source] : sources.values) {
    if (source == "-") readers.push_back({name, "--input"});
  }
  for (const auto& [name, files] : sources.pictures) {
    for (const std::string& file : files)
      if (file == "-") readers.push_back({name, "--image"});
  }
  if (options.model.model == "-") readers.insert(readers.begin(), {"-", "MODEL"});
  if (readers.size() > 1) throw Misuse(formatText("standard input is one thing only, not {}.", listText(readers)));
}

Sources sourcesOf(const std::vector<KnownInput>& inputs, const RunOptions& options) {
  Sources sources;
  for (const std::string& text : options.inputs) {
    const auto [index, source] = resolveInput(inputs, "--input", text);
    if (!sources.values.emplace(inputs[index].name, source).second)
      throw Misuse(formatText("input {} is given twice.", webnn::quoted(inputs[index].name)));
  }
  std::string last;  // the input of the last --image, to which `more` also belongs
  for (const std::string& text : options.picture.files) {
    const auto [index, source] = resolveInput(inputs, "--image", text);
    last = inputs[index].name;
    for (std::string& file : filesOf(source)) sources.pictures[last].push_back(std::move(file));
  }
  for (const std::string& file : options.picture.more) sources.pictures[last].push_back(file);
  for (const auto& [name, files] : sources.pictures) {
    if (sources.values.contains(name)) throw Misuse(formatText("input {} is given twice.", webnn::quoted(name)));
    if (files.size() != 1 && files.size() != sources.runs())
      throw Misuse(formatText("--image: input {} has {} pictures, not {}.", webnn::quoted(name), files.size(), sources.runs()));
  }
  requireOneOfStandardInput(sources, options);
  if (options.fill.empty()) return sources;
  std::uint64_t seed = 1;
  for (const KnownInput& input : inputs) {
    if (!sources.has(input.name)) sources.values[input.name] = generatedSource("--fill", options.fill, seed++);
  }
  return sources;
}

// Returns the input's shape for this picture: open dimensions become batch 1, 3 channels and the picture's height and width.
// Empty if the input does not have rank 4.
Shape shapeOfPicture(const DeclaredInput& input, const std::string& file, const ImageOptions& options) {
  Shape shape;
  for (const DeclaredDimension& dimension : input.shape) shape.push_back(dimension.name.empty() ? dimension.size : 0);
  if (shape.size() != 4) return {};
  const bool isLast = options.layout ? *options.layout == ImageLayout::nhwc : shape[1] != 3 && shape[1] != 1 && shape[3] != 0;
  const std::size_t channels = isLast ? 3 : 1, rows = isLast ? 1 : 2;
  if (shape[0] == 0) shape[0] = 1;
  if (shape[channels] == 0) shape[channels] = 3;
  if (shape[rows] != 0 && shape[rows + 1] != 0) return shape;
  const auto size = readingFrom(file, [&] { return imageSize(readBytes(file).bytes); });
  if (shape[rows] == 0) shape[rows] = size[0];
  if (shape[rows + 1] == 0) shape[rows + 1] = size[1];
  return shape;
}

// Returns the size of an open dimension if the user gives no size: 224 for the height and width of pictures, 3 for their
// channels, 256 for the length of a signal, 16 for the length of a sequence of indices, and 1 otherwise.
std::uint32_t defaultSize(const DeclaredInput& input, std::size_t axis) {
  const std::size_t rank = input.shape.size();
  if (rank == 4) {
    const bool isLast = input.shape[3].name.empty() && input.shape[3].size <= 4;  // the channels are the last dimension
    return axis == 0 ? 1 : axis == (isLast ? 3U : 1U) ? 3 : 224;
  }
  if (axis == 0 || axis + 1 != rank) return 1;
  return isFloat(input.dataType) ? 256 : 16;
}

// Sets the open dimensions in `model` to the sizes of --dim and of the run's inputs. With --fill, names that are still unknown
// get defaultSize(), and expressions such as "past + 1" get their values.
void fixDimensions(const std::vector<DeclaredInput>& inputs, const Sources& sources, std::size_t run, const RunOptions& options,
                   ModelOptions& model) {
  if (missingDimensions(inputs, model).empty()) return;
  std::map<std::string, Shape> shapes;
  for (const DeclaredInput& input : inputs) {
    if (const auto found = sources.values.find(input.name); found != sources.values.end()) {
      if (const auto shape = shapeOf(found->second)) shapes[input.name] = *shape;
    } else if (const auto pictures = sources.pictures.find(input.name); pictures != sources.pictures.end()) {
      const std::string& file = pictures->second[std::min(run, pictures->second.size() - 1)];
      if (Shape shape = shapeOfPicture(input, file, imageOptions(options.picture)); !shape.empty()) shapes[input.name] = shape;
    }
  }
  std::map<std::string, std::uint32_t> sizes;
  for (const std::string& text : model.dimensions) {
    const auto [name, size] = nameAndValue("--dim", text);
    sizes[name] = static_cast<std::uint32_t>(std::strtoul(size.c_str(), nullptr, 10));  // validated when the model is loaded
  }
  // Ignores sizes that are still unknown: load() lists the missing --dim options.
  for (const DeclaredInput& input : inputs) {
    const auto shape = shapes.find(input.name);
    // Sizes of 0 pass, because a session takes arrays without elements.
    if (shape != shapes.end()) sizes = dimensionsOf(std::span(&input, 1), {*shape}, sizes, true);
  }
  if (!options.fill.empty()) {
    std::set<std::string> names;
    for (const DeclaredInput& input : inputs) {
      for (const DeclaredDimension& dimension : input.shape) names.insert(dimension.name);
    }
    std::set<std::string> expressions;  // such as "past + 1"
    for (const DeclaredInput& input : inputs) {
      for (std::size_t axis = 0; axis < input.shape.size(); ++axis) {
        const DeclaredDimension& dimension = input.shape[axis];
        if (dimension.name.empty()) continue;
        if (OpenSizes::isExpression(dimension.name, names)) {
          expressions.insert(dimension.name);
          continue;
        }
        const std::uint32_t size = std::max(defaultSize(input, axis), dimension.min);
        sizes.try_emplace(dimension.name, dimension.size == 0 ? size : std::min(size, dimension.size));
      }
    }
    for (const std::string& text : expressions) sizes.try_emplace(text, OpenSizes::valueOf(text, sizes).value_or(1));
  }
  model.dimensions.clear();
  for (const auto& [name, size] : sizes) model.dimensions.push_back(formatText("{}={}", name, size));
}

[[noreturn]] void failMissing(const std::vector<NamedDescriptor>& missing) {
  const auto& [name, descriptor] = missing.front();
  const bool isPicture = descriptor.shape.size() == 4 && (descriptor.shape[1] == 3 || descriptor.shape[3] == 3);
  throw Misuse(formatText("no value is given for {}; use --input {}=FILE.npy, {}or --fill random for any.", listText(missing),
                          sanitized(name), isPicture ? formatText("--image {}=PICTURE, ", sanitized(name)) : ""));
}

std::vector<std::vector<std::byte>> readInputs(const std::vector<NamedDescriptor>& inputs, const Sources& sources,
                                               std::size_t run, const RunOptions& options) {
  const ImageOptions image = imageOptions(options.picture);
  std::vector<std::vector<std::byte>> result;
  std::vector<NamedDescriptor> missing;
  for (const NamedDescriptor& input : inputs) {
    const auto& [name, descriptor] = input;
    if (!sources.has(name)) {
      missing.push_back(input);
    } else if (const auto found = sources.values.find(name); found != sources.values.end()) {
      result.push_back(readInput(input, found->second));
    } else {
      const std::vector<std::string>& files = sources.pictures.at(name);
      const std::string& file = files[std::min(run, files.size() - 1)];
      const ExternalBytes bytes = readBytes(file);
      const OperandDescriptor& type = descriptor;
      result.push_back(readingFrom(file, [&] { return imageToTensor(bytes.bytes, type, image); }));
      if (options.picture.show && !options.json)
        print(drawPicture(type, result.back(), isChannelsLast(type, image), wantsAscii()));
    }
  }
  if (!missing.empty()) failMissing(missing);
  return result;
}

struct RunResult {
  std::vector<std::vector<std::byte>> outputs;
  std::vector<std::pair<std::string, std::vector<std::string>>> texts;  // outputs shown as text: strings and sequences
  std::vector<double> milliseconds;                                     // time of each run, in ascending order
};

std::vector<NamedTensor> makeTensors(Context& context, const std::vector<NamedDescriptor>& operands, bool readable) {
  std::vector<NamedTensor> tensors;
  for (const auto& [name, descriptor] : operands) {
    const TensorDescriptor tensor{descriptor.dataType, descriptor.shape, readable, !readable};
    tensors.emplace_back(name, context.createTensor(tensor));
  }
  return tensors;
}

// Runs a model that no single graph can hold. Sets `outputs` to the names and types of the results that are not shown as text.
RunResult runSession(const Session& session, const std::vector<NamedDescriptor>& descriptors,
                     const std::vector<std::vector<std::byte>>& inputs, std::vector<NamedDescriptor>& outputs,
                     const RunOptions& options) {
  std::map<std::string, Array> converted;
  std::map<std::string, ArrayView> views;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& [name, descriptor] = descriptors[i];
    const auto declared = std::ranges::find(session.inputs(), name, &DeclaredInput::name);
    views.emplace(name, converted[name] = arrayFor(*declared, descriptor, inputs[i]));
  }
  RunResult result;
  Progress progress("run", options.repeat, options.quiet);
  std::map<std::string, Array> arrays;
  for (std::size_t i = 0; i < options.repeat; ++i) {
    const auto start = std::chrono::steady_clock::now();
    arrays = session.run(views);
    result.milliseconds.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    progress.step();
  }
  outputs.clear();
  for (const DeclaredOutput& output : session.outputs()) {
    Array& array = arrays.at(output.name);
    if (hasTextOnly(array)) {
      result.texts.emplace_back(output.name, textsOf(array));
      continue;
    }
    array = shownAs(std::move(array));
    outputs.emplace_back(output.name, array.descriptor);
    result.outputs.push_back(std::move(array.bytes));
  }
  std::ranges::sort(result.milliseconds);
  return result;
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

bool isStandardOutput(const RunOptions& options) {
  return std::ranges::any_of(options.outputs, [](const std::string& text) { return text == "-" || text.ends_with("=-"); });
}

// Splits "NAME=FILE". FILE alone is allowed if the graph has one output.
std::pair<std::string, std::string> outputAndFile(const std::string& text, const std::vector<NamedDescriptor>& outputs) {
  if (text.find('=') != std::string::npos) return nameAndValue("--output", text);
  const bool isFile = text == "-" || std::filesystem::path(text).has_extension();
  if (isFile && outputs.size() == 1) return {outputs[0].first, text};
  throw Misuse(
      formatText("--output: {} is not NAME=FILE; write {}.", webnn::quoted(text),
                 isFile ? formatText("{}={}", sanitized(outputs[0].first), sanitized(text)) : sanitized(text) + "=FILE.npy"));
}

void writeOutputs(const std::vector<NamedDescriptor>& outputs, const RunResult& result, const RunOptions& options,
                  const std::filesystem::path& folder) {
  for (const std::string& text : options.outputs) {
    const auto [name, file] = outputAndFile(text, outputs);
    const auto found = std::ranges::find(outputs, name, &NamedDescriptor::first);
    if (outputs.empty()) throw Misuse("--output: the model has no output that is a tensor, which a file could hold");
    if (found == outputs.end()) {
      throw Misuse(formatText("--output: there is no output {}; the graph has {}, and --all shows what it computes on the way.",
                              webnn::quoted(name), listText(outputs)));
    }
    writeOutput(file, found->second, result.outputs[static_cast<std::size_t>(found - outputs.begin())]);
  }
  if (folder.empty()) return;
  makeFolders(folder);
  std::set<std::string> used;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    writeOutput(folder / fileNameOf(outputs[i].first, used), outputs[i].second, result.outputs[i]);
}

std::string timesText(const Context& context, const std::vector<double>& milliseconds) {
  const std::string service = context.service().empty() ? "" : formatText(" of the service {}", sanitized(context.service()));
  const double median = milliseconds[milliseconds.size() / 2];
  if (milliseconds.size() == 1) return formatText("{:.3g} ms on backend {}{}\n", median, context.backend(), service);
  return formatText("{} runs on backend {}{}: min {:.3g} ms, median {:.3g} ms, max {:.3g} ms\n", milliseconds.size(),
                    context.backend(), service, milliseconds.front(), median, milliseconds.back());
}

Json timesJson(const std::vector<double>& milliseconds) {
  return {{"min", milliseconds.front()}, {"median", milliseconds[milliseconds.size() / 2]}, {"max", milliseconds.back()}};
}

// Runs the graph or session with each set of inputs, as often as --repeat says, and reports the results.
class Runner {
 public:
  explicit Runner(const RunOptions& options)
      : options_(options), context_(makeContext(options.model.backend)), declared_(declaredInputs(options.model)) {
    if (!options.labels.empty()) labels_ = readText(options.labels);
    if (declared_.empty()) {
      graph_ = load(options.model);
      inputs_ = graph_->inputs();
    }
    known_ = declared_.empty() ? knownInputs(inputs_) : knownInputs(declared_);
    sources_ = sourcesOf(known_, options);
  }

  void run() {
    const std::size_t runs = sources_.runs();
    if (runs > 1 && !options_.outputs.empty()) throw Misuse("--output: there are several pictures; use --output-dir.");
    const bool isSilent = isStandardOutput(options_);
    for (std::size_t i = 0; i < runs; ++i) {
      useGraph(i);
      const auto inputs = readInputs(inputs_, sources_, i, options_);
      const RunResult result =
          graph_ ? runGraph(context_, *graph_, inputs, options_) : runSession(*session_, inputs_, inputs, results_, options_);
      milliseconds_.insert(milliseconds_.end(), result.milliseconds.begin(), result.milliseconds.end());
      const std::string picture = runs > 1 ? pictureOf(i) : std::string();
      writeOutputs(results_, result, options_, picture.empty() ? options_.outputDirectory : folderOf(picture));
      if (!isSilent) report(result, picture);
    }
    std::ranges::sort(milliseconds_);
    if (!isSilent) finish();
  }

 private:
  // Loads the graph, or opens a session, for this run's sizes, unless the previous run had the same sizes.
  void useGraph(std::size_t run) {
    ModelOptions model = options_.model;
    if (!declared_.empty()) fixDimensions(declared_, sources_, run, options_, model);
    if ((graph_ || session_) && (declared_.empty() || model.dimensions == dimensions_)) return;
    dimensions_ = model.dimensions;
    session_.reset();
    graph_.reset();
    const bool mayBeSession = !options_.all && !declared_.empty();  // --all shows inner operands, which a session does not have
    try {
      const bool hasSizeZero = std::ranges::any_of(dimensions_, [](const std::string& text) { return text.ends_with("=0"); });
      if (!hasSizeZero || !mayBeSession) graph_ = load(model);
    } catch (const Error& error) {
      const bool isForSession = error.kind() == ErrorKind::notSupportedError && !declared_.empty();
      if (!isForSession) throw;
      if (options_.all) throw Error(error.kind(), std::string("--all shows the operands of a single graph. ") + error.what());
    }
    if (!graph_) {
      inputs_ = fixedInputs(declared_, model);
      if (std::ranges::any_of(inputs_, [](const auto& input) { return std::ranges::count(input.second.shape, 0U) > 0; }))
        model.dimensions.clear();  // a graph cannot have the size 0; the session takes the sizes from the inputs of the run
      session_ = openSession(context_, model);
      return;
    }
    inputs_ = graph_->inputs();
    results_ = graph_->outputs();
  }

  // Loads the graph. Operands named by --output become outputs too; with --all, all operands do.
  Graph load(const ModelOptions& model) {
    Graph graph = loadModel(context_, model);
    if (options_.all) return withAllOutputs(context_, definitionOf(graph));
    std::set<std::string> others;
    for (const std::string& text : options_.outputs) others.insert(text.substr(0, text.find('=')));
    for (const auto& [name, descriptor] : graph.outputs()) others.erase(name);
    const bool isOfAFile = others.size() == 1 && others.contains(options_.outputs[0]);
    return others.empty() || isOfAFile ? graph : withOutputs(context_, definitionOf(graph), others);
  }

  std::string pictureOf(std::size_t run) const {
    for (const auto& [name, files] : sources_.pictures) {
      if (files.size() > 1) return files[run];
    }
    return {};
  }

  // Returns the directory for the outputs of this picture, different for each; empty if there is no output directory.
  std::filesystem::path folderOf(const std::string& picture) {
    if (options_.outputDirectory.empty()) return {};
    std::string name = std::filesystem::path(picture).stem().string();
    while (!folders_.insert(name).second) name.insert(0, "_");
    return options_.outputDirectory / name;
  }

  void report(const RunResult& result, const std::string& picture) {
    const SummaryOptions summary{.top = options_.top,
                                 .labels = options_.labels.empty() ? nullptr : &labels_,
                                 .softmax = options_.softmax,
                                 .full = options_.full};
    const std::vector<NamedDescriptor>& outputs = results_;
    if (options_.json) {
      Json json = Json::object();
      for (std::size_t i = 0; i < outputs.size(); ++i)
        json[outputs[i].first] = summaryJson(outputs[i], result.outputs[i], summary);
      for (const auto& [name, strings] : result.texts) {
        Json list = Json::array();
        for (const std::string& text : strings) list.push(text);
        json[name] = std::move(list);
      }
      if (picture.empty()) return outputs_ = std::move(json), void();
      pictures_.push({{"picture", picture}, {"outputs", std::move(json)}});
      return;
    }
    if (!picture.empty()) print(emphasized(Emphasis::strong, sanitized(picture)) + "\n");
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      print(summaryText(outputs[i], result.outputs[i], summary));
      hasNan_ = hasNan_ || nanCount(outputs[i].second, result.outputs[i]) > 0;
    }
    for (const auto& [name, strings] : result.texts) {
      std::string list;
      for (const std::string& text : strings)
        list += (list.empty() ? "" : ", ") + (text.starts_with('{') ? sanitized(text) : webnn::quoted(text));
      print(formatText("{}: {}\n", sanitized(name), list));
    }
  }

  // Prints the times, notes and random inputs of all runs; with --json, also the results.
  void finish() {
    if (options_.json) {
      Json json{{"backend", context_.backend()}, {"runs", milliseconds_.size()}};
      if (!context_.service().empty()) json["service"] = context_.service();
      json["milliseconds"] = timesJson(milliseconds_);
      for (const auto& [name, source] : sources_.values) {
        if (source.starts_with("random")) json["inputs"] = generated();
      }
      if (pictures_.empty()) {
        json["outputs"] = std::move(outputs_);
      } else {
        json["pictures"] = std::move(pictures_);
      }
      if (const std::vector<std::string> notes = this->notes(); !notes.empty()) json["notes"] = notes;
      return print(jsonText(json));
    }
    if (options_.quiet) return;
    if (options_.verbose) {
      for (const std::string& note : notes()) print("note: " + escaped(note, 2000) + "\n");
    }
    std::string made;
    const Json filled = generated();
    for (const auto& [name, source] : filled.members())
      made += (made.empty() ? "filled " : ", ") + sanitized(name) + " with " + source.asText();
    if (!made.empty()) print(made + "\n");
    if (hasNan_ && !options_.all) print("some elements are NaN; --all shows which operand has the first\n");
    print(timesText(context_, milliseconds_));
  }

  std::vector<std::string> notes() const {
    if (graph_) return graph_->notes();
    return {"the model runs in several graphs and on the host, because no single graph can hold it."};
  }

  // Returns the sources of random inputs, from which a later run can generate the same values.
  Json generated() const {
    Json json = Json::object();
    for (const auto& [name, source] : sources_.values) {
      if (source.starts_with("random")) json[name] = source == "random" ? "random:1" : source;
    }
    return json;
  }

  const RunOptions& options_;
  Context context_;
  std::vector<DeclaredInput> declared_;
  std::optional<Graph> graph_;
  std::optional<Session> session_;                 // used instead of a graph if no single graph can hold the model
  std::vector<NamedDescriptor> inputs_, results_;  // inputs and outputs of the graph or the session
  std::vector<KnownInput> known_;
  Sources sources_;
  std::string labels_;
  std::vector<std::string> dimensions_;
  std::vector<double> milliseconds_;
  std::set<std::string> folders_;
  Json outputs_, pictures_ = Json::array();
  bool hasNan_ = false;
};

[[noreturn]] void failLoneFile(const std::filesystem::path& file) {
  const bool isPicture = std::ranges::find(kPictureSuffixes, formats::lowerSuffix(file)) != std::end(kPictureSuffixes);
  throw Misuse(formatText("{} stands without an option; an input is given as {} {}.", webnn::quoted(file.string()),
                          isPicture ? "--image" : "--input", sanitized(file.string())));
}

int run(RunOptions options) {
  constexpr std::size_t kShown = 5;
  if (options.softmax && options.top == 0) options.top = kShown;
  if (!options.labels.empty() && options.top == 0) options.top = kShown;
  if (options.full && !options.json) throw Misuse("--full needs --json.");
  if (options.picture.show && options.picture.files.empty()) throw Misuse("--show needs --image.");
  if (!options.picture.more.empty() && options.picture.files.empty()) failLoneFile(options.picture.more[0]);
  Runner(options).run();
  return kFine;
}

Option addRepeatable(const Command& app, const std::string& name, std::vector<std::string>& values,
                     const std::string& description, const std::string& type) {
  return app.option(name, values, description).type(type).repeatable();
}

void addPictureOptions(const Command& app, PictureOptions& picture) {
  const std::string group = "Pictures";
  addRepeatable(app, "--image", picture.files, "Input from a JPEG, PNG or BMP file", "[NAME=]FILE")
      .group(group)
      .example("photo.jpg");
  app.option("--preset", picture.preset, "Mean, std and crop of a family of networks")
      .oneOf({"imagenet"})
      .group(group)
      .example("imagenet");
  app.option("--resize", picture.resize, "How the picture fits the tensor (stretch)")
      .oneOf({"stretch", "crop", "none"})
      .group(group)
      .example("crop");
  app.option("--range", picture.range, "Values of black to white (0-1 for floats, 0-255 for integers)")
      .oneOf({"0-1", "0-255"})
      .group(group)
      .example("0-255");
  app.option("--mean", picture.mean, "Subtracted from red, green, blue")
      .commas()
      .type("R,G,B")
      .group(group)
      .example("0.485,0.456,0.406");
  app.option("--std", picture.std, "Divisors of red, green, blue, after --mean")
      .commas()
      .type("R,G,B")
      .group(group)
      .example("0.229,0.224,0.225");
  app.option("--scale", picture.scale, "Factor of all elements, after --std").type("FACTOR").group(group).example("0.5");
  app.option("--channels", picture.channels, "Order of the tensor's channels (rgb)")
      .oneOf({"rgb", "bgr"})
      .group(group)
      .example("bgr");
  app.option("--layout", picture.layout, "Layout of the tensor (from its shape)")
      .oneOf({"nchw", "nhwc"})
      .group(group)
      .example("nhwc");
  app.flag("--show", picture.show, "Draw the picture as text").group(group);
}

}  // namespace

void addRun(const Command& app, int& status) {
  auto options = std::make_shared<RunOptions>();
  const Command command = app.subcommand("run", "Compute the outputs of a graph");
  addModelOptions(command, options->model);
  command.option("PICTURE", options->picture.more, "More files for --image, so that a shell may expand --image *.jpg")
      .type("FILE");
  addRepeatable(command, "--input", options->inputs,
                "Input from a .npy file, JSON, raw bytes or - for standard input; or random, random:SEED, zeros, ones, [1, 2]",
                "[NAME=]SOURCE")
      .example("x=x.npy");
  command.option("--fill", options->fill, "Values of all other inputs: random, random:SEED, zeros or ones")
      .type("VALUES")
      .example("random");
  addPictureOptions(command, options->picture);
  addRepeatable(command, "--output", options->outputs,
                "Write an output: .npy, raw bytes for any other name, or .npy to standard output for -", "NAME=FILE")
      .example("y=y.npy");
  command.option("--output-dir", options->outputDirectory, "Write every output as NAME.npy").type("DIR").example("results");
  command.option("--top", options->top, "Show the K greatest elements of each row (5 with --softmax or --labels)")
      .range(1, 1000000000)
      .type("K")
      .example("3");
  command.flag("--softmax", options->softmax, "Convert outputs from scores to probabilities before showing them");
  command.option("--labels", options->labels, "Names of the classes, one to a line").type("FILE").example("labels.txt");
  command.option("--repeat", options->repeat, "Run N times and show the times").range(1, 1000000).type("N").example("100");
  command.flag("--all", options->all, "Show every operand of the graph, not only the outputs, and write them to --output-dir");
  command.flag("--json", options->json, "Machine-readable result, with the first values of large outputs");
  command.flag("--full", options->full, "With --json: all values of all outputs");
  const Option quiet = command.flag("--quiet", options->quiet, "Results only");
  command.flag("--verbose", options->verbose, "Also print how the backend deviates from the graph, such as in data types")
      .excludes(quiet);
  command.footer(
      "Open dimensions of the model take their sizes from the given inputs and from --dim. With --fill, the remaining ones "
      "are\n"
      "224 for the height and width of a picture, 256 for the length of a signal, 16 for the length of a sequence of indices,\n"
      "and 1 otherwise.\n"
      "Examples:\n"
      "  webnn run digits.webnn --image 3.png --labels labels.txt\n"
      "  webnn run model.onnx --fill random\n"
      "  webnn run model.onnx --image photos/*.jpg --preset imagenet --softmax --labels labels.txt\n"
      "  webnn run model.onnx --input \"ids=[[101, 7592, 102]]\" --output y=y.npy\n"
      "  webnn run model.onnx --input x=- --output y=- < x.npy > y.npy");
  command.action([options, &status] { status = run(*options); });
}

}  // namespace webnn::cli
