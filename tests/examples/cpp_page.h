// The examples of docs/reference/cpp.md, which cpp_page.py converts to a program.
#pragma once

#include <string>
#include <vector>

struct Example {
  std::string title;
  void (*run)();
  std::string output;
};
extern const std::vector<Example> kExamples;
