// Operands: the values that flow through a graph.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "webnn/open_dimensions.h"
#include "webnn/types.h"

namespace webnn {

struct OperandRecord;  // src/ops/operand_record.h

// A handle of an input, a constant or an operation's result in one builder. Cheap to copy, immutable and thread safe. A
// default-constructed operand refers to nothing; passing it to a builder throws a TypeError.
// https://www.w3.org/TR/webnn/#api-mloperand
class Operand {
 public:
  Operand() = default;
  explicit Operand(std::shared_ptr<const OperandRecord> record) : record_(std::move(record)) {}

  DataType dataType() const { return descriptor().dataType; }
  const Shape& shape() const { return descriptor().shape; }
  std::size_t rank() const { return shape().size(); }
  const OperandDescriptor& descriptor() const;  // throws InvalidStateError if the operand refers to nothing

  // Returns the shape with the names or expressions of its open dimensions. In shape() and descriptor(), an open dimension is a
  // handle: a number of at least 2^31, which the builder's methods accept as a size, as in `reshape(x, {x.shape()[0], 768})`.
  std::vector<Dimension> dimensions() const;

  explicit operator bool() const { return record_ != nullptr; }
  bool operator==(const Operand&) const = default;  // compares identity, not values
  const OperandRecord& record() const { return *record_; }

 private:
  std::shared_ptr<const OperandRecord> record_;
};

}  // namespace webnn
