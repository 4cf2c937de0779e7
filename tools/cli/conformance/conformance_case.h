// Cases of the conformance vectors: reading, building and running one.
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
  std::vector<Number> values;  // one fills the shape
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

// The cases of a file. DataError that says which case is wrong.
std::vector<ConformanceCase> readCases(std::string_view json);

// The graph of a case. Positional arguments get the names of the operation's fields, in their order.
formats::GraphDocument documentOf(const ConformanceCase& test);

// For a context that does not support a type of an input, a constant or an output: passes the data in a wider type that
// it supports, and casts. The inputs and outputs of `test` change with the document. Where castToSupportedType is not set
// or there is no such type, NotSupportedError.
void adaptToLimits(ConformanceCase& test, formats::GraphDocument& document, const OpSupportLimits& limits);

// Runs the case. nullopt if it passes, else what is wrong. Does not throw webnn::Error.
std::optional<std::string> runCase(Context& context, const OpSupportLimits& limits, ConformanceCase test);

}  // namespace webnn::cli
