#include "backends/cpu/conv/conv_epilogue.h"

#include <algorithm>
#include <cmath>

namespace webnn::cpu {

std::optional<ConvActivation> activationOf(const ElementProgram& program, bool isHalf) {
  ConvActivation activation;
  std::uint16_t value = 0;
  const auto clampTo = [&](float minimum, float maximum) {
    if (std::isnan(minimum) || std::isnan(maximum) || minimum > maximum) return false;
    activation.clamps = true;
    activation.range = {std::clamp(activation.range.minimum, minimum, maximum),
                        std::clamp(activation.range.maximum, minimum, maximum)};
    return true;
  };
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const ElementInstruction& instruction = program.instructions[i];
    const bool isFirst = instruction.a == value;
    if (instruction.code == ElementCode::add) {
      const bool takesInput = (isFirst && instruction.b == 1) || (instruction.a == 1 && instruction.b == value);
      if (!takesInput || program.inputs != 2 || activation.adds || activation.clamps || isHalf) return std::nullopt;
      activation.adds = true;
    } else if (!isFirst) {
      return std::nullopt;
    } else if (instruction.code == ElementCode::relu) {
      if (!clampTo(0, std::numeric_limits<float>::infinity())) return std::nullopt;
    } else if (instruction.code == ElementCode::clamp) {
      if (!clampTo(instruction.p, instruction.q)) return std::nullopt;
    } else if (instruction.code != ElementCode::toHalf || !isHalf) {
      return std::nullopt;
    }
    value = static_cast<std::uint16_t>(program.inputs + i);
  }
  if (program.inputs != (activation.adds ? 2 : 1)) return std::nullopt;
  return activation;
}

}  // namespace webnn::cpu
