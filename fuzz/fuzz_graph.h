// Code that the fuzz targets for graph files share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "context/graph_state.h"
#include "formats/document/document.h"
#include "formats/json/graph_json.h"
#include "formats/text/writer.h"
#include "webnn/context.h"
#include "webnn/error.h"

namespace webnn::fuzz {

// Finds zeros for every key, up to a size that keeps the fuzzer fast.
struct ZeroWeights : formats::WeightsReader {
  ExternalBytes find(std::string_view, const OperandDescriptor& descriptor) const override {
    if (byteLength(descriptor) > (1u << 16)) throw Error(ErrorKind::notFoundError, "too large for the fuzzer");
    const auto bytes = std::make_shared<std::vector<std::byte>>(byteLength(descriptor));
    return {*bytes, bytes};
  }
};

// Reads untrusted bytes with `read` and builds the graph. If the graph builds and its constants are small, writes it as text
// and as JSON; both must read back as an equal graph.
template <typename Read>
int build(const std::uint8_t* data, std::size_t size, Read&& read) {
  static const ZeroWeights weights;
  static Context context = Context::create({.backend = "reference", .execution = Execution::callerThread});
  std::optional<Graph> graph;
  try {
    graph = formats::buildGraph(context, read(std::string_view(reinterpret_cast<const char*>(data), size)), &weights, {});
  } catch (const Error&) {
    return 0;
  }
  const GraphDefinition& definition = *graph->state()->definition;
  std::size_t constantBytes = 0;
  for (const Operand& constant : definition.constants) constantBytes += constant.record().bytes.size();
  if (constantBytes > (1u << 16)) return 0;  // too slow to write
  const formats::GraphDocument written = formats::documentOf(definition);
  for (const std::string& text : {formats::writeText(written), formats::writeGraphJson(written)}) {
    const Graph back = formats::buildGraph(context, formats::readDocument(text), nullptr, {});
    if (!(*back.state()->definition == definition)) __builtin_trap();
  }
  return 0;
}

}  // namespace webnn::fuzz
