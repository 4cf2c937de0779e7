// Prints the operations' parts of the Rust crate: enumerations, options, methods and tests.
#pragma once

#include <span>
#include <string>

#include "describe/ops_model.h"

namespace webnn::describe {

// Returns bindings/rust/webnn/src/operations.rs.
std::string printRust(std::span<const Method> methods);
// Returns bindings/rust/webnn/tests/support/operation_calls.rs: a function that calls the method with a given name.
std::string printRustCalls(std::span<const Method> methods);

}  // namespace webnn::describe
