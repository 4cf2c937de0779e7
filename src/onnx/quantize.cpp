#include "onnx/quantize.h"

#include "base/text.h"

namespace webnn::onnx {

void toOnnx(const ops::DequantizeLinear&, Exporter&) { fail(ErrorKind::notSupportedError, "DequantizeLinear: no ONNX export yet."); }

void toOnnx(const ops::QuantizeLinear&, Exporter&) { fail(ErrorKind::notSupportedError, "QuantizeLinear: no ONNX export yet."); }

}  // namespace webnn::onnx
