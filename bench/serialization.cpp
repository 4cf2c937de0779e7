// Measures the time to write graphs to memory and to read them, as `.webnn` text, JSON, protobuf and Cap'n Proto. Prints a page,
// docs/reference/serialization.md. Usage: bench_serialization [MODEL...]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "context/graph_state.h"
#include "context/reading_context.h"
#include "formats/capnp/message_reader.h"
#include "formats/document/document.h"
#include "formats/json/graph_json.h"
#include "formats/text/writer.h"
#ifdef WEBNN_BENCH_PROTOBUF
#include "serialization_proto.h"
#endif
#include "webnn/formats.h"
#include "webnn/graph.h"

using namespace webnn;

namespace {

// Returns the shortest time of several runs in milliseconds, because other programs on the machine only add time.
double measure(const std::function<void()>& run) {
  using Clock = std::chrono::steady_clock;
  double least = 1e9;
  const auto end = Clock::now() + std::chrono::seconds(2);
  for (int i = 0; i < 3 || (i < 1000 && Clock::now() < end); ++i) {
    const auto start = Clock::now();
    run();
    least = std::min(least, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  return least;
}

// Prints a row of the table, after checking that `back`, which was read from the written file, equals `source`.
void print(const std::string& graph, const std::string& format, std::size_t bytes, const Graph& source, const Graph& back,
           const std::function<void()>& write, const std::function<void()>& read) {
  if (!(definitionOf(source) == definitionOf(back))) std::fprintf(stderr, "%s: %s is not equal\n", graph.c_str(), format.c_str());
  std::printf("| %s | %s | %zu | %.3f | %.3f |\n", graph.c_str(), format.c_str(), bytes, measure(write), measure(read));
}

void compareFormats(const std::string& name, const Graph& graph) {
  Context context = makeReadingContext();
  const GraphDefinition& definition = definitionOf(graph);
  const auto text = [&] { return formats::writeText(formats::documentOf(definition)); };
  const auto json = [&] { return formats::writeGraphJson(formats::documentOf(definition)); };
  const auto readDocument = [&](const std::string& content) {
    return formats::buildGraph(context, formats::readDocument(content), nullptr, {});
  };
  const std::string asText = text(), asJson = json();
  print(name, "`.webnn` text", asText.size(), graph, readDocument(asText), text, [&] { readDocument(asText); });
  print(name, "JSON", asJson.size(), graph, readDocument(asJson), json, [&] { readDocument(asJson); });
#ifdef WEBNN_BENCH_PROTOBUF
  const std::string asProto = bench::writeProto(definition);
  print(
      name, "protobuf", asProto.size(), graph, bench::readProto(context, asProto), [&] { bench::writeProto(definition); },
      [&] { bench::readProto(context, asProto); });
#endif
  formats::MessageLimits limits;
  const auto inside = [](std::size_t, std::span<const std::byte>) { return std::nullopt; };
  const auto write = [&] { return service::writeGraphMessage(definition, inside); };
  const auto read = [&](std::span<const std::byte> message, const formats::ConstantSources& sources) {
    return formats::buildGraphMessage(context, message, sources, {}, nullptr, limits);
  };
  const std::vector<std::byte> message = write();
  print(name, "Cap'n Proto", message.size(), graph, read(message, {}), write, [&] { read(message, {}); });
  // Writes messages as the service's client does: constants stay in shared memory, and the message has their locations. Here, the
  // offset in a location is the index of the constant.
  const auto beside = [](std::size_t constant, std::span<const std::byte> bytes) {
    return std::optional(service::ConstantLocation{0, constant, bytes.size()});
  };
  const formats::ConstantSources sources{[&](const service::ConstantLocation& location) {
    return ExternalBytes{definition.constants[location.offset].record().bytes, nullptr};
  }};
  const std::vector<std::byte> shared = service::writeGraphMessage(definition, beside);
  print(
      name, "Cap'n Proto, constants in shared memory", shared.size(), graph, read(shared, sources),
      [&] { service::writeGraphMessage(definition, beside); }, [&] { read(shared, sources); });
}

// Returns a graph of 100 operations with 1 MB of constants.
Graph makeHundred() {
  GraphBuilder builder(makeReadingContext());
  const std::vector<float> filter(16 * 16 * 7 * 7, 0.01f), bias(16, 0.5f);
  Operand x = builder.input("x", {DataType::float32, {1, 16, 16, 16}});
  for (int i = 0; i < 20; ++i) {
    const Operand weights = builder.constant({DataType::float32, {16, 16, 7, 7}}, std::as_bytes(std::span(filter)));
    const Operand shift = builder.constant({DataType::float32, {16}}, std::as_bytes(std::span(bias)));
    builder.setName(weights, formatText("layer{}.weight", i));
    builder.setName(shift, formatText("layer{}.bias", i));
    const Operand c = builder.conv2d(x, weights, {.padding = {3, 3, 3, 3}, .bias = shift, .label = formatText("conv {}", i)});
    const Operand a = builder.hardSigmoid(c), b = builder.mul(c, a), d = builder.averagePool2d(b, {.windowDimensions = {1, 1}});
    x = builder.add(x, d);
  }
  return builder.build({{"y", x}});
}

}  // namespace

int main(int argc, char** argv) try {
  std::printf(
      "# Formats of graphs, compared\n\n`make bench-serialization` wrote this page. Write: milliseconds to write a graph to "
      "memory. "
      "Read: milliseconds to read it from memory and validate it, without compiling. Each time is the minimum of up to 1000 "
      "runs. "
      "Text and JSON contain the constants as lists of bytes (0 to 255). The protobuf schema is [the benchmark's "
      "own](../../bench/serialization.proto), similar to ONNX's. All formats give the same graph; only Cap'n Proto's reader "
      "checks "
      "limits.\n\n"
      "| graph | format | bytes | write | read |\n|---|---|---|---|---|\n");
#ifndef WEBNN_BENCH_PROTOBUF
  std::fprintf(stderr, "without protobuf: libprotobuf-dev and protobuf-compiler are not installed\n");
#endif
  compareFormats("100 operations, 1 MB", makeHundred());
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path path = argv[i];
    if (!std::filesystem::exists(path)) {
      std::fprintf(stderr, "skipped: there is no %s\n", argv[i]);
      continue;
    }
    Context context = makeReadingContext();
    compareFormats(path.stem().string(), load(context, path));
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
