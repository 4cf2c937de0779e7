#pragma once

#include "ops/operation_base.h"

namespace webnn::ops {

struct DequantizeLinear {
  Operand input, scale, zeroPoint;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("scale", self.scale);
    visit.argument("zeroPoint", self.zeroPoint);
  }
  static std::span<const OperationRow> rows();
};

struct QuantizeLinear {
  Operand input, scale, zeroPoint;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("scale", self.scale);
    visit.argument("zeroPoint", self.zeroPoint);
  }
  static std::span<const OperationRow> rows();
};

Outputs infer(DequantizeLinear& op);
Outputs infer(QuantizeLinear& op);

}  // namespace webnn::ops
