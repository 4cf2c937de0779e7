#pragma once

#include <string>
#include <vector>

#include "onnx/write/model_writer.h"

namespace webnn::onnx {

// Drops nodes and initializers that no output depends on.
void removeUnused(CollectedModel& model);

// Names nodes by the label of their operation, so that viewers show it and reading the model brings it back: the last node
// of an operation is called `label`, the others `label/OpType`. Operations without a label stay without names.
void nameNodes(CollectedModel& model, const std::vector<std::string>& labels);

}  // namespace webnn::onnx
