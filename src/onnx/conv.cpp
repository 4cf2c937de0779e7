#include "onnx/conv.h"

#include "base/text.h"

namespace webnn::onnx {

void toOnnx(const ops::Conv2d&, Exporter&) { fail(ErrorKind::notSupportedError, "Conv2d: no ONNX export yet."); }

void toOnnx(const ops::ConvTranspose2d&, Exporter&) { fail(ErrorKind::notSupportedError, "ConvTranspose2d: no ONNX export yet."); }

}  // namespace webnn::onnx
