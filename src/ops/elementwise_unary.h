#pragma once

#include "ops/operation_base.h"

namespace webnn::ops {

enum class UnaryKind { abs, ceil, cos, erf, exp, floor, identity, log, neg, reciprocal, roundEven, sin, sign, sqrt, tan };

struct Unary {
  UnaryKind kind{};
  Operand input;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) { visit.argument("input", self.input); }
  static std::span<const OperationRow> rows();
};

enum class LogicalUnaryKind { logicalNot, isNaN, isInfinite };

struct LogicalUnary {
  LogicalUnaryKind kind{};
  Operand a;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) { visit.argument("a", self.a); }
  static std::span<const OperationRow> rows();
};

struct Cast {
  Operand input;
  DataType dataType{};
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("dataType", self.dataType);
  }
  static std::span<const OperationRow> rows();
};

struct Clamp {
  Operand input;
  ClampOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("minValue", self.options.minValue);
    visit.option("maxValue", self.options.maxValue);
  }
  static std::span<const OperationRow> rows();
};

Outputs infer(Unary& op);
Outputs infer(LogicalUnary& op);
Outputs infer(Cast& op);
Outputs infer(Clamp& op);

}  // namespace webnn::ops
