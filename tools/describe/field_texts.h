// Meanings of the arguments and options of operations, for printed documentation.
#pragma once

#include <string>
#include <string_view>

#include "describe/ops_model.h"

namespace webnn::describe {

// Returns the meaning of a field: lower case, without a period. For an option without a default value, also says what happens if
// it is absent. Empty for operands that are arguments, because their names and rules say enough.
std::string_view fieldText(const Method& method, const Field& field);

// The meaning of the option `label`, which every operation has.
inline constexpr std::string_view kLabelText = "name of the operation in errors and printed graphs";

// Returns the meaning of an option as a sentence.
std::string fieldSentence(const Method& method, const Field& field);

}  // namespace webnn::describe
