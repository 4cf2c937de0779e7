// Helpers for building graphs, comparing results and expecting errors.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webnn/context.h"
#include "webnn/graph_builder.h"

namespace webnn::test {

// Creates a context on the named backend, with the execution that WEBNN_TEST_EXECUTION names (default callerThread).
Context makeContext(std::string backend = "reference");

// Holds a builder with its own context, and offers short functions to make operands.
struct Fixture {
  Context context = makeContext();
  GraphBuilder builder{context};
  int inputs = 0;

  // Adds an input with a new name.
  Operand input(DataType type, Shape shape);
  Operand input(Shape shape) { return input(DataType::float32, std::move(shape)); }
  // Adds a constant with these values, cast to the type.
  Operand constant(DataType type, Shape shape, const std::vector<Number>& values);
  Operand constant(Shape shape, const std::vector<Number>& values) {
    return constant(DataType::float32, std::move(shape), values);
  }
};

// Returns the packed bytes of the values, each cast to the type. A single value is repeated to fill the shape.
std::vector<std::byte> pack(const OperandDescriptor& descriptor, const std::vector<Number>& values);
// Unpacks elements: floats as double, integers as std::int64_t or std::uint64_t.
std::vector<Number> unpack(const OperandDescriptor& descriptor, std::span<const std::byte> bytes);

// Builds the graph of `outputs`, which must not depend on inputs, runs it and returns the values of each output.
std::vector<std::vector<Number>> evaluate(Fixture& fixture, const std::vector<Operand>& outputs);
// Does the same for one output, as doubles.
std::vector<double> evaluate(Fixture& fixture, const Operand& output);

// Expects that `call` throws a webnn::Error of `kind`, and that the message contains all of `parts`.
void expectError(ErrorKind kind, const std::vector<std::string>& parts, const std::function<void()>& call);
inline void expectTypeError(const std::vector<std::string>& parts, const std::function<void()>& call) {
  expectError(ErrorKind::typeError, parts, call);
}

// Expects equal sizes, NaN and equal infinities at the same positions, and otherwise |actual - expected| <= tolerance * max(1,
// |expected|).
void expectNear(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance = 1e-6);

}  // namespace webnn::test
