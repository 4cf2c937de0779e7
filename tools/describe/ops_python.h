// How Python spells the operations: for the stubs that are printed, and for the Python package, which has no code of its own
// per operation.
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
  // The four numbers of a padding as pywebnn has them: both beginnings first, then both endings.
  bool beginningsFirst = false;
};

// The parameters of a method but for self and label, those that are positional first. Arguments come first and are
// required; options follow in the order of the package pywebnn as far as that has them, so that its programs keep working.
std::vector<PythonParameter> pythonParameters(const Method& method);

// "gemm(self, a: OperandLike, b: OperandLike, c: OperandLike | None = None, ..., *, label: str = "") -> MLOperand"
std::string pythonSignature(const Method& method);

// The text of help(): summary, arguments with types and ranks, result, errors, address.
std::string pythonDocstring(const Method& method);

}  // namespace webnn::describe
