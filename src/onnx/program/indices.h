// Checks indices of nodes that the host computes, as ONNX Runtime does. WebNN's graphs clamp them instead.
#pragma once

#include <cstdint>

#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

[[noreturn]] void failIndex(std::int64_t index, std::int64_t size);

// Returns the position for an index; negative indices count from the end. Throws DataError if the index is out of range.
inline std::size_t positionIn(std::int64_t index, std::int64_t size) {
  if (index < -size || index >= size) failIndex(index, size);
  return static_cast<std::size_t>(index < 0 ? index + size : index);
}

// Throws DataError if an index or length of the node is out of range. Checks Gather, GatherElements, GatherND,
// ArrayFeatureExtractor, ReverseSequence, LSTM, GRU and RNN; does nothing for other nodes.
void requireIndicesInRange(const HostNode& node);

}  // namespace webnn::formats::onnx
