// The constant filter of an 8-bit convolution.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "backends/cpu/conv/conv_shape.h"
#include "backends/cpu/runtime/compiler.h"
#include "compiler/ir/module.h"

namespace webnn::cpu {

// A filter with a zero point and a scale for each output channel.
struct ByteFilter {
  const std::uint8_t* data = nullptr;
  FilterStrides strides;
  bool isSigned = false;
  std::vector<std::int32_t> zeroPoints;
  std::vector<double> scales;

  // Returns whether the zero points ensure that all values minus their zero points fit in signed bytes. Does not read the values.
  bool isOfBytes() const {
    return std::ranges::all_of(zeroPoints, [&](std::int32_t zero) { return zero == (isSigned ? 0 : 128); });
  }
};

inline ByteFilter readFilter(const QuantizedConvolution& op, std::size_t outputs, Planner& planner) {
  ByteFilter filter{.data = reinterpret_cast<const std::uint8_t*>(planner.constantBytes(op.conv.filter).data()),
                    .strides = filterStrides(op.conv),
                    .isSigned = op.conv.filter.dataType() == DataType::int8,
                    .zeroPoints = {},
                    .scales = {}};
  const std::span<const std::byte> scales = planner.constantBytes(op.filterScale),
                                   zeros = planner.constantBytes(op.filterZeroPoint);
  for (std::size_t i = 0; i < outputs; ++i) {
    const std::size_t from = zeros.size() == 1 ? 0 : i;
    filter.scales.push_back(static_cast<double>(loadUnaligned<float>(scales.data() + from * sizeof(float))));
    filter.zeroPoints.push_back(filter.isSigned ? static_cast<std::int8_t>(zeros[from])
                                                : std::to_integer<std::uint8_t>(zeros[from]));
  }
  return filter;
}

}  // namespace webnn::cpu
