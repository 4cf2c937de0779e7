#pragma once

#include "ops/operation_base.h"

namespace webnn::ops {

struct Resample2d {
  Operand input;
  Resample2dOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("mode", self.options.mode);
    visit.option("scales", self.options.scales);
    visit.option("sizes", self.options.sizes);
    visit.option("axes", self.options.axes);
  }
  static std::span<const OperationRow> rows();
};

Outputs infer(Resample2d& op);

}  // namespace webnn::ops
