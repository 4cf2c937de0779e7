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

// Returns the cases of a file. DataError names the wrong case.
std::vector<ConformanceCase> readCases(std::string_view json);

// The graph of a case. Positional arguments get the names of the operation's fields, in their order.
formats::GraphDocument documentOf(const ConformanceCase& test);

// Adapts a case to a context that lacks a type of an input, constant or output: passes a wider supported type and casts. Changes
// `test` and the document. Throws NotSupportedError without castToSupportedType or a wider type.
void adaptToLimits(ConformanceCase& test, formats::GraphDocument& document, const OpSupportLimits& limits);

// Runs the case. Returns nullopt if it passes, else the failure. Does not throw webnn::Error.
std::optional<std::string> runCase(Context& context, const OpSupportLimits& limits, ConformanceCase test);

}  // namespace webnn::cli
