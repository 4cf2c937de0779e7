// Reads, builds and runs the cases of conformance vectors.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/diff/compare.h"
#include "formats/document/document.h"
#include "webnn/context.h"
#include "webnn/op_support_limits.h"

namespace webnn::cli {

struct CaseInput {
  std::string name;
  OperandDescriptor descriptor;
  bool constant = false;
  std::vector<Number> values;  // a single value stands for all elements
};

struct CaseOutput {
  std::string name;
  ExpectedTensor expected;
};

struct ConformanceCase {
  std::string name;
  Tolerance tolerance;
  bool castToSupportedType = false;
  std::vector<CaseInput> inputs;
  std::vector<CaseOutput> outputs;
  formats::Json operators;
};

// Parses a file of cases. Throws DataError, with the name of the invalid case.
std::vector<ConformanceCase> readCases(std::string_view json);

// Builds the graph of a case. Positional arguments are assigned to the operation's fields in order.
formats::GraphDocument documentOf(const ConformanceCase& test);

// If the context lacks a type of an input, constant or output, uses a wider supported type and adds casts, in `test` and
// `document`. Throws NotSupportedError if the case does not set castToSupportedType or no wider type exists.
void adaptToLimits(ConformanceCase& test, formats::GraphDocument& document, const OpSupportLimits& limits);

// Runs the case. Returns nullopt if it passes, else the failure. A webnn::Error is a failure, too.
std::optional<std::string> runCase(Context& context, const OpSupportLimits& limits, ConformanceCase test);

}  // namespace webnn::cli
