// Operations as calls of a builder's methods, in no language yet.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ops/operation.h"

namespace webnn::formats {

struct Enumerator {
  std::string_view type;  // "PaddingMode"
  std::string_view name;  // "reflection"
};

// The number of equal parts of split().
struct Parts {
  std::uint32_t count = 0;
};

struct Value;

struct ValueList {
  std::vector<Value> items;
  // The C++ item type, if an empty or ambiguous list must spell it; else empty.
  std::string_view type{};
};

struct Value : std::variant<bool, Number, float, Operand, Enumerator, Parts, std::string, ValueList> {
  using variant::variant;
};

struct Call {
  std::string_view method;
  std::vector<Value> arguments;                             // in the order of the signature
  std::vector<std::pair<std::string_view, Value>> options;  // the fewest that resolve to the operation's options; the label last
  bool returnsList = false;
};

// The call that makes an operation whose options are resolved. `names` are of the operands by index, all different.
Call callOf(const Operation& operation, const std::vector<std::string>& names);

}  // namespace webnn::formats
