#include "backends/cpu/conv/quantized_output.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "compiler/ir/code_range.h"

namespace webnn::cpu {

namespace {

// Sets output.fusedScale to scale / totalScale and output.fusedAddendScale to addendScale / totalScale. If a total near a tie
// would get a wrong code, tries values up to kMostSteps ULP away. Returns false if no pair of values yields the right codes.
bool fuseTotals(const QuantizedConvKernels& kernels, QuantizedOutput& output) {
  constexpr int kMostSteps = 3;
  const auto near = [&](float scale, int steps) {
    const auto quotient = static_cast<float>(static_cast<double>(scale) / static_cast<double>(output.totalScale));
    return quotient * (1 + static_cast<float>(steps) * std::numeric_limits<float>::epsilon());
  };
  for (int range = 0; range <= kMostSteps; ++range) {
    for (int first = -range; first <= range; ++first) {
      for (int second = -range; second <= range; ++second) {
        if (std::max(std::abs(first), std::abs(second)) < range) continue;  // a smaller `range` has tried these steps
        output.fusedScale = near(output.scale, first), output.fusedAddendScale = near(output.addendScale, second);
        if (kernels.fusesTotals(output)) return true;
      }
    }
  }
  return false;
}

}  // namespace

QuantizedOutput outputOf(const QuantizedConvolution& op, const QuantizedConvKernels& kernels) {
  QuantizedOutput output;
  if (!op.result.to) {
    output.kind = QuantizedOutput::Kind::floats;
    output.low = op.result.minimum, output.high = op.result.maximum;
    return output;
  }
  const CodeRange range = rangeOf(op.result);
  output.low = range.low, output.high = range.high;
  output.isPlain = !op.addend && range.high - range.low == 255;
  output.zeroPoint = op.last().to->zeroPoint;
  output.isSigned = op.last().to->type == DataType::int8;
  if (!op.addend) return output;
  const CodeRange total = rangeOf(op.sum);
  output.kind = QuantizedOutput::Kind::totals;
  output.scale = op.result.to->scale;
  output.addendScale = op.addendQuantization.scale;
  output.addendZeroPoint = op.addendQuantization.zeroPoint;
  output.addendIsSigned = op.addendQuantization.type == DataType::int8;
  output.totalScale = op.sum.to->scale;
  output.totalReciprocal = 1 / op.sum.to->scale;
  output.totalLow = total.low, output.totalHigh = total.high;
  if (kernels.fusesTotals) output.isPlain = fuseTotals(kernels, output);
  return output;
}

}  // namespace webnn::cpu
