#include <algorithm>
#include <array>

#include "onnx/write/compose.h"
#include "onnx/write/dataflow.h"
#include "onnx/write/operators/families.h"

namespace webnn::onnx {

namespace {

std::uint32_t axisOf(std::size_t axis) { return static_cast<std::uint32_t>(axis); }

// What Conv and ConvTranspose have in common; `pads` are the beginnings, then the ends.
template <typename Op>
Attributes attributesOf(const Op& op, Integers pads) {
  const ops::FilterAxes axes = ops::axesOf(op.options.filterLayout);
  const Shape& filter = op.filter.shape();
  return {{"dilations", toIntegers(*op.options.dilations)},
          {"group", std::int64_t{op.options.groups}},
          {"kernel_shape", Integers{filter[axes.height], filter[axes.width]}},
          {"pads", std::move(pads)},
          {"strides", toIntegers(*op.options.strides)}};
}

// Adds the operator in ONNX's layouts. Its filter has the channels of the input first when it is transposed.
template <typename Op>
void addConvolution(std::string_view opType, const Op& op, const std::vector<std::uint32_t>& filterOrder, Attributes attributes,
                    Exporter& out) {
  const OnnxValue image = toChannelsFirst(multiplicand(op.input, op.filter, out), op.options.inputLayout, out);
  // ONNX Runtime takes the padding of a filter for that of the image.
  const Operation* const made = out.dataflow().producer(op.filter);
  const bool isPadded = made && std::holds_alternative<ops::Pad>(*made);
  const OnnxValue filter = out.transpose(isPadded ? out.fenced(out[op.filter]) : out[op.filter], filterOrder);
  const OnnxValue result = out.add(opType, {image, filter, out[op.options.bias]}, std::move(attributes));
  out.set(0, fromChannelsFirst(result, op.options.inputLayout, out));
}

// Elements of the full transposed convolution that are cut off at the end. A negative number: elements that follow it,
// which get nothing but the bias. Both outputPadding and outputSizes come to this.
std::int64_t endingPadding(const ops::WindowAxis& axis, std::uint32_t outputSize) {
  // Below 2^63, see the inference of sizes.
  const std::uint64_t spread = (axis.inputSize - 1) * axis.stride + axis.effectiveWindowSize();
  return static_cast<std::int64_t>(spread) - static_cast<std::int64_t>(axis.beginningPadding) - std::int64_t{outputSize};
}

}  // namespace

void toOnnx(const ops::Conv2d& op, Exporter& out) {
  const std::vector<std::uint32_t>& padding = *op.options.padding;
  const ops::FilterAxes axes = ops::axesOf(op.options.filterLayout);
  addConvolution("Conv", op, {axisOf(axes.output), axisOf(axes.input), axisOf(axes.height), axisOf(axes.width)},
                 attributesOf(op, {padding[0], padding[2], padding[1], padding[3]}), out);
}

void toOnnx(const ops::ConvTranspose2d& op, Exporter& out) {
  const auto [heightAxis, widthAxis] = ops::convolutionAxes(op);
  const ops::ImageAxes image = ops::axesOf(op.options.inputLayout);
  const Shape& shape = out.output().shape();
  const std::array ends{endingPadding(heightAxis, shape[image.height]), endingPadding(widthAxis, shape[image.width])};
  constexpr std::int64_t kNone = 0;
  const std::vector<std::uint32_t>& padding = *op.options.padding;
  Attributes attributes = attributesOf(op, {padding[0], padding[2], std::max(ends[0], kNone), std::max(ends[1], kNone)});
  // Less than the stride, as ONNX wants: so is outputPadding, and so is what outputSizes may add.
  attributes.emplace_back("output_padding", Integers{std::max(-ends[0], kNone), std::max(-ends[1], kNone)});
  const ops::FilterAxes axes = ops::axesOf(op.options.filterLayout);
  addConvolution("ConvTranspose", op, {axisOf(axes.input), axisOf(axes.output), axisOf(axes.height), axisOf(axes.width)},
                 std::move(attributes), out);
}

}  // namespace webnn::onnx
