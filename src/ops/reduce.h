#pragma once

#include "ops/operation_base.h"

namespace webnn::ops {

enum class ReduceKind {
  reduceL1,
  reduceL2,
  reduceLogSum,
  reduceLogSumExp,
  reduceMax,
  reduceMean,
  reduceMin,
  reduceProduct,
  reduceSum,
  reduceSumSquare,
};

struct Reduce {
  ReduceKind kind{};
  Operand input;
  ReduceOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("axes", self.options.axes);
    visit.option("keepDimensions", self.options.keepDimensions);
  }
  static std::span<const OperationRow> rows();
};

enum class ArgMinMaxKind { argMin, argMax };

struct ArgMinMax {
  ArgMinMaxKind kind{};
  Operand input;
  std::uint32_t axis = 0;
  ArgMinMaxOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("axis", self.axis);
    visit.option("keepDimensions", self.options.keepDimensions);
    visit.option("outputDataType", self.options.outputDataType);
  }
  static std::span<const OperationRow> rows();
};

struct CumulativeSum {
  Operand input;
  std::uint32_t axis = 0;
  CumulativeSumOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("axis", self.axis);
    visit.option("exclusive", self.options.exclusive);
    visit.option("reversed", self.options.reversed);
  }
  static std::span<const OperationRow> rows();
};

Outputs infer(Reduce& op);
Outputs infer(ArgMinMax& op);
Outputs infer(CumulativeSum& op);

}  // namespace webnn::ops
