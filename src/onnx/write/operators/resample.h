// Resampling, as ONNX.
#pragma once

#include "onnx/write/exporter.h"
#include "ops/resample.h"

namespace webnn::onnx {

void toOnnx(const ops::Resample2d& op, Exporter& out);

}  // namespace webnn::onnx
