// Computes operations of constants while a graph is imported.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backends/reference/reference_backend.h"
#include "onnx/read/limits.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::formats::onnx {

// Limits the folding of one model, so that a small file cannot take much memory or time: shapes are computed from a few numbers,
// and large constants are left to the backend.
class Folder {
 public:
  Folder(const ImportLimits& limits, reference::Compute compute)
      : bytesLeft_(limits.foldedBytes), workLeft_(limits.foldWork), compute_(compute) {}

  // The bytes of the outputs, or nothing if the operation is too large or the budget is spent. Operations that only give
  // the same bytes another shape cost little.
  std::optional<std::vector<ExternalBytes>> operator()(const Operation& operation, const ops::Outputs& outputs);

 private:
  std::uint64_t bytesLeft_;  // of results
  std::uint64_t workLeft_;   // about one for each element read or written
  reference::Compute compute_;
};

}  // namespace webnn::formats::onnx
