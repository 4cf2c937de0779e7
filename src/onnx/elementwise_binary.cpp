#include "onnx/elementwise_binary.h"

#include "base/text.h"

namespace webnn::onnx {

void toOnnx(const ops::Binary&, Exporter&) { fail(ErrorKind::notSupportedError, "Binary: no ONNX export yet."); }

void toOnnx(const ops::Where&, Exporter&) { fail(ErrorKind::notSupportedError, "Where: no ONNX export yet."); }

}  // namespace webnn::onnx
