// Values for inputs where any will do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "webnn/types.h"

namespace webnn::measure {

// Returns values uniform in [0, 1) for floats, and 0 to 7 for integers; equal on every machine.
std::vector<std::byte> randomElements(const OperandDescriptor& descriptor, std::uint64_t seed);
// Fills the bytes without additional memory.
void fillRandomly(std::span<std::byte> bytes, const OperandDescriptor& descriptor, std::uint64_t seed);

}  // namespace webnn::measure
