// A call of each operation, as help() of the Python package shows it; its tests run all of them.
#pragma once

#include <string_view>

namespace webnn::describe {

struct PythonExample {
  std::string_view call;    // of a builder: "abs([1.0, 2.0])"
  std::string_view result;  // as Python prints it
};

// Of a method by Python's name for it; null if there is none.
const PythonExample* pythonExample(std::string_view method);

}  // namespace webnn::describe
