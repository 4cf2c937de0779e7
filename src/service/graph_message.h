// Writes graphs as Cap'n Proto messages; webnn.capnp is the schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/graph_definition.h"

namespace webnn::service {

// The place of a constant's bytes outside of the message.
struct ConstantLocation {
  std::uint32_t memory = 0;
  std::uint64_t offset = 0, length = 0;
};

// Returns the place of the constant with the given number; nullopt: in the message itself.
using PlaceConstant = std::function<std::optional<ConstantLocation>(std::size_t constant, std::span<const std::byte> bytes)>;

// The graph in Cap'n Proto's stream framing. `place` is called once for each constant, in order. NotSupportedError for one of
// 512 MiB or more in the message.
std::vector<std::byte> writeGraphMessage(const GraphDefinition& graph, const PlaceConstant& place);

// Writes a graph with constants in a weights file: `weights` has the key of each.
std::vector<std::byte> writeGraphMessage(const GraphDefinition& graph, std::span<const std::string> weights);

}  // namespace webnn::service
