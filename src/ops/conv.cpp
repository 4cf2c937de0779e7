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

void requireFixedFilter(const auto& op) {
  for (std::uint32_t size : op.filter.shape()) requireFixed(op, "a size of filter", size);
}

void requireGroups(const auto& op) {
  const std::uint32_t channels = channelsOf(op).input, groups = op.options.groups;
  require(groups > 0, op, "groups ({}) is not greater than 0.", groups);
  if (!canDivide(Size(groups), Size(channels))) {
    fail(op, ErrorKind::typeError, "input channels ({}) are not a multiple of groups ({}).", Size(channels).text(), groups);
  }
}

void requireBias(const auto& op, std::uint32_t outputChannels) {
  if (!op.options.bias) return;
  const Shape& shape = op.options.bias->shape();
  if (canEqual(shape, Shape{outputChannels})) return;
  fail(op, ErrorKind::typeError, "bias shape {} is not [{}], the output channels.", toString(shape), outputChannels);
}

// Returns the output size of an axis with an open size (an expression over named dimensions). A given output size is checked
// later, when the sizes are known.
std::uint32_t openTransposedSize(const ConvTranspose2d& op, const WindowAxis& axis, std::size_t i) {
  const std::string outputName = formatText("output {}", axis.name);
  if (op.options.outputSizes) return requireDimension(op, outputName, Size((*op.options.outputSizes)[i]));
  const auto number = [](std::uint64_t value) { return Size(static_cast<std::int64_t>(value)); };
  const Size input(static_cast<std::uint32_t>(axis.inputSize)), one = number(1);
  const Size spread = (input - one) * number(axis.stride) + number(axis.effectiveWindowSize());
  return requireDimension(op, outputName, spread - number(axis.padding()) + number((*op.options.outputPadding)[i]));
}

// Returns the specification's "calculate convtranspose output size" plus outputPadding; or outputSizes[i], if given. Throws
// TypeError if outputSizes[i] is impossible.
std::uint32_t transposedSize(const ConvTranspose2d& op, const WindowAxis& axis, std::size_t i) {
  if (hasOpenSizes({&axis, 1}) || (op.options.outputSizes && isOpen((*op.options.outputSizes)[i])))
    return openTransposedSize(op, axis, i);
  // Both terms are below 2^63, because operand sizes are below 2^31.
  const std::uint64_t spread = (axis.inputSize - 1) * axis.stride + axis.effectiveWindowSize();
  const std::string outputName = formatText("output {}", axis.name);
  if (spread > axis.padding() + kMaxDimension) {  // too large; `calculated` could overflow
    fail(op, ErrorKind::typeError, "{} ({}) is not between {} and {}.", outputName, spread - axis.padding(), 1, kMaxDimension);
  }
  const std::int64_t calculated = static_cast<std::int64_t>(spread) - static_cast<std::int64_t>(axis.padding());
  const std::int64_t stride = static_cast<std::int64_t>(axis.stride);
  if (op.options.outputSizes) {
    const std::int64_t given = (*op.options.outputSizes)[i];
    require(given >= calculated && given < calculated + stride, op,
            "outputSizes[{}] ({}) is not at least the calculated {} ({}) and less than that plus the stride ({}).", i, given,
            axis.name, calculated, stride);
    return requireDimension(op, outputName, Size((*op.options.outputSizes)[i]));
  }
  const std::int64_t size = calculated + (*op.options.outputPadding)[i];
  return requireDimension(op, outputName, Size(size));
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
     "Computes a 2-D convolution",
     {operand("input", kFloats, rank(4)), like("filter", "input").ofRank(rank(4)), like("bias", "input").ofRank(rank(1)),
      output(like("output", "input").ofRank(rank(4)))}},
};

constinit const OperationRow ConvTranspose2d::rows[] = {
    {"convTranspose2d",
     "Computes a 2-D transposed convolution",
     {operand("input", kFloats, rank(4)), like("filter", "input").ofRank(rank(4)), like("bias", "input").ofRank(rank(1)),
      output(like("output", "input").ofRank(rank(4)))}},
};

Outputs infer(Conv2d& op) {
  requireFixedFilter(op);
  resolveWindow(op, op.options.padding, op.options.strides, op.options.dilations);
  requireGroups(op);
  const Channels channels = channelsOf(op);
  if (!canEqual(Size(channels.filterInput), floorQuotient(Size(channels.input), Size(op.options.groups)))) {
    fail(op, ErrorKind::typeError, "filter input channels ({}) are not the input channels ({}) divided by groups ({}).",
         Size(channels.filterInput).text(), Size(channels.input).text(), op.options.groups);
  }
  require(channels.filterOutput % op.options.groups == 0, op, "filter output channels ({}) are not a multiple of groups ({}).",
          channels.filterOutput, op.options.groups);
  requireBias(op, channels.filterOutput);
  const auto [heightAxis, widthAxis] = convolutionAxes(op);
  const std::uint32_t height = requireWindowCount(op, "filter", heightAxis, RoundingType::floor);
  const std::uint32_t width = requireWindowCount(op, "filter", widthAxis, RoundingType::floor);
  return {{op.input.dataType(), imageShape(op.input.shape(), op.options.inputLayout, channels.filterOutput, height, width)}};
}

Outputs infer(ConvTranspose2d& op) {
  requireFixedFilter(op);
  resolveWindow(op, op.options.padding, op.options.strides, op.options.dilations);
  resolveTransposedOutput(op);
  const Channels channels = channelsOf(op);
  if (!canEqual(Size(channels.filterInput), Size(channels.input))) {
    fail(op, ErrorKind::typeError, "filter input channels ({}) are not the input channels ({}).",
         Size(channels.filterInput).text(), Size(channels.input).text());
  }
  requireGroups(op);  // the specification only implies that groups must divide the channels
  // outputChannels is a valid dimension, because it is at most the filter's input channels * output channels, which is at most
  // the element count of the filter.
  const std::uint32_t outputChannels = channels.filterOutput * op.options.groups;
  requireBias(op, outputChannels);
  const auto [heightAxis, widthAxis] = convolutionAxes(op);
  const std::uint32_t height = transposedSize(op, heightAxis, 0), width = transposedSize(op, widthAxis, 1);
  return {{op.input.dataType(), imageShape(op.input.shape(), op.options.inputLayout, outputChannels, height, width)}};
}

}  // namespace webnn::ops
