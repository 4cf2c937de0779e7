// C's spelling of the operations, for the printed parts of the C API's header, implementation and tests.
#pragma once

#include <span>
#include <string>

#include "describe/ops_model.h"

namespace webnn::describe {

// include/webnn/webnn_operations.h: enumerations, options, functions.
std::string printCHeader(std::span<const Method> methods);
// src/capi/operations.cpp: each function hands its arguments over in the order of visitFields.
std::string printCSource(std::span<const Method> methods);
// For tests: C++ code that calls each function with values from `struct Call`.
std::string printCCalls(std::span<const Method> methods);

}  // namespace webnn::describe
