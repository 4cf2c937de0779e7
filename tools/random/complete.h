// For each operation, complete() chooses values of fields that fit together. If an operation has no overload, compilation fails.
#pragma once

#include "random/maker.h"

namespace webnn::random {

// Returns an operand that the operation table allows for the operand `name` of `op`.
Operand take(Maker& m, const auto& op, std::string_view name) {
  const ops::OperationRow& row = ops::rowOf(op);
  const ops::OperandRule& rule = *row.find(name);
  return m.any(row.typesOf(rule), row.ranksOf(rule));
}

// During its lifetime, the maker offers only operands whose errors the operation tolerates: exact ones if the operation is
// discontinuous. With Style::isOpen, the maker offers all operands.
class Taking {
 public:
  Taking(Maker& maker, const Operation& operation);
  ~Taking();
  Taking(const Taking&) = delete;
  Taking& operator=(const Taking&) = delete;

 private:
  Maker& maker_;
  bool exact_, loose_;
};

void complete(Maker& m, ops::Activation& op);
void complete(Maker& m, ops::ArgMinMax& op);
void complete(Maker& m, ops::BatchNormalization& op);
void complete(Maker& m, ops::Binary& op);
void complete(Maker& m, ops::Cast& op);
void complete(Maker& m, ops::Clamp& op);
void complete(Maker& m, ops::Concat& op);
void complete(Maker& m, ops::Conv2d& op);
void complete(Maker& m, ops::ConvTranspose2d& op);
void complete(Maker& m, ops::CumulativeSum& op);
void complete(Maker& m, ops::DequantizeLinear& op);
void complete(Maker& m, ops::Elu& op);
void complete(Maker& m, ops::Expand& op);
void complete(Maker& m, ops::Gather& op);
void complete(Maker& m, ops::GatherElements& op);
void complete(Maker& m, ops::GatherND& op);
void complete(Maker& m, ops::Gemm& op);
void complete(Maker& m, ops::Gru& op);
void complete(Maker& m, ops::GruCell& op);
void complete(Maker& m, ops::HardSigmoid& op);
void complete(Maker& m, ops::InstanceNormalization& op);
void complete(Maker& m, ops::LayerNormalization& op);
void complete(Maker& m, ops::LeakyRelu& op);
void complete(Maker& m, ops::Linear& op);
void complete(Maker& m, ops::LogicalUnary& op);
void complete(Maker& m, ops::Lstm& op);
void complete(Maker& m, ops::LstmCell& op);
void complete(Maker& m, ops::Matmul& op);
void complete(Maker& m, ops::Pad& op);
void complete(Maker& m, ops::Pool2d& op);
void complete(Maker& m, ops::Prelu& op);
void complete(Maker& m, ops::QuantizeLinear& op);
void complete(Maker& m, ops::Reduce& op);
void complete(Maker& m, ops::Resample2d& op);
void complete(Maker& m, ops::Reshape& op);
void complete(Maker& m, ops::Reverse& op);
void complete(Maker& m, ops::ScatterElements& op);
void complete(Maker& m, ops::ScatterND& op);
void complete(Maker& m, ops::Slice& op);
void complete(Maker& m, ops::Softmax& op);
void complete(Maker& m, ops::Split& op);
void complete(Maker& m, ops::Tile& op);
void complete(Maker& m, ops::Transpose& op);
void complete(Maker& m, ops::Triangular& op);
void complete(Maker& m, ops::Unary& op);
void complete(Maker& m, ops::Where& op);

template <typename Op>
void Maker::completeWith(Op& op, Operand first) {
  next_ = std::move(first);
  complete(*this, op);
  next_.reset();
}

}  // namespace webnn::random
