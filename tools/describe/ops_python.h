// Describes the operations in Python's terms, for printed stubs and for the Python package, which builds its methods from this.
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
  std::size_t field = 0;    // index in Method::fields
  bool positional = false;  // false: keyword only
  // Padding in pywebnn's order: both beginnings first, then both endings.
  bool beginningsFirst = false;
};

// Returns a method's parameters except self and label, positional parameters first. Arguments come first and are required. If
// pywebnn allows positional options, they follow in pywebnn's order, so that programs for pywebnn keep working.
std::vector<PythonParameter> pythonParameters(const Method& method);

// Returns "gemm(self, a: OperandLike, b: OperandLike, c: OperandLike | None = None, ..., *, label: str = "") -> MLOperand".
std::string pythonSignature(const Method& method);

// Returns the text of help(): summary, arguments and options with types and ranks, results, errors, example and URL.
std::string pythonDocstring(const Method& method);

}  // namespace webnn::describe
