#include "onnx/resample.h"

#include "base/text.h"

namespace webnn::onnx {

void toOnnx(const ops::Resample2d&, Exporter&) { fail(ErrorKind::notSupportedError, "Resample2d: no ONNX export yet."); }

}  // namespace webnn::onnx
