#include "formats/save_onnx.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>

#include "backends/onnxruntime/kernel_types.h"
#include "base/files/file.h"
#include "base/text.h"
#include "context/graph_state.h"
#include "context/reading_context.h"
#include "formats/weights_beside.h"
#include "onnx/write/export.h"
#include "onnx/write/open_export.h"

namespace webnn::formats {

namespace {

constexpr std::uint64_t kMaxModel = std::numeric_limits<std::int32_t>::max();  // protobuf's limit in bytes

void requireFits(std::uint64_t bytes) {
  if (bytes <= kMaxModel) return;
  fail(ErrorKind::operationError,
       "save: an ONNX file holds at most {} bytes, not the {} of this graph; save its weights beside it.", kMaxModel, bytes);
}

void write(std::ostream& stream, const char* data, std::size_t size) { stream.write(data, static_cast<std::streamsize>(size)); }

// Writes the constants at their offsets, with zeros in between.
void writeExternal(std::ostream& stream, const std::vector<webnn::onnx::ExternalConstant>& constants) {
  std::uint64_t at = 0;
  for (const webnn::onnx::ExternalConstant& constant : constants) {
    const std::string padding(constant.offset - at, '\0');
    write(stream, padding.data(), padding.size());
    write(stream, reinterpret_cast<const char*>(constant.bytes.data()), constant.bytes.size());
    at = constant.offset + constant.bytes.size();
  }
}

}  // namespace

namespace {

// The graphs that webnn::onnx::exportOpen() compares, and factors of their sizes, tried in this order: some graphs take only
// sizes that a number divides.
constexpr std::size_t kSamples = 6;
constexpr std::uint32_t kFactors[] = {1, 8, 12, 32, 840};

// Returns sizes for each sample. The sizes of a dimension have different remainders, because a padding may depend on them. Those
// of two dimensions differ in no constant sum or factor, so that few expressions have the same values in all samples. With
// `hasLarge`, the last sample is large, because an operation may limit a number to a size.
std::vector<std::vector<std::int64_t>> sampleSizes(const OpenSizes& sizes, std::uint32_t factor, bool hasLarge) {
  constexpr std::uint32_t kMany = 16, kLarge = 40;
  const std::vector<OpenSizes::Named> named = sizes.named();
  std::vector<std::vector<std::int64_t>> samples(kSamples, std::vector<std::int64_t>(named.size()));
  std::uint32_t place = 0;
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (named[i].sameAs != i) continue;
    // Fixed graphs have no size of 0. The size 1, which broadcasts, is left out if there are many others.
    const std::uint32_t most = std::max(named[i].most, 1u), count = most - std::min(named[i].least, most) + 1;
    const std::uint32_t least = std::min(std::max(named[i].least, count < kMany ? 1u : 2u), most);
    for (std::uint32_t k = 0; k < kSamples; ++k) {
      const auto name = static_cast<std::uint32_t>(i);
      const std::uint32_t wanted =
          factor * (31 + 11 * name + k + (name + 2) * k * k) * (hasLarge && k + 1 == kSamples ? kLarge : 1);
      samples[k][i] = wanted >= least && wanted <= most ? wanted : most - place++ % std::min(count, most - least + 1);
    }
  }
  for (std::vector<std::int64_t>& sample : samples) {
    for (std::size_t i = 0; i < named.size(); ++i) sample[i] = sample[named[i].sameAs];
  }
  return samples;
}

// Returns the graph for the sizes of a sample.
FixedGraph fixed(Context& context, const OpenGraph& graph, const std::vector<std::int64_t>& sample) {
  std::map<std::string, std::uint32_t> sizes;
  const std::vector<OpenSizes::Named> named = graph.sizes->named();
  for (std::size_t i = 0; i < named.size(); ++i)
    sizes[OpenSizes::keyOfName(named[i].name)] = static_cast<std::uint32_t>(sample[i]);
  return fixGraph(context, graph, sizes, nullptr);
}

// Options for ONNX Runtime as the target, because a model whose operators it cannot run would be of little use.
webnn::onnx::ExportOptions optionsFor(const GraphDefinition& graph, const std::filesystem::path& dataPath,
                                      WeightsFormat weights) {
  webnn::onnx::ExportOptions options{.target = onnxruntime::onnxruntimeTarget(), .externalFile = dataPath.filename().string()};
  if (weights == WeightsFormat::inlineBytes) {
    options.externalFrom = std::numeric_limits<std::size_t>::max();
    std::uint64_t bytes = 0;  // cannot overflow: all constants are in memory, or mapped
    for (const Operand& constant : graph.constants) bytes += constant.record().bytes.size();
    requireFits(bytes);
  }
  return options;
}

std::filesystem::path dataPathOf(std::filesystem::path path) { return path += ".data"; }

void writeFiles(const webnn::onnx::ExportedModel& model, const std::filesystem::path& path) {
  requireFits(model.proto.size());
  requireNobodysWeights(path);
  const std::filesystem::path dataPath = dataPathOf(path);
  Replacement files;
  if (!model.external.empty()) {
    if (const std::string loser = whoLoses(path, dataPath); !loser.empty())
      fail(ErrorKind::operationError, "save: {}; save under another name, or with the weights inline.", loser);
    files.add(dataPath, [&](std::ostream& stream) { writeExternal(stream, model.external); });
  }
  files.add(path, [&](std::ostream& stream) { write(stream, model.proto.data(), model.proto.size()); });
  files.commit();
}

}  // namespace

std::vector<std::string> saveOnnx(const GraphDefinition& graph, const std::filesystem::path& path, WeightsFormat weights) {
  webnn::onnx::ExportedModel model = webnn::onnx::exportModel(graph, optionsFor(graph, dataPathOf(path), weights));
  writeFiles(model, path);
  return std::move(model.notes);
}

std::vector<std::string> saveOnnx(const OpenGraph& graph, const std::filesystem::path& path, WeightsFormat weights) {
  Context context = makeReadingContext();
  std::vector<Graph> graphs;
  std::vector<std::vector<std::int64_t>> sizes;
  std::string reason;
  for (std::size_t attempt = 0; attempt < 2 * std::size(kFactors) && graphs.empty(); ++attempt) {
    try {
      sizes = sampleSizes(*graph.sizes, kFactors[attempt / 2], attempt % 2 == 0);
      for (const std::vector<std::int64_t>& sample : sizes) graphs.push_back(fixed(context, graph, sample).whole());
    } catch (const Error& error) {
      graphs.clear();
      if (reason.empty()) reason = error.what();
    }
  }
  if (graphs.empty()) {
    fail(ErrorKind::notSupportedError,
         "save: the graph takes none of the sizes that were tried; give its sizes. The first error: {}", reason);
  }
  std::vector<webnn::onnx::SizedGraph> samples;
  for (std::size_t i = 0; i < graphs.size(); ++i) samples.push_back({&definitionOf(graphs[i]), sizes[i]});
  const webnn::onnx::ExportOptions options = optionsFor(*graph.definition, dataPathOf(path), weights);
  webnn::onnx::ExportedModel model = webnn::onnx::exportOpen(*graph.definition, *graph.sizes, samples, options);
  writeFiles(model, path);
  return std::move(model.notes);
}

}  // namespace webnn::formats
