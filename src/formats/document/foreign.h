// Recognises files that are not graphs, for better error texts.
#pragma once

#include <string_view>

#include "formats/document/json_value.h"

namespace webnn::formats {

// Throws DataError if the content cannot be a graph file. The message names the kind of file and a remedy if they are known.
void refuseForeign(std::string_view content);

// Throws DataError for JSON that is not a graph, and names its kind if that is known.
[[noreturn]] void refuseForeignJson(const Json& root);

}  // namespace webnn::formats
