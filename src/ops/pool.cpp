#include "ops/pool.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

// The given output sizes must be equal to the calculated ones, either both rounded down or both rounded up. The specification's
// text has two more steps: given outputSizes set the padding to zeros, and outputSizes must be less than the strides. These two
// steps contradict this step and the conformance suite, so neither is implemented.
void requireOutputSizes(const Pool2d& op, const std::array<WindowAxis, 2>& axes) {
  const std::vector<std::uint32_t>& given = *op.options.outputSizes;
  requireSize(op, "outputSizes", given.size(), 2);
  if (isOpen(given) || hasOpenSizes(axes)) return;  // checked when all sizes are known
  const auto counts = [&](RoundingType rounding) {
    return std::array{windowCount(axes[0], rounding), windowCount(axes[1], rounding)};
  };
  const auto floors = counts(RoundingType::floor), ceils = counts(RoundingType::ceil);
  const std::array<std::uint64_t, 2> sizes{given[0], given[1]};
  require(sizes == floors || sizes == ceils, op, "outputSizes {} is neither [{}, {}] nor [{}, {}], the calculated sizes.",
          toString(given), floors[0], floors[1], ceils[0], ceils[1]);
}

}  // namespace

constinit const OperationRow Pool2d::rows[] = {
    {"averagePool2d",
     "Computes the mean of each window",
     {operand("input", kFloats, rank(4)), output(like("output", "input").ofRank(rank(4)))}},
    {"l2Pool2d",
     "Computes the L2 norm of each window",
     {operand("input", kFloats, rank(4)), output(like("output", "input").ofRank(rank(4)))}},
    {"maxPool2d",
     "Computes the greatest value of each window",
     {operand("input", kAny, rank(4)), output(like("output", "input").ofRank(rank(4)))}},
};

Outputs infer(Pool2d& op) {
  auto& options = op.options;
  const Shape& shape = op.input.shape();
  const ImageAxes image = axesOf(options.layout);
  resolveSizes(op, "windowDimensions", options.windowDimensions, {shape[image.height], shape[image.width]});
  requirePositive(op, "windowDimensions", *options.windowDimensions);
  resolveWindow(op, options.padding, options.strides, options.dilations);
  const auto axes = poolingAxes(op);
  if (options.outputSizes) requireOutputSizes(op, axes);
  const auto size = [&](std::size_t i) {
    if (!options.outputSizes) return requireWindowCount(op, "window", axes[i], options.outputShapeRounding);
    return requireDimension(op, Size((*options.outputSizes)[i]), "output {}", axes[i].name);
  };
  const std::uint32_t height = size(0), width = size(1);
  return {{op.input.dataType(), imageShape(shape, options.layout, shape[image.channel], height, width)}};
}

}  // namespace webnn::ops
