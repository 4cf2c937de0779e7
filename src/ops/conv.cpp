#include "ops/conv.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

// The channel counts of an input and its filter.
struct Channels {
  std::uint32_t input, filterInput, filterOutput;
};

Channels channelsOf(const auto& op) {
  const FilterAxes filter = axesOf(op.options.filterLayout);
  return {op.input.shape()[axesOf(op.options.inputLayout).channel], op.filter.shape()[filter.input],
          op.filter.shape()[filter.output]};
}

void requireGroups(const auto& op) {
  const std::uint32_t channels = channelsOf(op).input, groups = op.options.groups;
  require(groups > 0, op, "groups ({}) is not greater than 0.", groups);
  require(channels % groups == 0, op, "input channels ({}) are not a multiple of groups ({}).", channels, groups);
}

void requireBias(const auto& op, std::uint32_t outputChannels) {
  if (!op.options.bias) return;
  const Shape& shape = op.options.bias->shape();
  if (shape == Shape{outputChannels}) return;
  fail(op, ErrorKind::typeError, "bias shape {} is not [{}], the output channels.", toString(shape), outputChannels);
}

// Returns "calculate convtranspose output size" plus outputPadding, or the given output size if it is possible.
std::uint32_t transposedSize(const ConvTranspose2d& op, const WindowAxis& axis, std::size_t i) {
  // Both terms are below 2^63, because operand sizes are below 2^31.
  const std::uint64_t spread = (axis.inputSize - 1) * axis.stride + axis.effectiveWindowSize();
  const std::string outputName = formatText("output {}", axis.name);
  if (spread > axis.padding() + kMaxDimension) return requireDimension(op, outputName, spread - axis.padding());
  const std::int64_t calculated = static_cast<std::int64_t>(spread) - static_cast<std::int64_t>(axis.padding());
  const std::int64_t stride = static_cast<std::int64_t>(axis.stride);
  if (op.options.outputSizes) {
    const std::int64_t given = (*op.options.outputSizes)[i];
    require(given >= calculated && given < calculated + stride, op,
            "outputSizes[{}] ({}) is not at least the calculated {} ({}) and less than that plus the stride ({}).", i, given,
            axis.name, calculated, stride);
    return requireDimension(op, outputName, (*op.options.outputSizes)[i]);
  }
  const std::int64_t size = calculated + (*op.options.outputPadding)[i];
  require(size > 0, op, "output {} ({}) is not between 1 and {}.", axis.name, size, kMaxDimension);
  return requireDimension(op, outputName, static_cast<std::uint64_t>(size));
}

// Performs the validation steps that only concern outputPadding and outputSizes.
void resolveTransposedOutput(ConvTranspose2d& op) {
  auto& options = op.options;
  resolveSizes(op, "outputPadding", options.outputPadding, {0, 0});
  if (options.outputSizes) return requireSize(op, "outputSizes", options.outputSizes->size(), 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::uint32_t padding = (*options.outputPadding)[i], stride = (*options.strides)[i];
    require(padding < stride, op, "outputPadding[{}] ({}) is not less than strides[{}] ({}).", i, padding, i, stride);
  }
}

}  // namespace

constinit const OperationRow Conv2d::rows[] = {
    {"conv2d",
     "2-D convolution",
     {operand("input", kFloats, rank(4)), like("filter", "input").ofRank(rank(4)), like("bias", "input").ofRank(rank(1)),
      output(like("output", "input").ofRank(rank(4)))}},
};

constinit const OperationRow ConvTranspose2d::rows[] = {
    {"convTranspose2d",
     "2-D transposed convolution",
     {operand("input", kFloats, rank(4)), like("filter", "input").ofRank(rank(4)), like("bias", "input").ofRank(rank(1)),
      output(like("output", "input").ofRank(rank(4)))}},
};

Outputs infer(Conv2d& op) {
  resolveWindow(op, op.options.padding, op.options.strides, op.options.dilations);
  requireGroups(op);
  const Channels channels = channelsOf(op);
  require(channels.input / op.options.groups == channels.filterInput, op,
          "filter input channels ({}) are not the input channels ({}) divided by groups ({}).", channels.filterInput,
          channels.input, op.options.groups);
  require(channels.filterOutput % op.options.groups == 0, op, "filter output channels ({}) are not a multiple of groups ({}).",
          channels.filterOutput, op.options.groups);
  requireBias(op, channels.filterOutput);
  const auto [heightAxis, widthAxis] = convolutionAxes(op);
  const std::uint32_t height = requireWindowCount(op, "filter", heightAxis, RoundingType::floor);
  const std::uint32_t width = requireWindowCount(op, "filter", widthAxis, RoundingType::floor);
  return {{op.input.dataType(), imageShape(op.input.shape(), op.options.inputLayout, channels.filterOutput, height, width)}};
}

Outputs infer(ConvTranspose2d& op) {
  resolveWindow(op, op.options.padding, op.options.strides, op.options.dilations);
  resolveTransposedOutput(op);
  const Channels channels = channelsOf(op);
  require(channels.filterInput == channels.input, op, "filter input channels ({}) are not the input channels ({}).",
          channels.filterInput, channels.input);
  requireGroups(op);  // implied by the specification, which does not state that groups must divide the channels
  // outputChannels is a valid dimension: it is at most the filter's input channels * output channels, and so at most its element
  // count.
  const std::uint32_t outputChannels = channels.filterOutput * op.options.groups;
  requireBias(op, outputChannels);
  const auto [heightAxis, widthAxis] = convolutionAxes(op);
  const std::uint32_t height = transposedSize(op, heightAxis, 0), width = transposedSize(op, widthAxis, 1);
  return {{op.input.dataType(), imageShape(op.input.shape(), op.options.inputLayout, outputChannels, height, width)}};
}

}  // namespace webnn::ops
