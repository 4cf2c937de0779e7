// Small graphs whose export is compared with what the reference backend computes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ops/operation_row.h"
#include "support/support.h"

namespace webnn::test {

// The kind of values in the inputs.
enum class Values {
  plain,     // small numbers of both signs, many of them different
  positive,  // the same, above zero
  special,   // those on which operators differ: ends of the type, halves, signed zeros, infinities, NaN
  ordered,   // the same without NaN, of which neither WebNN nor ONNX says which place it has in an order
};

struct ExportCase {
  std::string name;
  ops::DataTypeSet types;  // `make` is called for each
  Values values = Values::plain;
  std::function<std::vector<Operand>(Fixture&, DataType)> make;
};

// The special values of a type.
const std::vector<Number>& specialValues(DataType type);
// Returns the values of input number `index`.
std::vector<Number> inputValues(const OperandDescriptor& descriptor, Values values, std::size_t index);

// For exportCases: those of convolutions, pooling, data movement, indexing, quantization, recurrence and resampling.
void addMovingCases(std::vector<ExportCase>& cases);

// Cases of operations between dequantizeLinear and quantizeLinear, in 8 and 4 bits. Results may differ by one unit if a
// runtime rounds once less.
void addQuantizedCases(std::vector<ExportCase>& cases);

// Returns the export cases of all operations.
const std::vector<ExportCase>& exportCases();

}  // namespace webnn::test
