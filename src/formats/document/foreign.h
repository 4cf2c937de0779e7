// Files that are something else than a graph.
#pragma once

#include <string_view>

#include "formats/document/json_value.h"

namespace webnn::formats {

// Throws DataError that names the file's kind and a remedy if the content is no text or JSON graph.
void refuseForeign(std::string_view content);

// The same for other kinds of JSON.
[[noreturn]] void refuseForeignJson(const Json& root);

}  // namespace webnn::formats
