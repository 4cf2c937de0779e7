// Sorts and checks a model's nodes. ONNX demands that each node follows the nodes whose values it reads; ONNX Runtime does not.
#pragma once

#include "onnx/read/model.h"

namespace webnn::formats::onnx {

// Sorts the nodes of all graphs and functions, so that each node follows the nodes whose values it reads. Keeps the order of a
// model that already has this property. Nodes of a cycle, and nodes that depend on one, come last.
void orderNodes(Model& model);

// Throws a DataError if a node of an ordered model reads a value that nothing defines before, if a node defines a value that its
// graph already defines, or if nothing defines an output of the main graph or of a function. Ignores functions that no node
// calls, and does not check a model with sparse initializers, which the import refuses.
void checkValues(const Model& model);

}  // namespace webnn::formats::onnx
