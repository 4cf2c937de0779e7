// Represents operations as method calls of a graph builder, independent of the programming language.
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
  std::string_view type;  // enumeration type, such as "PaddingMode"
  std::string_view name;  // value in the specification, such as "reflection"
};

// The number of equal parts, as the argument of split().
struct Parts {
  std::uint32_t count = 0;
};

// A size of a graph with open dimensions: the expression, such as "batch * 12".
struct OpenSizeText {
  std::string expression;
};

struct Value;

struct ValueList {
  std::vector<Value> items;
  // The C++ element type if a list needs it (empty or ambiguous lists); otherwise empty.
  std::string_view type{};
};

struct Value : std::variant<bool, Number, float, Operand, Enumerator, Parts, OpenSizeText, std::string, ValueList> {
  using variant::variant;
};

struct Call {
  std::string_view method;
  std::vector<Value> arguments;                             // required arguments in the order of the method's signature
  std::vector<std::pair<std::string_view, Value>> options;  // options that the call needs; the label is last
  bool returnsList = false;
};

// Returns the call that creates `operation`. Its options must have been filled with their defaults. `names` are unique operand
// names by index. Sizes may be handles of open dimensions (see OpenSizes).
Call callOf(const Operation& operation, const std::vector<std::string>& names);

}  // namespace webnn::formats
