#include "onnx/elementwise_unary.h"

#include "base/text.h"

namespace webnn::onnx {

void toOnnx(const ops::Unary&, Exporter&) { fail(ErrorKind::notSupportedError, "Unary: no ONNX export yet."); }

void toOnnx(const ops::LogicalUnary&, Exporter&) { fail(ErrorKind::notSupportedError, "LogicalUnary: no ONNX export yet."); }

void toOnnx(const ops::Cast&, Exporter&) { fail(ErrorKind::notSupportedError, "Cast: no ONNX export yet."); }

void toOnnx(const ops::Clamp&, Exporter&) { fail(ErrorKind::notSupportedError, "Clamp: no ONNX export yet."); }

}  // namespace webnn::onnx
