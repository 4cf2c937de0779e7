// Helpers for handlers of operators that move elements without computing, such as Reshape and Slice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

using Dims = std::vector<std::int64_t>;

// Returns the number of elements, or nullopt if it exceeds 2^63 - 1 or a dimension is negative.
std::optional<std::int64_t> countOf(std::span<const std::int64_t> dims);

// Formats the values, up to 16 of them, as "2, 3" for error messages.
std::string textOf(std::span<const std::int64_t> values);

// Converts ONNX dimensions to a WebNN shape. Throws Unsupported if a dimension is 0 or too large for WebNN, or if there are too
// many dimensions.
Shape shapeOf(const NodeContext& node, std::span<const std::int64_t> dims);

// Returns the WebNN type that stands for the ONNX type. Throws Unsupported if there is none.
DataType requireType(const NodeContext& node, ElementType type);

// Returns a constant without elements. The constant has no operand, because WebNN has no empty tensors.
ImportedValue emptyValue(ElementType type, Dims dims);
bool isEmpty(std::span<const std::int64_t> dims);

// Sets result `index` to an operand made of elements of input 0. The result has input 0's ONNX type, so booleans stay booleans.
void setLike(NodeContext& node, std::size_t index, Operand result);

// Sets result 0 to input 0, unchanged or reshaped to `dims`.
void setSame(NodeContext& node);
void setReshaped(NodeContext& node, Dims dims);

// Models compute shapes node by node, on short lists of integers. Handlers compute with such lists themselves, because operations
// on constant operands take much longer.
// listedIntegers() returns the elements of an int64 scalar or list with few elements, and nullopt for all other values and for
// values that are not known. setListed() sets result 0 to known integers.
std::optional<Dims> listedIntegers(const NodeContext& node, const ImportedValue& value);
void setListed(NodeContext& node, std::span<const std::int64_t> values, Dims dims);

// Returns an integer attribute. Throws DataError if it is absent.
std::int64_t requiredInteger(const NodeContext& node, std::string_view name);

// Reads a value that is an attribute in operator versions before `inputSince`, and input `index` from this version on; nullopt if
// absent.
std::optional<Dims> attributeOrInput(const NodeContext& node, std::string_view name, std::size_t index, std::int64_t inputSince);

// Converts axes, which may be negative, to non-negative ones. Throws DataError if an axis occurs twice.
std::vector<std::uint32_t> distinctAxes(const NodeContext& node, std::span<const std::int64_t> axes, std::size_t rank);

// Returns an int64 constant with the given values (indexConstant) or with 0, 1, 2, ... (rangeConstant).
Operand indexConstant(NodeContext& node, Shape shape, std::span<const std::int64_t> values);
Operand rangeConstant(NodeContext& node, Shape shape);

// Slices `size` elements from `start` along one axis and keeps the other axes whole.
Operand sliceAxis(NodeContext& node, const Operand& input, std::uint32_t axis, std::uint32_t start, std::uint32_t size);

// Concatenates operands along an axis. A single operand is returned unchanged.
Operand concat(NodeContext& node, std::vector<Operand> inputs, std::uint32_t axis);

}  // namespace webnn::formats::onnx
