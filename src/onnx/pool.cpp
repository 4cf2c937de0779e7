#include "onnx/pool.h"

#include "base/text.h"

namespace webnn::onnx {

void toOnnx(const ops::Pool2d&, Exporter&) { fail(ErrorKind::notSupportedError, "Pool2d: no ONNX export yet."); }

}  // namespace webnn::onnx
