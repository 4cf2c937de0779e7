// Makes graphs refuse indices out of range, which ONNX forbids and WebNN clamps.
#pragma once

#include <span>

#include "ops/operand_record.h"
#include "webnn/graph.h"

namespace webnn::formats::onnx {

// The indices that a node of ONNX reads, and the sizes that bound them: see webnn::IndexBounds.
struct IndexRead {
  Operand indices;
  Shape sizes;
};

// Makes compute() of an imported graph refuse indices out of range in inputs that nodes read as indices, directly or through
// casts, reshapes, transposes and expansions. Returns the graph.
webnn::Graph withIndexBounds(webnn::Graph graph, std::span<const IndexRead> reads);

}  // namespace webnn::formats::onnx
