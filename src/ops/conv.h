#pragma once

#include "ops/operation_base.h"
#include "ops/window2d.h"

namespace webnn::ops {

struct Conv2d {
  Operand input, filter;
  Conv2dOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("filter", self.filter);
    visit.option("padding", self.options.padding);
    visit.option("strides", self.options.strides);
    visit.option("dilations", self.options.dilations);
    visit.option("groups", self.options.groups);
    visit.option("inputLayout", self.options.inputLayout);
    visit.option("filterLayout", self.options.filterLayout);
    visit.option("bias", self.options.bias);
  }
  static const OperationRow rows[1];
};

struct ConvTranspose2d {
  Operand input, filter;
  ConvTranspose2dOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("filter", self.filter);
    visit.option("padding", self.options.padding);
    visit.option("strides", self.options.strides);
    visit.option("dilations", self.options.dilations);
    visit.option("outputPadding", self.options.outputPadding);
    visit.option("outputSizes", self.options.outputSizes);
    visit.option("groups", self.options.groups);
    visit.option("inputLayout", self.options.inputLayout);
    visit.option("filterLayout", self.options.filterLayout);
    visit.option("bias", self.options.bias);
  }
  static const OperationRow rows[1];
};

// Returns the window axes for height and width of a Conv2d or ConvTranspose2d with resolved options.
std::array<WindowAxis, 2> convolutionAxes(const auto& op) {
  const ImageAxes input = axesOf(op.options.inputLayout);
  const FilterAxes filter = axesOf(op.options.filterLayout);
  const Shape &inputShape = op.input.shape(), &filterShape = op.filter.shape();
  return windowAxes(op.options, {inputShape[input.height], inputShape[input.width]},
                    {filterShape[filter.height], filterShape[filter.width]});
}

Outputs infer(Conv2d& op);
Outputs infer(ConvTranspose2d& op);

}  // namespace webnn::ops
