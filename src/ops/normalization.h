#pragma once

#include "ops/operation_base.h"

namespace webnn::ops {

struct BatchNormalization {
  Operand input, mean, variance;
  BatchNormalizationOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("mean", self.mean);
    visit.argument("variance", self.variance);
    visit.option("scale", self.options.scale);
    visit.option("bias", self.options.bias);
    visit.option("axis", self.options.axis);
    visit.option("epsilon", self.options.epsilon);
  }
  static std::span<const OperationRow> rows();
};

struct InstanceNormalization {
  Operand input;
  InstanceNormalizationOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("scale", self.options.scale);
    visit.option("bias", self.options.bias);
    visit.option("epsilon", self.options.epsilon);
    visit.option("layout", self.options.layout);
  }
  static std::span<const OperationRow> rows();
};

struct LayerNormalization {
  Operand input;
  LayerNormalizationOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("scale", self.options.scale);
    visit.option("bias", self.options.bias);
    visit.option("axes", self.options.axes);
    visit.option("epsilon", self.options.epsilon);
  }
  static std::span<const OperationRow> rows();
};

Outputs infer(BatchNormalization& op);
Outputs infer(InstanceNormalization& op);
Outputs infer(LayerNormalization& op);

}  // namespace webnn::ops
