// How C spells the operations: for the printed part of the C API's header, of its implementation and of its tests.
#pragma once

#include <span>
#include <string>

#include "describe/ops_model.h"

namespace webnn::describe {

// include/webnn/webnn_operations.h: enumerations, options, functions.
std::string printCHeader(std::span<const Method> methods);
// src/capi/operations.cpp: each function hands its arguments over in the order of visitFields.
std::string printCSource(std::span<const Method> methods);
// For tests: a call of each function with what `Call` holds by name.
std::string printCCalls(std::span<const Method> methods);

}  // namespace webnn::describe
