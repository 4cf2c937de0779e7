// Bounds of indices. ONNX forbids indices out of range, and WebNN clamps them.
#pragma once

#include "webnn/graph.h"

namespace webnn::formats::onnx {

// Makes compute() of an imported graph refuse indices out of range in the inputs that Gather, GatherElements, GatherND,
// ScatterElements or ScatterND reads as indices, directly or through operations that keep every element. Returns the graph.
webnn::Graph withIndexBounds(webnn::Graph graph);

}  // namespace webnn::formats::onnx
