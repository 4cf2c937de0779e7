// Helpers for the tests of graph files.
#pragma once

#include <map>
#include <sstream>
#include <string>

#include "context/graph_state.h"
#include "formats/capnp/binary_file.h"
#include "formats/document/document.h"
#include "formats/json/graph_json.h"
#include "formats/text/writer.h"
#include "support/support.h"

namespace webnn::test {

// Holds weights in memory and finds them by key, with any shape and type.
struct FakeWeights : formats::WeightsReader {
  std::map<std::string, std::vector<std::byte>, std::less<>> tensors;
  ExternalBytes find(std::string_view key, const OperandDescriptor&) const override {
    const auto found = tensors.find(key);
    if (found == tensors.end()) throw Error(ErrorKind::notFoundError, "no tensor " + std::string(key));
    return {found->second, nullptr};
  }
};

// Reads a document (.webnn text, webnn-graph-json or GraphInfo) and builds its graph.
inline Graph buildText(std::string_view text, const std::map<std::string, std::uint32_t>& dimensions = {},
                       const formats::WeightsReader* weights = nullptr) {
  Context context = makeContext();
  return formats::buildGraph(context, formats::readDocument(text), weights, dimensions);
}

// Returns the graph as .webnnb, including its constants.
inline std::string binaryOf(const GraphDefinition& graph) {
  std::ostringstream stream;
  formats::writeBinary(stream, graph);
  return stream.str();
}

inline Graph buildBinary(const std::string& content) {
  Context context = makeContext();
  const auto file = std::make_shared<const std::string>(content);
  return formats::buildBinary(context, {std::as_bytes(std::span(*file)), file}, nullptr, {}, nullptr);
}

// Expects that the graph is read back equal from .webnn, from .json and, in builds with the service, from .webnnb.
inline void expectRoundTrip(const Graph& graph) {
#ifdef WEBNN_SERVICE
  EXPECT_TRUE(definitionOf(buildBinary(binaryOf(definitionOf(graph)))) == definitionOf(graph));
#endif
  const formats::GraphDocument document = formats::documentOf(definitionOf(graph));
  for (const std::string& text : {formats::writeText(document), formats::writeGraphJson(document)}) {
    SCOPED_TRACE(text);
    try {
      EXPECT_TRUE(definitionOf(buildText(text)) == definitionOf(graph));
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

}  // namespace webnn::test
