#include <algorithm>
#include <array>
#include <optional>

#include "coreml/compose.h"
#include "coreml/families.h"

namespace webnn::coreml {

namespace {

Integers toIntegers(const auto& sizes) { return Integers(sizes.begin(), sizes.end()); }

// The maximum number of elements in a filter plane for dilatedConv(), which adds MIL operators for each element.
constexpr std::uint32_t kMaxTaps = 1024;

// MIL supports dilations only for constant filters. For other filters, each filter element is multiplied in float32 with the part
// of the image that it meets. (A filter with zeros between its elements would turn infinite inputs into NaN.)
MilValue dilatedConv(const ops::Conv2d& op, const MilValue& image, const MilValue& given, const Shape& to, MilBuilder& out) {
  const MilValue filter = out.cast(given, MilType::float32);
  const std::uint32_t height = filter.shape[2], width = filter.shape[3];
  if (height * width > kMaxTaps) out.refuse("a dilated filter that is no constant has more than 1024 elements in a plane");
  Sizes around(4, Size(std::int64_t{0}));
  for (const std::uint32_t size : *op.options.padding) around.emplace_back(size);
  const MilValue x = padded(out.cast(image, MilType::float32), around, 0, out);
  std::optional<MilValue> sum;
  for (std::uint32_t tap = 0; tap < height * width; ++tap) {
    const std::array<std::uint32_t, 2> at{tap / width, tap % width};
    const Size one(std::int64_t{1});
    const MilValue row = sliceAlong(2, filter, Size(at[0]), one, out);
    const MilValue weights = sliceAlong(3, row, Size(at[1]), one, out);
    Sizes begin(4, Size(std::int64_t{0})), end(x.shape.begin(), x.shape.end());
    Integers strides(4, 1);
    for (std::size_t i = 0; i < 2; ++i) {
      const std::uint32_t stride = (*op.options.strides)[i];
      begin[2 + i] = Size(at[i] * (*op.options.dilations)[i]);
      end[2 + i] = begin[2 + i] + (Size(to[2 + i]) - one) * Size(stride) + one;
      strides[2 + i] = static_cast<std::int32_t>(to[2 + i] > 1 ? stride : 1);
    }
    const MilValue part = sliced(x, begin, end, strides, out);
    const MilValue product = out.add("conv", part.type, to,
                                     {{"x", {part}},
                                      {"weight", {weights}},
                                      {"strides", {out.integers({1, 1})}},
                                      {"pad_type", {out.text("custom")}},
                                      {"pad", {out.integers({0, 0, 0, 0})}},
                                      {"dilations", {out.integers({1, 1})}},
                                      {"groups", {out.integer(op.options.groups)}}});
    sum = sum ? binary("add", *sum, product, out) : product;
  }
  return *sum;
}

// Returns the arguments that conv and conv_transpose share. Unless `withBias` is set, the caller adds the bias later.
template <typename Op>
Arguments argumentsOf(const Op& op, const MilValue& x, const MilValue& filter, const std::vector<std::uint32_t>& dilations,
                      const Integers& pad, bool withBias, MilBuilder& out) {
  Arguments arguments{{"x", {x}},
                      {"weight", {filter}},
                      {"strides", {out.integers(toIntegers(*op.options.strides))}},
                      {"pad_type", {out.text("custom")}},
                      {"pad", {out.integers(pad)}},
                      {"dilations", {out.integers(toIntegers(dilations))}},
                      {"groups", {out.integer(op.options.groups)}}};
  if (withBias) arguments.push_back({"bias", {out[*op.options.bias]}});
  return arguments;
}

bool hasConstantBias(const auto& op, MilBuilder& out) { return op.options.bias && out[*op.options.bias].isStored; }

MilValue withBias(const auto& op, const MilValue& y, MilBuilder& out) {
  if (!op.options.bias) return y;
  return binary("add", y, reshape(out[*op.options.bias], {1, y.shape[1], 1, 1}, out), out);
}

MilValue transposedFilter(const MilValue& filter, const ops::FilterAxes& axes, bool outputFirst, MilBuilder& out) {
  const auto axis = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
  Axes order{axis(axes.output), axis(axes.input), axis(axes.height), axis(axes.width)};
  if (!outputFirst) std::swap(order[0], order[1]);
  return transposed(filter, order, out);
}

Shape channelsFirst(const Shape& image, InputOperandLayout layout) {
  const ops::ImageAxes axes = ops::axesOf(layout);
  return {image[axes.batch], image[axes.channel], image[axes.height], image[axes.width]};
}

}  // namespace

void toMil(const ops::Conv2d& op, MilBuilder& out) {
  const MilValue x = toChannelsFirst(out[op.input], op.options.inputLayout, out), given = out[op.filter];
  const MilValue filter = transposedFilter(given, ops::axesOf(op.options.filterLayout), true, out);
  const std::vector<std::uint32_t>& dilations = *op.options.dilations;
  const Shape to = channelsFirst(out.output().shape(), op.options.inputLayout);
  const bool isDilated = dilations[0] != 1 || dilations[1] != 1;
  const bool isBiased = hasConstantBias(op, out) && (given.isConstant || !isDilated);
  MilValue y;
  if (isDilated && !given.isConstant) {
    y = out.cast(dilatedConv(op, x, filter, to, out), x.type);
  } else {
    y = out.add("conv", x.type, to, argumentsOf(op, x, filter, dilations, toIntegers(*op.options.padding), isBiased, out));
  }
  out.set(0, fromChannelsFirst(isBiased ? y : withBias(op, y, out), op.options.inputLayout, out));
}

// WebNN's additional output elements (from outputPadding or outputSizes) are at the end. To get them, the ending padding is
// reduced; if that is not enough, zeros are appended.
void toMil(const ops::ConvTranspose2d& op, MilBuilder& out) {
  const MilValue x = toChannelsFirst(out[op.input], op.options.inputLayout, out), given = out[op.filter];
  const MilValue filter = transposedFilter(given, ops::axesOf(op.options.filterLayout), false, out);
  if (filter.id != given.id || !given.isStored) out.require(8);  // before version 8, filters must be stored constants
  const std::vector<std::uint32_t>& dilations = *op.options.dilations;
  const Shape to = channelsFirst(out.output().shape(), op.options.inputLayout);
  Shape computed = to;
  Integers pad = toIntegers(*op.options.padding);
  Sizes missing(8, Size(std::int64_t{0}));
  for (std::size_t i = 0; i < 2; ++i) {
    const Size one(std::int64_t{1});
    const Size whole = (Size(x.shape[2 + i]) - one) * Size((*op.options.strides)[i]) +
                       (Size(filter.shape[2 + i]) - one) * Size(dilations[i]) + one;
    const Size begin(std::int64_t{pad[2 * i]});
    const std::int64_t cut = out.numberOf(whole - begin - Size(to[2 + i]));  // elements to remove at the end
    pad[2 * i + 1] = static_cast<std::int32_t>(std::max<std::int64_t>(cut, 0));
    missing[2 * (2 + i) + 1] = Size(std::max<std::int64_t>(-cut, 0));
    if (!canBeAtMost(begin + one, whole)) out.refuse("all of the result is padding");
    computed[2 + i] = asDimension(Size(to[2 + i]) - missing[2 * (2 + i) + 1]);
  }
  const bool isBiased = computed == to && hasConstantBias(op, out);
  MilValue y = out.add("conv_transpose", x.type, computed, argumentsOf(op, x, filter, dilations, pad, isBiased, out));
  y = padded(y, missing, 0, out);
  out.set(0, fromChannelsFirst(isBiased ? y : withBias(op, y, out), op.options.inputLayout, out));
}

}  // namespace webnn::coreml
