// The .webnnb format: a graph as a Cap'n Proto message, followed by its constants. Layout, little-endian: magic (8 bytes),
// version 1 and a 0 (32 bits each), message length (64 bits), message. The constants begin at the next multiple of 64 after the
// message. The location of a constant has memory 0 and the offset from there, a multiple of 64.
#pragma once

#include <map>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "formats/capnp/message_reader.h"

namespace webnn::formats {

// The magic contains the control character 0x1a, which text never has, and a line end, which line-ending conversion damages (as
// in PNG's magic). It differs from the start of .webnn text, JSON and ONNX: as a protobuf tag, 'W' has an invalid wire type.
inline constexpr std::string_view kBinaryMagic = "WEBNNG\x1a\n";

inline bool isBinaryGraph(std::span<const std::byte> file) {
  return std::string_view(reinterpret_cast<const char*>(file.data()), file.size()).starts_with(kBinaryMagic);
}

// In builds without Cap'n Proto, the functions below throw a NotSupportedError.

// Builds the graph. Constants after the message are views into the file. `weights` may be null if no constant refers to a
// weights file.
Graph buildBinary(Context& context, const ExternalBytes& file, const WeightsReader* weights,
                  const std::map<std::string, std::uint32_t>& dimensions, std::shared_ptr<Budget> budget);
// Builds the graph and keeps its open dimensions open.
std::shared_ptr<const OpenGraph> openBinary(Context& context, const ExternalBytes& file, const WeightsReader* weights,
                                            std::shared_ptr<Budget> budget);
MessageDescription describeBinary(std::span<const std::byte> file);

// Writes the graph with its constants. `sizes` resolves the handles of open dimensions; null if the graph has none.
void writeBinary(std::ostream& stream, const GraphDefinition& graph, const OpenSizes* sizes = nullptr);
// Writes the graph without its constants, which are referred to by their keys in a weights file.
void writeBinary(std::ostream& stream, const GraphDefinition& graph, std::span<const std::string> weights,
                 const OpenSizes* sizes = nullptr);

}  // namespace webnn::formats
