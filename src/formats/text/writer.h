// Writes .webnn text, version 2.
#pragma once

#include <string>

#include "formats/document/document.h"

namespace webnn::formats {

// The sections inputs, consts, nodes and outputs, each in the document's order; options only where they differ from the
// default. Names that the common grammar has no way to write stand in quotes, and an output that has another name than
// its value is written as `output = value;`: both need a reader that knows reader.h's extensions.
std::string writeText(const GraphDocument& document);

}  // namespace webnn::formats
