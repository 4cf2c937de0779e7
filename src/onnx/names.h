#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"

namespace webnn::onnx {

class Names {
 public:
  // Returns `wanted`, or `wanted` with an appended number if `wanted` was returned before.
  std::string unique(const std::string& wanted) {
    std::string name = wanted;
    while (!taken_.insert(name).second) name = formatText("{}_{}", wanted, ++counts_[wanted] + 1);
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> counts_;
};

}  // namespace webnn::onnx
