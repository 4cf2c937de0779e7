#include "onnx/activation.h"

#include "base/text.h"

namespace webnn::onnx {

void toOnnx(const ops::Activation&, Exporter&) { fail(ErrorKind::notSupportedError, "Activation: no ONNX export yet."); }

void toOnnx(const ops::Elu&, Exporter&) { fail(ErrorKind::notSupportedError, "Elu: no ONNX export yet."); }

void toOnnx(const ops::LeakyRelu&, Exporter&) { fail(ErrorKind::notSupportedError, "LeakyRelu: no ONNX export yet."); }

void toOnnx(const ops::HardSigmoid&, Exporter&) { fail(ErrorKind::notSupportedError, "HardSigmoid: no ONNX export yet."); }

void toOnnx(const ops::Linear&, Exporter&) { fail(ErrorKind::notSupportedError, "Linear: no ONNX export yet."); }

void toOnnx(const ops::Prelu&, Exporter&) { fail(ErrorKind::notSupportedError, "Prelu: no ONNX export yet."); }

void toOnnx(const ops::Softmax&, Exporter&) { fail(ErrorKind::notSupportedError, "Softmax: no ONNX export yet."); }

}  // namespace webnn::onnx
