// Reads .webnn text, versions 1 and 2.
//
// Beyond the common grammar, this reader takes what other tools write and what writer.h needs:
// - any name may stand in quotes; bare names may hold "::" and start with "%", which is not part of the name;
// - an output may have another name than its value: outputs { scores = softmax_3; }
// - "Infinity", "-Infinity" and "NaN" in quotes where a number stands; integers up to 2^64 - 1 are exact.
// It is strict where others lose information: positional numbers, bytes above 255, repeated options, a missing brace
// and anything after the last brace are errors.
#pragma once

#include <string_view>

#include "formats/document/budget.h"
#include "formats/document/document.h"

namespace webnn::formats {

// DataError with line and column.
GraphDocument readText(std::string_view text, ReadBudget& budget);

}  // namespace webnn::formats
