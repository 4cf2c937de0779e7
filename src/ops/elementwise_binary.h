#pragma once

#include "ops/operation_base.h"

namespace webnn::ops {

enum class BinaryKind {
  add,
  sub,
  mul,
  div,
  max,
  min,
  pow,
  equal,
  notEqual,
  greater,
  greaterOrEqual,
  lesser,
  lesserOrEqual,
  logicalAnd,
  logicalOr,
  logicalXor,
};

struct Binary {
  BinaryKind kind{};
  Operand a, b;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("a", self.a);
    visit.argument("b", self.b);
  }
  static std::span<const OperationRow> rows();
};

struct Where {
  Operand condition, trueValue, falseValue;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("condition", self.condition);
    visit.argument("trueValue", self.trueValue);
    visit.argument("falseValue", self.falseValue);
  }
  static std::span<const OperationRow> rows();
};

Outputs infer(Binary& op);
Outputs infer(Where& op);

}  // namespace webnn::ops
