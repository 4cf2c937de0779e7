// Writes, edits and reads graph messages (src/service/webnn.capnp) in tests.
#pragma once

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <string>
#include <string_view>
#include <vector>

#include "context/graph_state.h"
#include "formats/capnp/message_reader.h"
#include "formats/document/document.h"
#include "service/schema.h"
#include "support/support.h"
#include "webnn/graph.h"

namespace webnn::test {

namespace schema = service::schema;

inline std::string repositoryFile(const std::string& path) { return std::string(WEBNN_SOURCE_DIR) + "/" + path; }

inline std::vector<std::byte> inlineMessage(const GraphDefinition& graph) {
  return service::writeGraphMessage(graph, [](std::size_t, std::span<const std::byte>) { return std::nullopt; });
}

inline Graph readMessage(std::span<const std::byte> message, const formats::MessageLimits& limits = formats::kServiceLimits,
                         const std::map<std::string, std::uint32_t>& dimensions = {}, formats::ConstantSources sources = {}) {
  Context context = makeContext();
  return formats::buildGraphMessage(context, message, sources, dimensions, nullptr, limits);
}

inline Graph graphOfText(std::string_view text) {
  Context context = makeContext();
  return formats::buildGraph(context, formats::readDocument(text), nullptr, {});
}

inline std::vector<std::byte> bytesOf(capnp::MessageBuilder& message) {
  const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
  const auto bytes = std::as_bytes(std::span(words.begin(), words.size()));
  return {bytes.begin(), bytes.end()};
}

// A message that a test can modify. Initially, it holds the graph x -> relu -> y with 2 elements.
struct EditedMessage {
  capnp::MallocMessageBuilder message{1 << 14};  // the size of the first segment, in words
  schema::Graph::Builder graph = message.initRoot<schema::Graph>();

  EditedMessage() {
    graph.setRevision(1);
    auto input = graph.initInputs(1)[0];
    input.setName("x");
    input.initShape(1).set(0, 2);
    graph.initNodes(1)[0].getOperation().initRelu().setInput(0);
    auto output = graph.initOutputs(1)[0];
    output.setName("y");
    output.setOperand(1);
  }
  schema::Node::Builder node() { return graph.getNodes()[0]; }
  // Adds the only constant, which has 2 bytes and is operand 1, before the node's result.
  schema::Constant::Builder addConstant() {
    auto constant = graph.initConstants(1)[0];
    constant.setDataType(schema::OperandDataType::UINT8);
    constant.initShape(1).set(0, 2);
    graph.getOutputs()[0].setOperand(2);
    return constant;
  }
  Graph read(const formats::MessageLimits& limits = formats::kServiceLimits,
             const std::map<std::string, std::uint32_t>& dimensions = {}, const formats::ConstantSources& sources = {}) {
    return readMessage(bytesOf(message), limits, dimensions, sources);
  }
};

}  // namespace webnn::test
