#pragma once

#include "ops/operation_base.h"

namespace webnn::ops {

// Activations that have no options except a label.
enum class ActivationKind { gelu, hardSwish, relu, sigmoid, softplus, softsign, tanh };

struct Activation {
  ActivationKind kind{};
  Operand input;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) { visit.argument("input", self.input); }
  static const OperationRow rows[7];
};

struct Elu {
  Operand input;
  EluOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("alpha", self.options.alpha);
  }
  static const OperationRow rows[1];
};

struct LeakyRelu {
  Operand input;
  LeakyReluOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("alpha", self.options.alpha);
  }
  static const OperationRow rows[1];
};

struct HardSigmoid {
  Operand input;
  HardSigmoidOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("alpha", self.options.alpha);
    visit.option("beta", self.options.beta);
  }
  static const OperationRow rows[1];
};

struct Linear {
  Operand input;
  LinearOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("alpha", self.options.alpha);
    visit.option("beta", self.options.beta);
  }
  static const OperationRow rows[1];
};

struct Prelu {
  Operand input, slope;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("slope", self.slope);
  }
  static const OperationRow rows[1];
};

struct Softmax {
  Operand input;
  std::uint32_t axis = 0;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("axis", self.axis);
  }
  static const OperationRow rows[1];
};

Outputs infer(Activation& op);
Outputs infer(Elu& op);
Outputs infer(LeakyRelu& op);
Outputs infer(HardSigmoid& op);
Outputs infer(Linear& op);
Outputs infer(Prelu& op);
Outputs infer(Softmax& op);

}  // namespace webnn::ops
