// Makes graphs refuse indices out of range, which ONNX forbids and WebNN clamps.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "onnx/read/model.h"
#include "ops/operand_record.h"
#include "webnn/graph.h"

namespace webnn::formats::onnx {

// The indices that a node of ONNX reads, and the sizes that bound them: see webnn::IndexBounds.
struct IndexRead {
  const NodeProto* node;
  Operand indices;
  Shape sizes;
};

// Throws DataError if the indices are a constant with an index out of range.
void requireConstantInRange(const IndexRead& read);

// Makes compute() of an imported graph refuse indices out of range in inputs that nodes read as indices, directly or through
// casts, reshapes, transposes and expansions. Returns the graph. `isComputed(name)`: see webnn::IndexBounds::isComputed.
webnn::Graph withIndexBounds(webnn::Graph graph, std::span<const IndexRead> reads,
                             const std::function<bool(std::string_view)>& isComputed);

}  // namespace webnn::formats::onnx
