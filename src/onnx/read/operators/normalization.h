// Normalizations for other operators.
#pragma once

#include <optional>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// The mean over `axes`, which are kept, and 1 / sqrt(variance + epsilon), or 1 / sqrt(mean of squares + epsilon) without one.
struct Moments {
  Operand mean, inverseDeviation;
};
Moments momentsOf(NodeContext& node, const Operand& input, const std::vector<std::uint32_t>& axes, double epsilon);

// LayerNormalization from dimension `axis` on.
Operand normalizeLayers(NodeContext& node, const Operand& input, std::uint32_t axis, const std::optional<Operand>& scale,
                        const std::optional<Operand>& bias, double epsilon);

// The dimensions from `axis` to the last.
std::vector<std::uint32_t> axesFrom(std::uint32_t axis, std::size_t rank);

// Handlers of com.microsoft that have a file of their own.
void importEmbedLayerNormalization(NodeContext& node);
void importSkipLayerNormalization(NodeContext& node);
void importSkipSimplifiedLayerNormalization(NodeContext& node);

// RMSNormalization over `axes`, computed in `precision`, and its factor.
struct RootMeanSquare {
  Operand normalized, inverse;
};
RootMeanSquare normalizeByRootMeanSquare(NodeContext& node, const Operand& input, const std::vector<std::uint32_t>& axes,
                                         double epsilon, DataType precision);

}  // namespace webnn::formats::onnx
