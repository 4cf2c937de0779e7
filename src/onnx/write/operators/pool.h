// Pooling, as ONNX.
#pragma once

#include "onnx/write/exporter.h"
#include "ops/pool.h"

namespace webnn::onnx {

void toOnnx(const ops::Pool2d& op, Exporter& out);

}  // namespace webnn::onnx
