#include "cpu/copy.h"

namespace webnn::cpu {

StepPtr plan(const Copy& op, Planner& planner) {
  const Slot from = planner.slot(op.input), to = planner.output();
  const std::size_t bytes = byteLength(op.input.descriptor());
  return makeStep("copy", [=](const Frame& frame) { std::memcpy(frame.out<std::byte>(to), frame.in<std::byte>(from), bytes); });
}

StepPtr plan(const Repack& op, Planner& planner) {
  const Slot from = planner.slot(op.input), to = planner.output();
  const std::size_t count = elementCount(op.input.descriptor());
  const bool isSigned = op.input.dataType() == DataType::int4 || op.input.dataType() == DataType::int8;
  if (bitsPerElement(op.input.dataType()) == 4) {
    return makeStep("unpack", [=](const Frame& frame) {
      const auto* packed = frame.in<std::uint8_t>(from);
      auto* elements = frame.out<std::uint8_t>(to);
      for (std::size_t i = 0; i < count; ++i) {
        const auto nibble = static_cast<std::uint8_t>(packed[i / 2] >> (i % 2 * 4) & 0xF);
        elements[i] = isSigned && nibble > 7 ? static_cast<std::uint8_t>(nibble | 0xF0) : nibble;
      }
    });
  }
  return makeStep("pack", [=](const Frame& frame) {
    const auto* elements = frame.in<std::uint8_t>(from);
    auto* packed = frame.out<std::uint8_t>(to);
    for (std::size_t i = 0; i < count; i += 2) {
      const unsigned low = elements[i] & 0xFU, high = i + 1 < count ? elements[i + 1] & 0xFU : 0U;
      packed[i / 2] = static_cast<std::uint8_t>(low | high << 4);
    }
  });
}

}  // namespace webnn::cpu
