// The data types and ranks that a backend supports.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "webnn/options.h"
#include "webnn/types.h"

namespace webnn {

// https://www.w3.org/TR/webnn/#api-mlcontext-rankrange-dictionary
struct SupportedRanks {
  std::uint32_t min = 0;
  std::uint32_t max = 0;
  bool operator==(const SupportedRanks&) const = default;
};

// https://www.w3.org/TR/webnn/#api-mlcontext-tensorlimits-dictionary
struct TensorLimits {
  std::vector<DataType> dataTypes;
  SupportedRanks rankRange;
  bool operator==(const TensorLimits&) const = default;
};

// https://www.w3.org/TR/webnn/#api-mlcontext-opsupportlimits-dictionary
struct OpSupportLimits {
  InputOperandLayout preferredInputLayout = InputOperandLayout::nchw;
  std::uint64_t maxTensorByteLength = 0;
  TensorLimits input, constant, output;
  // Keyed by operation ("conv2d"), then by operand ("filter"), both spelled as in the specification.
  std::map<std::string, std::map<std::string, TensorLimits>> operations;
};

}  // namespace webnn
