// Resampling of one or two dimensions by constant taps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/ir/module.h"

namespace webnn::cpu {

// The taps of a dimension: element k of the result is the sum of weights[k * count + t] * input element indices[k * count + t].
struct TapTable {
  std::uint32_t axis = 0;
  std::size_t count = 0, size = 0;  // count: taps per result element; size: number of result elements
  std::vector<std::int32_t> indices;
  std::vector<float> weights;
};

// Plans the resampling of one or two axes (in ascending order). Elements are float32 or float16, but `from` (if set) dequantizes
// 8-bit inputs, and `to` (if set) quantizes the results.
StepPtr planTaps(const Operand& input, std::vector<TapTable> axes, const std::optional<Quantization>& from,
                 const std::optional<Quantization>& to, Planner& planner);

}  // namespace webnn::cpu
