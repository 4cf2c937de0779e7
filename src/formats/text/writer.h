// Writes .webnn text, version 2.
#pragma once

#include <string>

#include "formats/document/document.h"

namespace webnn::formats {

// Writes the sections inputs, consts, nodes and outputs, each in the document's order. Leaves out the options that
// withoutDefaults() removes. Names that the common grammar cannot express are quoted, and an output with another name than its
// operand is written as `output = value;`. Both need a reader that knows reader.h's extensions.
std::string writeText(const GraphDocument& document);

}  // namespace webnn::formats
