// webnn-graph-json, versions 1 and 2.
#pragma once

#include <string>

#include "formats/document/budget.h"
#include "formats/document/document.h"

namespace webnn::formats {

// Reads a parsed document. A DataError gives the path of the invalid value.
GraphDocument readGraphJson(const Json& root, ReadBudget& budget);

// Writes version 2: each declaration on a line of its own, in the document's order. All names and labels must be UTF-8.
std::string writeGraphJson(const GraphDocument& document);

}  // namespace webnn::formats
