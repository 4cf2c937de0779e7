#include "formats/onnx/node_context.h"

namespace webnn::formats::onnx {

std::span<const OperatorImport> reduceOperators() { return {}; }

}  // namespace webnn::formats::onnx
