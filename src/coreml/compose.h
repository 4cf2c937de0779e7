// Appends MIL operators, and computes the type and shape that MIL infers for their results. The exports of operations (toMil) are
// composed of these functions.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "coreml/mil_builder.h"

namespace webnn::coreml {

using Axes = std::vector<std::uint32_t>;

// Returns how often a dimension must be repeated so that its size becomes `to`.
Size repetitionsOf(std::uint32_t from, std::uint32_t to);

// Appends an operator with one operand, whose result has the type and shape of x.
MilValue unary(std::string_view type, const MilValue& x, MilBuilder& out, Arguments more = {});
// Appends an operator with two operands, which are broadcast. The result must have a rank of at most 5: see broadcastable().
MilValue binary(std::string_view type, const MilValue& x, const MilValue& y, MilBuilder& out);
MilValue compare(std::string_view type, const MilValue& x, const MilValue& y, MilBuilder& out);
// `condition` must not have a larger shape than a and b broadcast together.
MilValue select(const MilValue& condition, const MilValue& a, const MilValue& b, MilBuilder& out);

MilValue reshape(const MilValue& x, const Shape& shape, MilBuilder& out);
// Requires a rank of at most 5.
MilValue transposed(const MilValue& x, const Axes& permutation, MilBuilder& out);
MilValue sliced(const MilValue& x, const Sizes& begin, const Sizes& end, const Integers& strides, MilBuilder& out);
MilValue sliceAlong(std::size_t axis, const MilValue& x, Size begin, Size size, MilBuilder& out);
MilValue concatenate(std::size_t axis, const std::vector<MilValue>& values, MilBuilder& out);
std::vector<MilValue> splitAlong(std::size_t axis, const MilValue& x, const std::vector<std::uint32_t>& sizes, MilBuilder& out);
MilValue gatherAlong(std::size_t axis, const MilValue& x, const MilValue& indices, MilBuilder& out);  // `indices` is 1-D
MilValue reduced(std::string_view type, const MilValue& x, const Axes& axes, MilBuilder& out);        // keeps dimensions
MilValue range(Size size, MilBuilder& out);                                                           // 0, 1, ..., size - 1
MilValue filled(MilType type, const Number& value, const Shape& shape, MilBuilder& out);
MilValue matmul(const MilValue& x, const MilValue& y, bool transposeX, bool transposeY, MilBuilder& out);
// Pads a float tensor with a number. `pad` has the sizes before and after each dimension.
MilValue padded(const MilValue& x, const Sizes& pad, const Number& value, MilBuilder& out);

// A view of a shape along an axis. If the rank is above 5, the dimensions before the axis are merged into one, and so are the
// dimensions after it. Otherwise the shape is unchanged.
struct AxisView {
  Shape shape;
  std::size_t axis;
};
AxisView viewAlong(const Shape& shape, std::size_t axis);
// Returns the shape with another size along the axis.
Shape withSize(const AxisView& view, std::uint32_t size);

// Expand (broadcast) and transpose values of any rank. `from` and `to` are WebNN shapes: x has the shape shapeOf(from), and the
// result has shapeOf() of the WebNN result's shape.
MilValue expanded(const MilValue& x, const Shape& from, const Shape& to, MilBuilder& out);
MilValue transposedAny(const MilValue& x, const Shape& from, const Axes& permutation, MilBuilder& out);

// Returns a value that MIL can broadcast to `to`: the value itself up to rank 5, otherwise the expanded value.
MilValue broadcastable(const MilValue& x, const Shape& from, const Shape& to, MilBuilder& out);

// Convert images from and to the layout with channels before height and width.
MilValue toChannelsFirst(const MilValue& image, InputOperandLayout layout, MilBuilder& out);
MilValue fromChannelsFirst(const MilValue& image, InputOperandLayout layout, MilBuilder& out);

}  // namespace webnn::coreml
