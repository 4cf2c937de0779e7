#include "onnx/target.h"

#include <algorithm>

namespace webnn::onnx {

const TypeRule* Target::find(std::string_view opType) const {
  const auto found = std::ranges::lower_bound(rules, opType, {}, &TypeRule::opType);
  return found != rules.end() && found->opType == opType ? &*found : nullptr;
}

const Target& standardTarget() {
  static constexpr Target kTarget{"onnx", {}};
  return kTarget;
}

}  // namespace webnn::onnx
