// Checks and error messages that the validation steps (`infer`) of all operations share.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "base/text.h"
#include "ops/operation_base.h"
#include "ops/sizes/open_sizes.h"

namespace webnn::ops {

// Returns `conv2d "stem": ` or `conv2d: `, the beginning of all messages about an operation.
std::string messagePrefix(std::string_view method, std::string_view label);

// The operation that a message names. All operations of the table convert to it.
struct Subject {
  std::string_view method, label;
  Subject(std::string_view methodName, std::string_view operationLabel) : method(methodName), label(operationLabel) {}
  template <typename Op>
  requires requires(const Op& op) { op.options.label; }
  Subject(const Op& op) : method(rowOf(op).name), label(op.options.label) {}  // implicit on purpose
};

// Throws `conv2d "stem": <message>`. The message is a sentence in the present tense with values in parentheses:
// fail(op, ErrorKind::typeError, "filter rank ({}) is not 4.", rank).
template <typename... Args>
[[noreturn]] void fail(Subject op, ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(kind, messagePrefix(op.method, op.label) + formatArguments(format, fmt::make_format_args(args...)));
}

template <typename... Args>
void require(bool condition, Subject op, fmt::format_string<Args...> format, Args&&... args) {
  if (!condition)
    throw Error(ErrorKind::typeError,
                messagePrefix(op.method, op.label) + formatArguments(format, fmt::make_format_args(args...)));
}

// https://www.w3.org/TR/webnn/#algorithms-broadcasting. Returns nullopt if the specification's algorithm returns failure.
std::optional<Shape> bidirectionallyBroadcast(const Shape& a, const Shape& b);
// For shapes with open sizes, the next two functions return whether the shapes can be broadcast for some sizes.
bool isUnidirectionallyBroadcastable(const Shape& from, const Shape& to);
bool isBlockwiseBroadcastable(const Shape& from, const Shape& to);

// Returns the broadcast shape of two operands. Throws TypeError, which names both, if they cannot be broadcast.
Shape broadcastShape(Subject op, std::string_view nameA, const Shape& a, std::string_view nameB, const Shape& b);

// Throws TypeError unless axis < rank.
void requireAxis(Subject op, std::uint32_t axis, std::size_t rank, std::string_view operandName = "input");

// Throws TypeError unless all axes are below `rank` and no two are equal.
void requireAxes(Subject op, const std::vector<std::uint32_t>& axes, std::size_t rank, std::string_view operandName = "input",
                 std::string_view fieldName = "axes");

// Throws TypeError unless the sequence has `expected` items: "strides size (3) is not 2."
void requireSize(Subject op, std::string_view fieldName, std::size_t size, std::size_t expected);

// Sets an absent field to `defaults`. Throws TypeError if a present field has another number of items.
void resolveSizes(Subject op, std::string_view fieldName, OptionalSizes& field, std::initializer_list<std::uint32_t> defaults);

// Throws TypeError if an item is 0.
void requirePositive(Subject op, std::string_view fieldName, const std::vector<std::uint32_t>& items);

// Returns a computed size as a dimension: a number, or the handle of an open size. Throws TypeError if a number is not between
// 1 (0 if allowsZero()) and 2^31 - 1, or if an open size is outside of 0 to 2^31 - 1 for all sizes of its named dimensions.
std::uint32_t requireDimension(Subject op, std::string_view what, Size size);

// Checks a shape that has open sizes or sizes of 0. Throws TypeError if its rank is above kMaxRank, or if it has too many
// elements for all values of its named dimensions.
void requireDimensions(Subject op, const Shape& shape);

// Returns whether fields with this name, such as "newShape" or "sizes", may hold open sizes.
bool isSizeField(std::string_view name);

// Returns whether sizes may be 0; see OpenSizes::allowsZero.
inline bool allowsZero() { return OpenScope::current() && OpenScope::current()->allowsZero; }

// Overload that formats `what` only if the size is open or not a valid dimension.
template <typename... Args>
std::uint32_t requireDimension(Subject op, Size size, fmt::format_string<Args...> what, Args&&... args) {
  if (!size.isOpen() && size.number() >= (allowsZero() ? 0 : 1) && size.number() <= static_cast<std::int64_t>(kMaxDimension))
    return static_cast<std::uint32_t>(size.number());
  return requireDimension(op, formatArguments(what, fmt::make_format_args(args...)), size);
}

// Throws a TypeError if `size` is open.
void requireFixed(Subject op, std::string_view what, std::uint32_t size);

// Returns 0, 1, ..., rank - 1.
std::vector<std::uint32_t> allAxes(std::size_t rank);

}  // namespace webnn::ops
