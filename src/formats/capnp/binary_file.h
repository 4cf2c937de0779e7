// .webnnb: a file with a graph as a Cap'n Proto message and its constants.
// Layout: magic (8 bytes), versions 1 and 0 (32 bits each), length of the message (64 bits), the message, and from the next
// multiple of 64 the constants, each at a multiple of 64 (memory 0 with offset 0 at its first byte). Little-endian.
#pragma once

#include <map>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "formats/capnp/message_reader.h"

namespace webnn::formats {

// Like PNG's magic: text never contains the control character 0x1a, and line-ending conversion damages it. No .webnn name or JSON
// value precedes it, and 'W' is a tag of a wire type that protobuf, hence ONNX, lacks.
inline constexpr std::string_view kBinaryMagic = "WEBNNG\x1a\n";

inline bool isBinaryGraph(std::span<const std::byte> file) {
  return std::string_view(reinterpret_cast<const char*>(file.data()), file.size()).starts_with(kBinaryMagic);
}

// Without Cap'n Proto in the build, the functions below throw a NotSupportedError.

// Builds the graph, which refers to the constants in the file. `weights` may be null if no constant refers to it.
Graph buildBinary(Context& context, const ExternalBytes& file, const WeightsReader* weights,
                  const std::map<std::string, std::uint32_t>& dimensions, std::shared_ptr<Budget> budget);
MessageDescription describeBinary(std::span<const std::byte> file);

// Writes the graph with its constants.
void writeBinary(std::ostream& stream, const GraphDefinition& graph);
// Writes the graph without its constants, which a weights file holds by their keys.
void writeBinary(std::ostream& stream, const GraphDefinition& graph, std::span<const std::string> weights);

}  // namespace webnn::formats
