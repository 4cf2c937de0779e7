#include <algorithm>
#include <array>

#include "onnx/write/compose.h"
#include "onnx/write/dataflow.h"
#include "onnx/write/operators/families.h"

namespace webnn::onnx {

namespace {

std::uint32_t axisOf(std::size_t axis) { return static_cast<std::uint32_t>(axis); }

// Attributes shared by Conv and ConvTranspose; `pads` are the beginnings, then the ends.
Attributes attributesOf(const auto& op, Integers pads, const Exporter& out) {
  const ops::FilterAxes axes = ops::axesOf(op.options.filterLayout);
  const Shape& filter = op.filter.shape();
  return {{"dilations", toIntegers(*op.options.dilations)},
          {"group", std::int64_t{op.options.groups}},
          {"kernel_shape", Integers{out.numberOf(filter[axes.height]), out.numberOf(filter[axes.width])}},
          {"pads", std::move(pads)},
          {"strides", toIntegers(*op.options.strides)}};
}

// The range [first, second) of the result to keep in each spatial dimension; empty if nothing is cut off.
using Cut = std::vector<std::pair<std::int64_t, std::int64_t>>;

// Adds the operator with image and filter in ONNX's layouts. `filterOrder` permutes the filter: the output channels come first,
// or for ConvTranspose the input channels.
template <typename Op>
void addConvolution(std::string_view opType, const Op& op, const std::vector<std::uint32_t>& filterOrder, Attributes attributes,
                    Exporter& out, const Cut& cut = {}) {
  const OnnxValue image = toChannelsFirst(multiplicand(op.input, op.filter, out), op.options.inputLayout, out);
  // Fence a padded filter, because ONNX Runtime mistakes its Pad for padding of the image.
  const OnnxValue filter = out.transpose(fencedIfPadded(op.filter, out), filterOrder);
  OnnxValue result = out.add(opType, {image, filter, out[op.options.bias]}, std::move(attributes));
  for (std::size_t i = 0; i < cut.size(); ++i) {
    result = sliceAlong(static_cast<std::int64_t>(2 + i), result, cut[i].first, cut[i].second, 1, out);
  }
  out.set(0, fromChannelsFirst(result, op.options.inputLayout, out));
}

// Returns how many elements of the full transposed convolution are cut off at the end. The number is negative if elements that
// consist of the bias only are appended. Covers both outputPadding and outputSizes.
std::int64_t endingPadding(const ops::WindowAxis& axis, std::uint32_t inputSize, std::uint32_t outputSize, const Exporter& out) {
  const auto number = [](std::uint64_t value) { return Size(static_cast<std::int64_t>(value)); };
  // Below 2^63, as the shape inference of convTranspose2d checks.
  const Size spread = (Size(inputSize) - number(1)) * number(axis.stride) + number(axis.effectiveWindowSize());
  return out.numberOf(spread - number(axis.beginningPadding) - Size(outputSize));
}

}  // namespace

void toOnnx(const ops::Conv2d& op, Exporter& out) {
  const std::vector<std::uint32_t>& padding = *op.options.padding;
  const ops::FilterAxes axes = ops::axesOf(op.options.filterLayout);
  addConvolution("Conv", op, {axisOf(axes.output), axisOf(axes.input), axisOf(axes.height), axisOf(axes.width)},
                 attributesOf(op, {padding[0], padding[2], padding[1], padding[3]}, out), out);
}

void toOnnx(const ops::ConvTranspose2d& op, Exporter& out) {
  const auto [heightAxis, widthAxis] = ops::convolutionAxes(op);
  const ops::ImageAxes image = ops::axesOf(op.options.inputLayout);
  const Shape &input = op.input.shape(), &shape = out.output().shape();
  const std::array ends{endingPadding(heightAxis, input[image.height], shape[image.height], out),
                        endingPadding(widthAxis, input[image.width], shape[image.width], out)};
  constexpr std::int64_t kNone = 0;
  const std::vector<std::uint32_t>& padding = *op.options.padding;
  Integers pads{padding[0], padding[2], std::max(ends[0], kNone), std::max(ends[1], kNone)};
  Cut cut;
  if (out.target().isCuda && (pads[0] != pads[2] || pads[1] != pads[3])) {
    const std::array sizes{out.numberOf(shape[image.height]), out.numberOf(shape[image.width])};
    for (std::size_t i = 0; i < 2; ++i) {
      const std::int64_t both = std::min(pads[i], pads[i + 2]);
      cut.push_back({pads[i] - both, pads[i] - both + sizes[i]});
      pads[i] = pads[i + 2] = both;
    }
  }
  Attributes attributes = attributesOf(op, std::move(pads), out);
  // ONNX requires output padding below the stride; outputPadding and outputSizes both guarantee it.
  attributes.emplace_back("output_padding", Integers{std::max(-ends[0], kNone), std::max(-ends[1], kNone)});
  const ops::FilterAxes axes = ops::axesOf(op.options.filterLayout);
  addConvolution("ConvTranspose", op, {axisOf(axes.input), axisOf(axes.output), axisOf(axes.height), axisOf(axes.width)},
                 std::move(attributes), out, cut);
}

}  // namespace webnn::onnx
