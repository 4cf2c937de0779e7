#pragma once

#include "base/copyable_variant.h"
#include "ops/operation_base.h"

namespace webnn::ops {

struct Concat {
  std::vector<Operand> inputs;
  std::uint32_t axis = 0;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("inputs", self.inputs);
    visit.argument("axis", self.axis);
  }
  static const OperationRow rows[1];
};

struct Expand {
  Operand input;
  std::vector<std::uint32_t> newShape;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("newShape", self.newShape);
  }
  static const OperationRow rows[1];
};

struct Pad {
  Operand input;
  std::vector<std::uint32_t> beginningPadding;
  std::vector<std::uint32_t> endingPadding;
  PadOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("beginningPadding", self.beginningPadding);
    visit.argument("endingPadding", self.endingPadding);
    visit.option("mode", self.options.mode);
    visit.option("value", self.options.value);
  }
  static const OperationRow rows[1];
};

struct Reshape {
  Operand input;
  std::vector<std::uint32_t> newShape;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("newShape", self.newShape);
  }
  static const OperationRow rows[1];
};

struct Reverse {
  Operand input;
  ReverseOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("axes", self.options.axes);
  }
  static const OperationRow rows[1];
};

struct Slice {
  Operand input;
  std::vector<std::uint32_t> starts;
  std::vector<std::uint32_t> sizes;
  SliceOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("starts", self.starts);
    visit.argument("sizes", self.sizes);
    visit.option("strides", self.options.strides);
  }
  static const OperationRow rows[1];
};

struct Split {
  Operand input;
  CopyableVariant<std::uint32_t, std::vector<std::uint32_t>> splits;  // the alternatives of webnn::Splits
  SplitOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("splits", self.splits);
    visit.option("axis", self.options.axis);
  }
  static const OperationRow rows[1];
};

struct Tile {
  Operand input;
  std::vector<std::uint32_t> repetitions;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("repetitions", self.repetitions);
  }
  static const OperationRow rows[1];
};

struct Transpose {
  Operand input;
  TransposeOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("permutation", self.options.permutation);
  }
  static const OperationRow rows[1];
};

struct Triangular {
  Operand input;
  TriangularOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("upper", self.options.upper);
    visit.option("diagonal", self.options.diagonal);
  }
  static const OperationRow rows[1];
};

Outputs infer(Concat& op);
Outputs infer(Expand& op);
Outputs infer(Pad& op);
Outputs infer(Reshape& op);
Outputs infer(Reverse& op);
Outputs infer(Slice& op);
Outputs infer(Split& op);
Outputs infer(Tile& op);
Outputs infer(Transpose& op);
Outputs infer(Triangular& op);

}  // namespace webnn::ops
