// Writes graphs as Cap'n Proto messages. The schema is webnn.capnp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/graph_definition.h"
#include "ops/sizes/open_sizes.h"

namespace webnn::service {

// The location of a constant's bytes outside the message.
struct ConstantLocation {
  std::uint32_t memory = 0;
  std::uint64_t offset = 0, length = 0;
};

// Returns the location of the constant with index `constant`; nullopt if its bytes are stored in the message.
using PlaceConstant = std::function<std::optional<ConstantLocation>(std::size_t constant, std::span<const std::byte> bytes)>;

// Returns the graph in Cap'n Proto's stream framing. Calls `place` once per constant, in order. Throws NotSupportedError for a
// constant of 512 MiB or more that is stored in the message. `sizes`: the OpenSizes of a graph with open dimensions, else null.
std::vector<std::byte> writeGraphMessage(const GraphDefinition& graph, const PlaceConstant& place,
                                         const OpenSizes* sizes = nullptr);

// Returns the message of a graph whose constants are in a weights file. `weights` has the key of each constant.
std::vector<std::byte> writeGraphMessage(const GraphDefinition& graph, std::span<const std::string> weights,
                                         const OpenSizes* sizes = nullptr);

}  // namespace webnn::service
