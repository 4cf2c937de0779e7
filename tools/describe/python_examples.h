// A call per operation, as shown by help() of the Python package; its tests run all of them.
#pragma once

#include <string_view>

namespace webnn::describe {

struct PythonExample {
  std::string_view call;    // of a builder: "abs([1.0, 2.0])"
  std::string_view result;  // as Python prints it
};

// Returns the example of a method by its Python name; null if there is none.
const PythonExample* pythonExample(std::string_view method);

}  // namespace webnn::describe
