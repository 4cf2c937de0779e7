// Reads graphs from untrusted Cap'n Proto messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "formats/document/document.h"
#include "formats/document/weights.h"
#include "service/graph_message.h"

namespace webnn::formats {

// Limits of a message. A message that exceeds a limit fails with a DataError, or with a NotSupportedError if only the total
// number of inputs, constants and results exceeds `operands`. With areOfService, all limits except `nesting` fail with an
// OperationError instead.
struct MessageLimits {
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t messageBytes = kNone;
  std::uint64_t inlineBytes = kNone;  // total bytes of all constants inside the message
  std::uint64_t operations = kNone, operands = kNone;
  std::uint64_t nameBytes = kNone;  // bytes of one name or label
  int nesting = 32;                 // maximum nesting of pointers
  bool areOfService = false;        // whether exceeded limits cause OperationErrors that contain "QuotaExceeded"
};

inline constexpr MessageLimits kServiceLimits{.messageBytes = std::uint64_t{64} << 20,
                                              .inlineBytes = std::uint64_t{8} << 20,
                                              .operations = std::uint64_t{1} << 16,
                                              .operands = std::uint64_t{1} << 18,
                                              .nameBytes = std::uint64_t{1} << 10,
                                              .areOfService = true};
// Returns the limits for a message in a file: operations and operands are limited in proportion to the size of the message.
MessageLimits fileLimits(std::size_t bytes);

// The sources of constants outside of the message. If a constant needs a member that is null, reading throws a DataError.
struct ConstantSources {
  std::function<ExternalBytes(const service::ConstantLocation&)> resolve;
  const WeightsReader* weights = nullptr;
};

// Builds the graph in `context`. `message` is in Cap'n Proto's stream framing and must not change during the call; it is not
// referenced afterwards. `dimensions` must name exactly the open dimensions. Throws DataError for a malformed message, and
// NotSupportedError for a newer schema.
Graph buildGraphMessage(Context& context, std::span<const std::byte> message, const ConstantSources& sources,
                        const std::map<std::string, std::uint32_t>& dimensions, std::shared_ptr<Budget> budget = nullptr,
                        const MessageLimits& limits = kServiceLimits);

// Builds the graph and keeps its open dimensions open.
std::shared_ptr<const OpenGraph> openGraphMessage(Context& context, std::span<const std::byte> message,
                                                  const ConstantSources& sources, std::shared_ptr<Budget> budget,
                                                  const MessageLimits& limits);

// A message's declared inputs and outputs, read without checking the rest.
struct MessageDescription {
  std::vector<InputDeclaration> inputs;
  std::vector<std::string> outputs;
  bool refersToWeights = false;
  bool needsOpenGraph = false;  // whether sizes have expressions or bounds, which openGraphMessage() reads
};
MessageDescription describeGraphMessage(std::span<const std::byte> message, const MessageLimits& limits = kServiceLimits);

}  // namespace webnn::formats
