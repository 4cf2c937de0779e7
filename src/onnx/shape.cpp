#include "onnx/shape.h"

#include "base/text.h"

namespace webnn::onnx {

void toOnnx(const ops::Concat&, Exporter&) { fail(ErrorKind::notSupportedError, "Concat: no ONNX export yet."); }

void toOnnx(const ops::Expand&, Exporter&) { fail(ErrorKind::notSupportedError, "Expand: no ONNX export yet."); }

void toOnnx(const ops::Pad&, Exporter&) { fail(ErrorKind::notSupportedError, "Pad: no ONNX export yet."); }

void toOnnx(const ops::Reshape&, Exporter&) { fail(ErrorKind::notSupportedError, "Reshape: no ONNX export yet."); }

void toOnnx(const ops::Reverse&, Exporter&) { fail(ErrorKind::notSupportedError, "Reverse: no ONNX export yet."); }

void toOnnx(const ops::Slice&, Exporter&) { fail(ErrorKind::notSupportedError, "Slice: no ONNX export yet."); }

void toOnnx(const ops::Split&, Exporter&) { fail(ErrorKind::notSupportedError, "Split: no ONNX export yet."); }

void toOnnx(const ops::Tile&, Exporter&) { fail(ErrorKind::notSupportedError, "Tile: no ONNX export yet."); }

void toOnnx(const ops::Transpose&, Exporter&) { fail(ErrorKind::notSupportedError, "Transpose: no ONNX export yet."); }

void toOnnx(const ops::Triangular&, Exporter&) { fail(ErrorKind::notSupportedError, "Triangular: no ONNX export yet."); }

}  // namespace webnn::onnx
