// Prints the operations' parts of the C API: header, implementation and tests.
#pragma once

#include <span>
#include <string>

#include "describe/ops_model.h"

namespace webnn::describe {

// Returns include/webnn/webnn_operations.h: enumerations, options and functions.
std::string printCHeader(std::span<const Method> methods);
// Returns src/capi/operations.cpp. Each function passes its arguments on in the order of visitFields.
std::string printCSource(std::span<const Method> methods);
// Returns C++ code for tests, which calls each function with values from `struct Call`.
std::string printCCalls(std::span<const Method> methods);

}  // namespace webnn::describe
