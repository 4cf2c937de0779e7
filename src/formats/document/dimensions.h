#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace webnn::formats {

// The largest allowed size of each open dimension, by name.
using DimensionLimits = std::map<std::string, std::uint32_t>;

// Adds an open dimension. If its name is already present, the smaller size stays.
void addDimension(DimensionLimits& limits, const std::string& name, std::uint32_t largest);

// Throws TypeError unless `sizes` names exactly the open dimensions, each with an allowed size.
void checkDimensions(const DimensionLimits& limits, const std::map<std::string, std::uint32_t>& sizes);

}  // namespace webnn::formats
