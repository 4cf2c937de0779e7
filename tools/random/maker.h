// Makes a random graph. Operations take operands from a pool of values and add their results to it. Each value is computed
// immediately by the reference backend, so that exact values are known.
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
  bool isResult = false;  // an operation's result; false: an input or constant
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

  // Returns a value with one of the types and ranks. It comes from the pool or is new.
  Operand any(ops::DataTypeSet types, ops::RankRange ranks = ops::kAnyRank);
  // Returns a value from the pool with one of the types and ranks; nullopt if there is none.
  std::optional<Operand> existing(ops::DataTypeSet types, ops::RankRange ranks);
  // Returns a value of exactly this type and shape: from the pool, derived from a value there, or new.
  Operand shaped(const OperandDescriptor& descriptor, Range range = {});
  // Returns a value that can be broadcast together with `shape`. The broadcast result usually has the shape `shape`.
  Operand partner(DataType type, const Shape& shape, Range range = {});
  // Returns a value that can be broadcast to `shape`.
  Operand broadcastable(DataType type, const Shape& shape, Range range = {});
  // Returns a new input or constant, or, in the quantized style, a dequantized one.
  Operand fresh(const OperandDescriptor& descriptor, Range range = {});
  Operand constant(const OperandDescriptor& descriptor, Bytes bytes);
  // Returns a constant with one element and a rank from 0 to 4.
  Operand number(DataType type, double value);

  // Adds an operation and computes its results. Throws Error if the operands do not fit, the graph, the operation or its results
  // get too large, or the results would be meaningless.
  std::vector<Operand> append(Operation operation);
  Operand one(Operation operation) { return append(std::move(operation)).front(); }

  // Completes the operation. Chooses `first` as the first operand, if it fits.
  template <typename Op>
  void completeWith(Op& op, Operand first);
  // Converts `operand` to the descriptor, by a cast and by operations that move, repeat, drop or pad elements.
  Operand adapted(Operand operand, const OperandDescriptor& descriptor);

  const GraphValue& valueOf(const Operand& operand) const;
  const std::vector<GraphValue>& pool() const { return pool_; }
  std::size_t operations() const { return operations_; }

  Graph build(const std::vector<NamedOperand>& outputs) { return builder_.build(outputs); }
  const std::vector<Bytes>& inputs() const { return inputs_; }  // bytes of inputs; input "xN" is element N

  bool takesExactOnly = false;  // operands must have exact values
  bool takesLoose = false;      // integer operands may be off by one, such as results of quantizeLinear

 private:
  bool fits(const GraphValue& value, ops::DataTypeSet types, ops::RankRange ranks) const;
  template <typename Fits>
  std::optional<Operand> choice(Fits fits);
  Operand derived(const OperandDescriptor& descriptor);
  Operand dequantized(const OperandDescriptor& descriptor, Range range);
  void add(const Operand& operand, Bytes bytes, Known known, bool isResult);

  GraphBuilder builder_;
  std::vector<GraphValue> pool_;
  std::vector<std::size_t> places_;  // position in the pool, by operand index
  std::vector<Bytes> inputs_;
  std::size_t operations_ = 0;
  int depth_ = 0;                // nesting depth: making an operand may need further operands
  std::optional<Operand> next_;  // the next any() returns it if it fits
};

// Returns whether small changes of operands may change results by much. Unless Style::isOpen, such operations get exact operands
// only.
bool jumps(const Operation& operation);

// Fills in the fields of a default-constructed operation, with operands from the maker.
void complete(Operation& operation, Maker& maker);

}  // namespace webnn::random
