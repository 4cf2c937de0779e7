// Small graphs whose export is compared with the results of the reference backend.
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
  positive,  // like `plain`, but greater than zero
  special,   // values for which operators differ: bounds of the type, n + 0.5, signed zeros, infinities, NaN
  ordered,   // like `special`, but without NaN, whose order neither WebNN nor ONNX defines
};

struct ExportCase {
  std::string name;
  ops::DataTypeSet types;  // `make` is called for each type
  Values values = Values::plain;
  std::function<std::vector<Operand>(Fixture&, DataType)> make;
};

const std::vector<Number>& specialValues(DataType type);
// Returns the values of input number `index`.
std::vector<Number> inputValues(const OperandDescriptor& descriptor, Values values, std::size_t index);

// Adds the cases of convolutions, pooling, data movement, indexing, quantization, recurrence and resampling to exportCases().
void addMovingCases(std::vector<ExportCase>& cases);

// Adds cases of operations before, after and between quantizations, in 8 and 4 bits. Results may differ by one unit if a
// runtime rounds less often.
void addQuantizedCases(std::vector<ExportCase>& cases);

const std::vector<ExportCase>& exportCases();

}  // namespace webnn::test
