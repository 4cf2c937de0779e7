#include "onnx/recurrent.h"

#include "base/text.h"

namespace webnn::onnx {

void toOnnx(const ops::Gru&, Exporter&) { fail(ErrorKind::notSupportedError, "Gru: no ONNX export yet."); }

void toOnnx(const ops::GruCell&, Exporter&) { fail(ErrorKind::notSupportedError, "GruCell: no ONNX export yet."); }

void toOnnx(const ops::Lstm&, Exporter&) { fail(ErrorKind::notSupportedError, "Lstm: no ONNX export yet."); }

void toOnnx(const ops::LstmCell&, Exporter&) { fail(ErrorKind::notSupportedError, "LstmCell: no ONNX export yet."); }

}  // namespace webnn::onnx
