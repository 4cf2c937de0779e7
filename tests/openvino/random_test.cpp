// Tests random graphs on OpenVINO: WEBNN_OPENVINO_RANDOM graphs (default 40), with seeds from WEBNN_OPENVINO_SEED (default 1) on.
#include <cmath>
#include <cstdlib>

#include "backends/reference/reference_backend.h"
#include "context/graph_state.h"
#include "random/random_graph.h"
#include "random/trial.h"
#include "support/openvino.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using random::Bytes;

std::uint64_t setting(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text ? std::stoull(text) : otherwise;
}

// Returns whether the square of each value is in float32's range. docs/guides/openvino.md explains why this matters.
bool isTame(const OperandDescriptor& descriptor, const Bytes& bytes) {
  if (!isFloat(descriptor.dataType)) return true;
  for (std::size_t i = elementCount(descriptor); i-- > 0;) {
    const double magnitude = std::abs(random::realAt(descriptor.dataType, bytes, i));
    if (!(magnitude == 0 || (magnitude > 1e-18 && magnitude < 1e18))) return false;
  }
  return true;
}

// Returns whether all values of a graph are tame, including intermediate ones.
bool isTame(const GraphDefinition& graph, const std::vector<Bytes>& inputs) {
  std::vector<Bytes> values(graph.indexLimit);
  bool areTame = true;
  const auto set = [&](const Operand& operand, Bytes bytes) {
    areTame = areTame && isTame(operand.descriptor(), bytes);
    values[operand.record().index] = std::move(bytes);
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) set(graph.inputs[i], inputs[i]);
  for (const Operand& constant : graph.constants) {
    const std::span<const std::byte> bytes = constant.record().bytes;
    set(constant, Bytes(bytes.begin(), bytes.end()));
  }
  for (const Node& node : graph.nodes) {
    std::vector<std::span<const std::byte>> operands;
    visitOperands(node.operation,
                  [&](std::string_view, const Operand& operand) { operands.emplace_back(values[operand.record().index]); });
    ops::Outputs outputs;
    for (const Operand& output : node.outputs) outputs.push_back(output.descriptor());
    std::vector<Bytes> results = reference::evaluate(node.operation, operands, outputs);
    for (std::size_t i = 0; i < results.size(); ++i) set(node.outputs[i], std::move(results[i]));
  }
  return areTame;
}

TEST(OpenVinoRandom, SupportedGraphsAgreeWithTheReference) {
  WEBNN_REQUIRE_OPENVINO();
  const ContextOptions options{.backend = "openvino", .execution = Execution::callerThread, .threads = 1};
  random::Trial trial({{.name = "openvino", .group = 0, .options = options, .mayRefuse = true}});
  Context reference = test::makeContext();
  const std::uint64_t first = setting("WEBNN_OPENVINO_SEED", 1), count = setting("WEBNN_OPENVINO_RANDOM", 40);
  std::uint64_t refused = 0, wild = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    random::Choices choices(seed);
    const random::RandomGraph made = random::makeRandomGraph(reference, choices);
    const auto wrong = trial.run(made.graph, made.inputs, seed);
    if (wrong && isTame(definitionOf(made.graph), made.inputs)) ADD_FAILURE() << "seed " << seed << ": " << *wrong;
    wild += wrong.has_value();
    refused += trial.wasRefused();
  }
  EXPECT_LE(wild, count / 10);
  EXPECT_LT(refused, count / 2);
  RecordProperty("refused", static_cast<int>(refused));
  RecordProperty("wild", static_cast<int>(wild));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
