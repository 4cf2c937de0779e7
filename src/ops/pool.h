// Pooling over the two spatial dimensions.
#pragma once

#include "ops/operation_base.h"

namespace webnn::ops {

enum class Pool2dKind { averagePool2d, l2Pool2d, maxPool2d };

struct Pool2d {
  Pool2dKind kind{};
  Operand input;
  Pool2dOptions options;

  template <typename Self, typename Visitor>
  static void visitFields(Self& self, Visitor&& visit) {
    visit.argument("input", self.input);
    visit.option("windowDimensions", self.options.windowDimensions);
    visit.option("padding", self.options.padding);
    visit.option("strides", self.options.strides);
    visit.option("dilations", self.options.dilations);
    visit.option("layout", self.options.layout);
    visit.option("outputShapeRounding", self.options.outputShapeRounding);
    visit.option("outputSizes", self.options.outputSizes);
  }
  static std::span<const OperationRow> rows();
};

Outputs infer(Pool2d& op);

}  // namespace webnn::ops
