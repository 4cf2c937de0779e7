// Shared by handlers of operators that move elements.
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

// The number of elements; nullopt if it is above 2^63 - 1 or a dimension is negative.
std::optional<std::int64_t> countOf(std::span<const std::int64_t> dims);

// "2, 3", for messages.
std::string textOf(std::span<const std::int64_t> values);

// The dimensions as a shape of WebNN. Unsupported if WebNN has no such shape, which no empty one is.
Shape shapeOf(const NodeContext& node, std::span<const std::int64_t> dims);

// Returns WebNN's type; Unsupported if there is none.
DataType requireType(const NodeContext& node, ElementType type);

// A tensor without elements, which is a constant.
ImportedValue emptyValue(ElementType type, Dims dims);
bool isEmpty(std::span<const std::int64_t> dims);

// Sets a result to elements of input 0: booleans stay booleans.
void setLike(NodeContext& node, std::size_t index, Operand result);

// Sets result 0 to input 0, possibly reshaped.
void setSame(NodeContext& node);
void setReshaped(NodeContext& node, Dims dims);

// An attribute that must be there.
std::int64_t requiredInteger(const NodeContext& node, std::string_view name);

// Reads a value that is an attribute before version `inputSince` and an input since; nullopt if absent.
std::optional<Dims> attributeOrInput(const NodeContext& node, std::string_view name, std::size_t index, std::int64_t inputSince);

// Returns distinct axes; negative ones count from the end.
std::vector<std::uint32_t> distinctAxes(const NodeContext& node, std::span<const std::int64_t> axes, std::size_t rank);

// An int64 constant, of the given values or of 0, 1, ...
Operand indexConstant(NodeContext& node, Shape shape, std::span<const std::int64_t> values);
Operand rangeConstant(NodeContext& node, Shape shape);

// A window of one axis.
Operand sliceAxis(NodeContext& node, const Operand& input, std::uint32_t axis, std::uint32_t start, std::uint32_t size);

// Joins operands of int64 or any other type along an axis; the only one as it is.
Operand concat(NodeContext& node, std::vector<Operand> inputs, std::uint32_t axis);

}  // namespace webnn::formats::onnx
