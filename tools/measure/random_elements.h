// Values for inputs where any will do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "webnn/types.h"

namespace webnn::measure {

// Uniform in [0, 1) for floats, 0 to 7 for integers. The same on every machine.
std::vector<std::byte> randomElements(const OperandDescriptor& descriptor, std::uint64_t seed);
// The same, to where they are needed: takes no memory to speak of.
void fillRandomly(std::span<std::byte> bytes, const OperandDescriptor& descriptor, std::uint64_t seed);

}  // namespace webnn::measure
