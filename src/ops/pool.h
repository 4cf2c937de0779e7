#pragma once

#include "ops/operation_base.h"
#include "ops/window2d.h"

namespace webnn::ops {

enum class Pool2dKind { averagePool2d, l2Pool2d, maxPool2d };

// Elements outside the input are ignored: a mean is computed over the elements inside. The specification does not define the
// result of a window without elements (because of rounding up, or padding wider than the window). Here the result is the
// operation's initial value: 0 for averagePool2d and l2Pool2d, the type's lowest value (-Infinity) for maxPool2d.
struct Pool2d {
  Pool2dKind kind{};
  Operand input;
  Pool2dOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("windowDimensions", self.options.windowDimensions);
    visit.option("padding", self.options.padding);
    visit.option("strides", self.options.strides);
    visit.option("dilations", self.options.dilations);
    visit.option("layout", self.options.layout);
    visit.option("outputShapeRounding", self.options.outputShapeRounding);
    visit.option("outputSizes", self.options.outputSizes);
  }
  static const OperationRow rows[3];
};

// Returns the window axes for height and width. Options must be resolved.
inline std::array<WindowAxis, 2> poolingAxes(const Pool2d& op) {
  const ImageAxes image = axesOf(op.options.layout);
  const std::vector<std::uint32_t>& window = *op.options.windowDimensions;
  return windowAxes(op.options, {op.input.shape()[image.height], op.input.shape()[image.width]}, {window[0], window[1]});
}

Outputs infer(Pool2d& op);

}  // namespace webnn::ops
