#include "formats/onnx/node_context.h"

namespace webnn::formats::onnx {

std::span<const OperatorImport> elementwiseUnaryOperators() { return {}; }

}  // namespace webnn::formats::onnx
