#pragma once

#include <string>
#include <vector>

#include "onnx/write/model_writer.h"

namespace webnn::onnx {

// Drops nodes and initializers that no output depends on.
void removeUnused(CollectedModel& model);

// Names nodes by the label of their operation, so that viewers show the label and an import of the model restores it: the last
// node of an operation is called `label`, the others `label/OpType`. Nodes of operations without a label stay without names.
void nameNodes(CollectedModel& model, const std::vector<std::string>& labels);

}  // namespace webnn::onnx
