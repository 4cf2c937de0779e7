// An example call for each operation, shown by help() in the Python package. The package's tests run all of them.
#pragma once

#include <string_view>

namespace webnn::describe {

struct PythonExample {
  std::string_view call;    // the call without "builder.": "abs([1.0, 2.0])"
  std::string_view result;  // the result's repr() in Python
};

// Returns the example of a method by its Python name; null if there is none.
const PythonExample* pythonExample(std::string_view method);

}  // namespace webnn::describe
