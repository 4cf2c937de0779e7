// Python's spelling of the operations, for the printed stubs and for the Python package, which has no code per operation.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/snake_case.h"
#include "describe/ops_model.h"

namespace webnn::describe {

using webnn::snakeCase;

struct PythonParameter {
  std::string name;
  std::size_t field = 0;    // of Method::fields
  bool positional = false;  // else a keyword only
  // pywebnn's order of padding: both beginnings first, then both endings.
  bool beginningsFirst = false;
};

// Returns a method's parameters without self and label, positional ones first. Arguments come first and are required; options
// follow in pywebnn's order where it has them, so that its programs keep working.
std::vector<PythonParameter> pythonParameters(const Method& method);

// "gemm(self, a: OperandLike, b: OperandLike, c: OperandLike | None = None, ..., *, label: str = "") -> MLOperand"
std::string pythonSignature(const Method& method);

// The text of help(): summary, arguments with types and ranks, result, errors, address.
std::string pythonDocstring(const Method& method);

}  // namespace webnn::describe
