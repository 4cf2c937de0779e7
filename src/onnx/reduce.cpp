#include "onnx/reduce.h"

#include "base/text.h"

namespace webnn::onnx {

void toOnnx(const ops::Reduce&, Exporter&) { fail(ErrorKind::notSupportedError, "Reduce: no ONNX export yet."); }

void toOnnx(const ops::ArgMinMax&, Exporter&) { fail(ErrorKind::notSupportedError, "ArgMinMax: no ONNX export yet."); }

void toOnnx(const ops::CumulativeSum&, Exporter&) { fail(ErrorKind::notSupportedError, "CumulativeSum: no ONNX export yet."); }

}  // namespace webnn::onnx
