// Normalizes the spelling of options that other tools write.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "formats/document/document.h"

namespace webnn::formats {

// Returns `options` with the specification's keys:
// - snake_case becomes camelCase; "to" of cast, "repeats" of tile and "roundingType" get their names;
// - "pads" = [beginH, beginW, endH, endW] becomes "padding" = [beginH, endH, beginW, endW];
// - nulls, "hasScale", "hasBias", "axes" of expand, and "batchDimensions" of 0 are dropped;
// - an open dimension becomes its size, or its handle if it stays open.
// Throws DataError for a duplicate key, for more than 64 options, and for a dimension that stays open in an option that has no
// sizes.
Json normalizedOptions(std::string_view op, const Json& options, const std::map<std::string, std::uint32_t>& dimensions);

// Returns the expression of a dimension whose name begins with "=", such as `past + 1` of "= past + 1"; else nullopt.
std::optional<std::string_view> expressionOf(const Dimension& dimension);
// Returns an option's item if it is an open dimension ({"name", "maxSize"} and optionally "minSize"), else nullopt.
std::optional<Dimension> dynamicDimensionOf(const Json& item);
// Returns a dimension as a size, or if it is open, as {"name", "maxSize"}, with "minSize" if the smallest size is not 1.
Json dimensionToJson(const Dimension& dimension);
// Returns an option as a picture shows it, with open dimensions replaced by their names or expressions.
Json withNamesOnly(const Json& option);
// Calls visit(dimension) for each open dimension among the sizes of an operation's options.
void forEachDynamic(const Json& options, FunctionRef<void(const Dimension&)> visit);

}  // namespace webnn::formats
