// Files that are something else than a graph.
#pragma once

#include <string_view>

#include "formats/document/json_value.h"

namespace webnn::formats {

// DataError, which says what the file is and what to do, if its content shows that it is no graph as text or JSON.
void refuseForeign(std::string_view content);

// The same of JSON of another kind.
[[noreturn]] void refuseForeignJson(const Json& root);

}  // namespace webnn::formats
