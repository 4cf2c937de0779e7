// Operators that the families compose their operations of, each with the type and shape that MIL infers for it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "coreml/mil_builder.h"

namespace webnn::coreml {

using Axes = std::vector<std::uint32_t>;

// x.type and x.shape.
MilValue unary(std::string_view type, const MilValue& x, MilBuilder& out, Arguments more = {});
// Broadcasts; a result above rank 5 cannot be, see Broadcasting.
MilValue binary(std::string_view type, const MilValue& x, const MilValue& y, MilBuilder& out);
MilValue compare(std::string_view type, const MilValue& x, const MilValue& y, MilBuilder& out);
// `condition` must not be wider than a and b together.
MilValue select(const MilValue& condition, const MilValue& a, const MilValue& b, MilBuilder& out);

MilValue reshape(const MilValue& x, const Shape& shape, MilBuilder& out);
// Requires a rank of at most 5.
MilValue transposed(const MilValue& x, const Axes& permutation, MilBuilder& out);
MilValue sliced(const MilValue& x, const Integers& begin, const Integers& end, const Integers& strides, MilBuilder& out);
MilValue sliceAlong(std::size_t axis, const MilValue& x, std::uint32_t begin, std::uint32_t size, MilBuilder& out);
MilValue concatenate(std::size_t axis, const std::vector<MilValue>& values, MilBuilder& out);
std::vector<MilValue> splitAlong(std::size_t axis, const MilValue& x, const std::vector<std::uint32_t>& sizes, MilBuilder& out);
MilValue gatherAlong(std::size_t axis, const MilValue& x, const MilValue& indices, MilBuilder& out);  // 1-D indices
MilValue reduced(std::string_view type, const MilValue& x, const Axes& axes, MilBuilder& out);        // keeps dimensions
MilValue filled(MilType type, const Number& value, const Shape& shape, MilBuilder& out);
MilValue matmul(const MilValue& x, const MilValue& y, bool transposeX, bool transposeY, MilBuilder& out);
// A float tensor with elements of a number around.
MilValue padded(const MilValue& x, const Integers& pad, const Number& value, MilBuilder& out);

// A WebNN shape of rank above 5, with one dimension for all before an axis and one for all after it; else the shape itself.
struct AxisView {
  Shape shape;
  std::size_t axis;
};
AxisView viewAlong(const Shape& shape, std::size_t axis);
// Returns the shape with another size along the axis.
Shape withSize(const AxisView& view, std::uint32_t size);

// Any rank: x is of WebNN's shape `from`, the result is of shapeOf() the result.
MilValue expanded(const MilValue& x, const Shape& from, const Shape& to, MilBuilder& out);
MilValue transposedAny(const MilValue& x, const Shape& from, const Axes& permutation, MilBuilder& out);

// Reshapes values so that MIL broadcasts them to `to`: unchanged up to rank 5, else expanded.
MilValue broadcastable(const MilValue& x, const Shape& from, const Shape& to, MilBuilder& out);

// Channels before height and width.
MilValue toChannelsFirst(const MilValue& image, InputOperandLayout layout, MilBuilder& out);
MilValue fromChannelsFirst(const MilValue& image, InputOperandLayout layout, MilBuilder& out);

}  // namespace webnn::coreml
