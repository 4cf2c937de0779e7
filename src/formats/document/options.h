// Normalizes the spelling of options that other tools write.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "formats/document/document.h"

namespace webnn::formats {

// Returns `options` with the specification's keys:
// - snake_case becomes camelCase; "to" of cast, "repeats" of tile and "roundingType" get their names;
// - "pads" = [beginH, beginW, endH, endW] becomes "padding" = [beginH, endH, beginW, endW];
// - nulls, "hasScale", "hasBias", "axes" of expand, and "batchDimensions" of 0 are dropped;
// - a dynamic dimension in a list of sizes becomes its size.
// Throws DataError for a duplicate key.
Json normalizedOptions(std::string_view op, const Json& options, const std::map<std::string, std::uint32_t>& dimensions);

// Returns the name and largest size if an option's item is a dynamic dimension, else nullopt.
std::optional<Dimension> dynamicDimensionOf(const Json& item);

}  // namespace webnn::formats
