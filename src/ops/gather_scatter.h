#pragma once

#include "ops/operation_base.h"

namespace webnn::ops {

struct Gather {
  Operand input, indices;
  GatherOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("indices", self.indices);
    visit.option("axis", self.options.axis);
  }
  static std::span<const OperationRow> rows();
};

struct GatherElements {
  Operand input, indices;
  GatherOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("indices", self.indices);
    visit.option("axis", self.options.axis);
  }
  static std::span<const OperationRow> rows();
};

struct GatherND {
  Operand input, indices;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("indices", self.indices);
  }
  static std::span<const OperationRow> rows();
};

struct ScatterElements {
  Operand input, indices, updates;
  ScatterOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("indices", self.indices);
    visit.argument("updates", self.updates);
    visit.option("axis", self.options.axis);
  }
  static std::span<const OperationRow> rows();
};

struct ScatterND {
  Operand input, indices, updates;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("indices", self.indices);
    visit.argument("updates", self.updates);
  }
  static std::span<const OperationRow> rows();
};

Outputs infer(Gather& op);
Outputs infer(GatherElements& op);
Outputs infer(GatherND& op);
Outputs infer(ScatterElements& op);
Outputs infer(ScatterND& op);

}  // namespace webnn::ops
