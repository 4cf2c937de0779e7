// Makes a random graph from a pool of values: each operation takes operands from it and adds its results. The reference computes
// every value at once, so exact results are known.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ops/operation.h"
#include "random/rounding.h"
#include "random/style.h"
#include "webnn/context.h"
#include "webnn/graph_builder.h"

namespace webnn::random {

struct GraphValue {
  Operand operand;
  Bytes bytes;
  Known known;
  int uses = 0;
  bool isResult = false;  // of an operation
};

class Maker {
 public:
  Maker(const Context& context, Choices& choices, Style wanted) : choose(choices), style(std::move(wanted)), builder_(context) {}

  Choices& choose;
  const Style style;

  std::uint32_t size();
  Shape shape(std::size_t rank);
  std::uint32_t axis(const Operand& operand) { return choose.below(operand.rank()); }
  DataType type(ops::DataTypeSet types);
  DataType floatType() { return choose.oneIn(4) ? DataType::float16 : DataType::float32; }

  // A value of the pool of one of the types and ranks, or a new one.
  Operand any(ops::DataTypeSet types, ops::RankRange ranks = ops::kAnyRank);
  // The same, from the pool only.
  std::optional<Operand> existing(ops::DataTypeSet types, ops::RankRange ranks);
  // Returns a value of exactly that type and shape: from the pool, derived from it, or new.
  Operand shaped(const OperandDescriptor& descriptor, Range range = {});
  // A value that broadcasts with `shape`, most often to it.
  Operand partner(DataType type, const Shape& shape, Range range = {});
  // Returns a value that broadcasts to the shape.
  Operand broadcastable(DataType type, const Shape& shape, Range range = {});
  // A new input or constant.
  Operand fresh(const OperandDescriptor& descriptor, Range range = {});
  Operand constant(const OperandDescriptor& descriptor, Bytes bytes);
  // A constant of one element, or of some whose value is the same.
  Operand number(DataType type, double value);

  // Adds an operation and computes it. Throws Error if its operands do not fit, if it takes too much work, or if its results
  // would be meaningless.
  std::vector<Operand> append(Operation operation);
  Operand one(Operation operation) { return append(std::move(operation)).front(); }

  // Fills in the operation's fields, with `first` as the operand that it chooses first, if that fits.
  template <typename Op>
  void completeWith(Op& op, Operand first);
  // A value of the descriptor made of another one by moving its elements.
  Operand adapted(Operand operand, const OperandDescriptor& descriptor);

  const GraphValue& valueOf(const Operand& operand) const;
  const std::vector<GraphValue>& pool() const { return pool_; }
  std::size_t operations() const { return operations_; }

  // The graph of these outputs, and the bytes of its inputs.
  Graph build(const std::vector<NamedOperand>& outputs) { return builder_.build(outputs); }
  const std::vector<Bytes>& inputs() const { return inputs_; }  // by the number in the name

  bool takesExactOnly = false;  // operands must be exact
  bool takesLoose = false;      // integers that are chosen may be inexact, as those of quantizeLinear

 private:
  bool fits(const GraphValue& value, ops::DataTypeSet types, ops::RankRange ranks) const;
  template <typename Fits>
  std::optional<Operand> choice(Fits fits);
  Operand derived(const OperandDescriptor& descriptor);
  Operand dequantized(const OperandDescriptor& descriptor, Range range);
  void add(const Operand& operand, Bytes bytes, Known known, bool isResult);

  GraphBuilder builder_;
  std::vector<GraphValue> pool_;
  std::vector<std::size_t> places_;  // in the pool, by the operand's index
  std::vector<Bytes> inputs_;
  std::size_t operations_ = 0;
  int depth_ = 0;                // of values that are made for others
  std::optional<Operand> next_;  // any() returns it if it fits
};

// Returns whether small changes of operands make results jump; such operations take exact operands only.
bool jumps(const Operation& operation);

// Fills in the fields of a default operation with operands of the maker.
void complete(Operation& operation, Maker& maker);

}  // namespace webnn::random
