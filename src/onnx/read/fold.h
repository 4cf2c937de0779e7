#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backends/reference/reference_backend.h"
#include "onnx/read/limits.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::formats::onnx {

// Computes operations on constants during the import (constant folding). Limits bytes and work per model, so that a small file
// cannot take much memory or time. Shape computations fit the limits; operations on large constants are left to the backend.
class Folder {
 public:
  Folder(const ImportLimits& limits, reference::Compute compute)
      : bytesLeft_(limits.foldedBytes), workLeft_(limits.foldWork), compute_(compute) {}

  // Returns the bytes of the outputs, or nullopt if the operation dequantizes weights or is too large, or if a budget is spent.
  // Operations that only change the shape, or slice contiguous bytes, share the input's bytes and are charged little.
  std::optional<std::vector<ExternalBytes>> operator()(const Operation& operation, const ops::Outputs& outputs);

 private:
  std::uint64_t bytesLeft_;  // remaining bytes of results
  std::uint64_t workLeft_;   // remaining work: about 1 for each element read or written
  reference::Compute compute_;
};

}  // namespace webnn::formats::onnx
