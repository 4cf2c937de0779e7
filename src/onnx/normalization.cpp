#include "onnx/normalization.h"

#include "base/text.h"

namespace webnn::onnx {

void toOnnx(const ops::BatchNormalization&, Exporter&) { fail(ErrorKind::notSupportedError, "BatchNormalization: no ONNX export yet."); }

void toOnnx(const ops::InstanceNormalization&, Exporter&) { fail(ErrorKind::notSupportedError, "InstanceNormalization: no ONNX export yet."); }

void toOnnx(const ops::LayerNormalization&, Exporter&) { fail(ErrorKind::notSupportedError, "LayerNormalization: no ONNX export yet."); }

}  // namespace webnn::onnx
