#pragma once

#include "ops/operation_base.h"

namespace webnn::ops {

struct Matmul {
  Operand a, b;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("a", self.a);
    visit.argument("b", self.b);
  }
  static std::span<const OperationRow> rows();
};

struct Gemm {
  Operand a, b;
  GemmOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("a", self.a);
    visit.argument("b", self.b);
    visit.option("c", self.options.c);
    visit.option("alpha", self.options.alpha);
    visit.option("beta", self.options.beta);
    visit.option("aTranspose", self.options.aTranspose);
    visit.option("bTranspose", self.options.bTranspose);
  }
  static std::span<const OperationRow> rows();
};

Outputs infer(Matmul& op);
Outputs infer(Gemm& op);

}  // namespace webnn::ops
