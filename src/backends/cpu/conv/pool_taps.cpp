#include "backends/cpu/conv/pool_taps.h"

#include "base/progress.h"

namespace webnn::cpu {

std::vector<PoolTaps> poolTaps(const ops::WindowAxis& axis, std::size_t positions) {
  std::vector<PoolTaps> taps;
  taps.reserve(positions);
  Progress progress;
  for (std::uint64_t i = 0; i < positions; ++i) {
    progress.count();
    const auto start = static_cast<std::int64_t>(i * axis.stride) - static_cast<std::int64_t>(axis.beginningPadding);
    const ops::Steps steps = ops::stepsInside(start, axis.dilation, axis.windowSize, axis.inputSize);
    taps.push_back({steps.first, steps.count(), steps.step});
  }
  return taps;
}

}  // namespace webnn::cpu
