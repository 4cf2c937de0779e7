#include "onnx/matmul.h"

#include "base/text.h"

namespace webnn::onnx {

void toOnnx(const ops::Matmul&, Exporter&) { fail(ErrorKind::notSupportedError, "Matmul: no ONNX export yet."); }

void toOnnx(const ops::Gemm&, Exporter&) { fail(ErrorKind::notSupportedError, "Gemm: no ONNX export yet."); }

}  // namespace webnn::onnx
