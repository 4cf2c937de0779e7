// Graphs as Cap'n Proto messages, which nobody has checked.
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

// What a message may be. DataError beyond.
struct MessageLimits {
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t messageBytes = kNone;
  std::uint64_t inlineBytes = kNone;  // of all constants in the message
  std::uint64_t operations = kNone, operands = kNone;
  std::uint64_t nameBytes = kNone;  // of a name or label
  int nesting = 32;                 // of pointers
  bool areOfService = false;        // beyond them: an OperationError that begins with QuotaExceeded; otherwise a DataError
};

// Of what a client sends to the service.
inline constexpr MessageLimits kServiceLimits{.messageBytes = std::uint64_t{64} << 20,
                                              .inlineBytes = std::uint64_t{8} << 20,
                                              .operations = std::uint64_t{1} << 16,
                                              .operands = std::uint64_t{1} << 18,
                                              .nameBytes = std::uint64_t{1} << 10,
                                              .areOfService = true};
// Of a file: in proportion to its size, as of the other formats.
MessageLimits fileLimits(std::size_t bytes);

// Where the bytes of constants are that are not in the message. What is null is a DataError.
struct ConstantSources {
  std::function<ExternalBytes(const service::ConstantLocation&)> resolve;
  const WeightsReader* weights = nullptr;
};

// Builds the graph with the builder of `context`. `message` is in the stream framing of Cap'n Proto and must not change
// meanwhile; nothing refers to it afterwards. Every dynamic dimension must be in `dimensions`, and nothing else. Throws Error
// that says where in the message: DataError for a malformed one, NotSupportedError for one of a newer schema.
Graph buildGraphMessage(Context& context, std::span<const std::byte> message, const ConstantSources& sources,
                        const std::map<std::string, std::uint32_t>& dimensions, std::shared_ptr<Budget> budget = nullptr,
                        const MessageLimits& limits = kServiceLimits);

// What a message declares, before anything else of it is checked.
struct MessageDescription {
  std::vector<InputDeclaration> inputs;
  std::vector<std::string> outputs;
  bool refersToWeights = false;
};
MessageDescription describeGraphMessage(std::span<const std::byte> message, const MessageLimits& limits = kServiceLimits);

}  // namespace webnn::formats
