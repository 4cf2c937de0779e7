// Random input values for benchmarks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "webnn/types.h"

namespace webnn::measure {

// Returns random values: uniform in [0, 1) for floats, 0 to 7 for integers. A seed gives the same values on every machine.
std::vector<std::byte> randomElements(const OperandDescriptor& descriptor, std::uint64_t seed);
// Fills `bytes` like randomElements(), without large temporary memory.
void fillRandomly(std::span<std::byte> bytes, const OperandDescriptor& descriptor, std::uint64_t seed);

}  // namespace webnn::measure
