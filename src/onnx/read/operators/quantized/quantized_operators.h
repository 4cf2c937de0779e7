// com.microsoft's QLinear operators except matrix products and convolutions: each dequantizes, computes and quantizes.
#pragma once

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

void importQLinearAdd(NodeContext& node);
void importQLinearAveragePool(NodeContext& node);
void importQLinearConcat(NodeContext& node);
void importQLinearGlobalAveragePool(NodeContext& node);
void importQLinearLeakyRelu(NodeContext& node);
void importQLinearMul(NodeContext& node);
void importQLinearReduceMean(NodeContext& node);
void importQLinearSigmoid(NodeContext& node);
void importQLinearSoftmax(NodeContext& node);
void importQLinearWhere(NodeContext& node);

}  // namespace webnn::formats::onnx
