// Reads .webnn text, versions 1 and 2.
// Beyond the common grammar, accepts what other tools write and what writer.h needs:
// - any name may be quoted; bare names may contain "::" and start with "%", which is not part of the name;
// - an output may be renamed: outputs { scores = softmax_3; }
// - "Infinity", "-Infinity" and "NaN" in quotes in place of a number; integers up to 2^64 - 1 are exact.
// Rejects input from which other readers lose information: positional numbers, bytes above 255, repeated options, a missing brace
// and anything after the last brace.
#pragma once

#include <string_view>

#include "formats/document/budget.h"
#include "formats/document/document.h"

namespace webnn::formats {

// Reads a document. DataErrors give line and column.
GraphDocument readText(std::string_view text, ReadBudget& budget);

}  // namespace webnn::formats
