#include "onnx/gather_scatter.h"

#include "base/text.h"

namespace webnn::onnx {

void toOnnx(const ops::Gather&, Exporter&) { fail(ErrorKind::notSupportedError, "Gather: no ONNX export yet."); }

void toOnnx(const ops::GatherElements&, Exporter&) { fail(ErrorKind::notSupportedError, "GatherElements: no ONNX export yet."); }

void toOnnx(const ops::GatherND&, Exporter&) { fail(ErrorKind::notSupportedError, "GatherND: no ONNX export yet."); }

void toOnnx(const ops::ScatterElements&, Exporter&) { fail(ErrorKind::notSupportedError, "ScatterElements: no ONNX export yet."); }

void toOnnx(const ops::ScatterND&, Exporter&) { fail(ErrorKind::notSupportedError, "ScatterND: no ONNX export yet."); }

}  // namespace webnn::onnx
