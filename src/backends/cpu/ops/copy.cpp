#include "backends/cpu/ops/copy.h"

#include "backends/cpu/simd/bytes/quantize.h"

namespace webnn::cpu {

namespace {

constexpr std::size_t kRepackGrain = 65536;

}  // namespace

StepPtr plan(const Copy& op, Planner& planner) {
  const Slot from = planner.slot(op.input), to = planner.output();
  const std::size_t bytes = byteLength(op.input.descriptor());
  return makeStep("copy", [=](const Frame& frame) { std::memcpy(frame.out<std::byte>(to), frame.in<std::byte>(from), bytes); });
}

StepPtr plan(const Repack& op, Planner& planner) {
  const Slot from = planner.slot(op.input), to = planner.output();
  const std::size_t count = elementCount(op.input.descriptor());
  const bool isSigned = op.input.dataType() == DataType::int4 || op.input.dataType() == DataType::int8;
  // The number of bytes that hold two 4-bit elements. A single element in the last byte is handled separately.
  const std::size_t whole = count / 2;
  const QuantizeKernels& kernels = quantizeKernels(planner.isa());
  if (bitsPerElement(op.input.dataType()) == 4) {
    return makeStep("unpack", [=, unpack = kernels.unpackNibbles](const Frame& frame) {
      const auto* packed = frame.in<std::uint8_t>(from);
      auto* elements = frame.out<std::uint8_t>(to);
      frame.team.forRanges(whole, kRepackGrain, [&](std::size_t begin, std::size_t end, unsigned) {
        unpack(packed + begin, end - begin, isSigned, elements + 2 * begin);
      });
      if (count % 2 == 0) return;
      std::uint8_t last[2];
      unpack(packed + whole, 1, isSigned, last);
      elements[2 * whole] = last[0];
    });
  }
  return makeStep("pack", [=, pack = kernels.packNibbles](const Frame& frame) {
    const auto* elements = frame.in<std::uint8_t>(from);
    auto* packed = frame.out<std::uint8_t>(to);
    frame.team.forRanges(whole, kRepackGrain, [&](std::size_t begin, std::size_t end, unsigned) {
      pack(elements + 2 * begin, end - begin, packed + begin);
    });
    if (count % 2 == 1) packed[whole] = elements[2 * whole] & 0xF;
  });
}

}  // namespace webnn::cpu
