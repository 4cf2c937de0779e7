// Recognises files that are not graphs, for better error texts.
#pragma once

#include <string_view>

#include "formats/document/json_value.h"

namespace webnn::formats {

// If the content is a known kind of other file, throws DataError that names the kind and a remedy.
void refuseForeign(std::string_view content);

// Throws DataError for JSON that is not a graph, and names its kind if that is known.
[[noreturn]] void refuseForeignJson(const Json& root);

}  // namespace webnn::formats
