#pragma once

#include "ops/operation_base.h"

namespace webnn::ops {

struct Gru {
  Operand input, weight, recurrentWeight;
  std::uint32_t steps = 0;
  std::uint32_t hiddenSize = 0;
  GruOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("weight", self.weight);
    visit.argument("recurrentWeight", self.recurrentWeight);
    visit.argument("steps", self.steps);
    visit.argument("hiddenSize", self.hiddenSize);
    visit.option("bias", self.options.bias);
    visit.option("recurrentBias", self.options.recurrentBias);
    visit.option("initialHiddenState", self.options.initialHiddenState);
    visit.option("resetAfter", self.options.resetAfter);
    visit.option("returnSequence", self.options.returnSequence);
    visit.option("direction", self.options.direction);
    visit.option("layout", self.options.layout);
    visit.option("activations", self.options.activations);
  }
  static std::span<const OperationRow> rows();
};

struct GruCell {
  Operand input, weight, recurrentWeight, hiddenState;
  std::uint32_t hiddenSize = 0;
  GruCellOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("weight", self.weight);
    visit.argument("recurrentWeight", self.recurrentWeight);
    visit.argument("hiddenState", self.hiddenState);
    visit.argument("hiddenSize", self.hiddenSize);
    visit.option("bias", self.options.bias);
    visit.option("recurrentBias", self.options.recurrentBias);
    visit.option("resetAfter", self.options.resetAfter);
    visit.option("layout", self.options.layout);
    visit.option("activations", self.options.activations);
  }
  static std::span<const OperationRow> rows();
};

struct Lstm {
  Operand input, weight, recurrentWeight;
  std::uint32_t steps = 0;
  std::uint32_t hiddenSize = 0;
  LstmOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("weight", self.weight);
    visit.argument("recurrentWeight", self.recurrentWeight);
    visit.argument("steps", self.steps);
    visit.argument("hiddenSize", self.hiddenSize);
    visit.option("bias", self.options.bias);
    visit.option("recurrentBias", self.options.recurrentBias);
    visit.option("peepholeWeight", self.options.peepholeWeight);
    visit.option("initialHiddenState", self.options.initialHiddenState);
    visit.option("initialCellState", self.options.initialCellState);
    visit.option("returnSequence", self.options.returnSequence);
    visit.option("direction", self.options.direction);
    visit.option("layout", self.options.layout);
    visit.option("activations", self.options.activations);
  }
  static std::span<const OperationRow> rows();
};

struct LstmCell {
  Operand input, weight, recurrentWeight, hiddenState, cellState;
  std::uint32_t hiddenSize = 0;
  LstmCellOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("weight", self.weight);
    visit.argument("recurrentWeight", self.recurrentWeight);
    visit.argument("hiddenState", self.hiddenState);
    visit.argument("cellState", self.cellState);
    visit.argument("hiddenSize", self.hiddenSize);
    visit.option("bias", self.options.bias);
    visit.option("recurrentBias", self.options.recurrentBias);
    visit.option("peepholeWeight", self.options.peepholeWeight);
    visit.option("layout", self.options.layout);
    visit.option("activations", self.options.activations);
  }
  static std::span<const OperationRow> rows();
};

Outputs infer(Gru& op);
Outputs infer(GruCell& op);
Outputs infer(Lstm& op);
Outputs infer(LstmCell& op);

}  // namespace webnn::ops
