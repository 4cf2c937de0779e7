// The dynamic dimensions of a graph file.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace webnn::formats {

// The largest size of each, by name.
using DimensionLimits = std::map<std::string, std::uint32_t>;

// If a dimension is declared twice, the smaller size counts.
void addDimension(DimensionLimits& limits, const std::string& name, std::uint32_t largest);

// TypeError unless `sizes` has each dimension, and no other, with a size that is allowed.
void checkDimensions(const DimensionLimits& limits, const std::map<std::string, std::uint32_t>& sizes);

}  // namespace webnn::formats
