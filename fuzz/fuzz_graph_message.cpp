// Fuzzes Cap'n Proto messages of graphs, which a client may send to the service.
#include "formats/capnp/message_reader.h"
#include "fuzz_graph.h"
#include "webnn/graph.h"

namespace {

// Returns zeros for any constant in shared memory.
webnn::ExternalBytes zeros(const webnn::service::ConstantLocation& location) {
  constexpr std::uint64_t kLimit = 1 << 16;
  if (location.length > kLimit) throw webnn::Error(webnn::ErrorKind::dataError, "too large for the fuzzer");
  const auto bytes = std::make_shared<std::vector<std::byte>>(location.length);
  return {*bytes, bytes};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace webnn;
  static const fuzz::ZeroWeights weights;
  static Context context = Context::create({.backend = "reference", .execution = Execution::callerThread});
  const auto message = std::as_bytes(std::span(data, size));
  std::optional<Graph> graph;
  try {
    formats::describeGraphMessage(message);
    graph = formats::buildGraphMessage(context, message, {zeros, &weights}, {{"n", 2}});
  } catch (const Error&) {
  }
  if (!graph) {
    try {
      graph = formats::buildGraphMessage(context, message, {zeros, &weights}, {});
    } catch (const Error&) {
      return 0;
    }
  }
  const GraphDefinition& definition = *graph->state()->definition;
  const auto inside = [](std::size_t, std::span<const std::byte>) { return std::nullopt; };
  const Graph back = formats::buildGraphMessage(context, service::writeGraphMessage(definition, inside), {}, {});
  if (!(*back.state()->definition == definition)) __builtin_trap();
  return 0;
}
