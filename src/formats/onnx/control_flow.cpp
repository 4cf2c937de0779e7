#include "formats/onnx/node_context.h"

namespace webnn::formats::onnx {

std::span<const OperatorImport> controlFlowOperators() { return {}; }

}  // namespace webnn::formats::onnx
