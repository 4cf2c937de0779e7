// Reductions, argMin, argMax and cumulativeSum, as ONNX.
#pragma once

#include "onnx/write/exporter.h"
#include "ops/reduce.h"

namespace webnn::onnx {

void toOnnx(const ops::Reduce& op, Exporter& out);
void toOnnx(const ops::ArgMinMax& op, Exporter& out);
void toOnnx(const ops::CumulativeSum& op, Exporter& out);

}  // namespace webnn::onnx
