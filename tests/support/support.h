// Code that the tests share.
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

// A context on the named backend that works on the calling thread.
Context makeContext(std::string backend = "reference");

// A builder with a context of its own, and short ways to make operands.
struct Fixture {
  Context context = makeContext();
  GraphBuilder builder{context};
  int inputs = 0;

  // An input of a fresh name.
  Operand input(DataType type, Shape shape);
  Operand input(Shape shape) { return input(DataType::float32, std::move(shape)); }
  // A constant of the given values, cast to the type.
  Operand constant(DataType type, Shape shape, const std::vector<Number>& values);
  Operand constant(Shape shape, const std::vector<Number>& values) {
    return constant(DataType::float32, std::move(shape), values);
  }
};

// Packed bytes of the values, each cast to the type. One value for a larger shape fills it.
std::vector<std::byte> pack(const OperandDescriptor& descriptor, const std::vector<Number>& values);
// The reverse: floats as double, integers as std::int64_t or std::uint64_t.
std::vector<Number> unpack(const OperandDescriptor& descriptor, std::span<const std::byte> bytes);

// Builds the graph of `outputs` of `fixture.builder`, which may have no inputs, runs it and returns each output's values.
std::vector<std::vector<Number>> evaluate(Fixture& fixture, const std::vector<Operand>& outputs);
// The same for one output, as doubles.
std::vector<double> evaluate(Fixture& fixture, const Operand& output);

// Expects `call` to throw a webnn::Error of `kind` whose message contains every one of `parts`.
void expectError(ErrorKind kind, const std::vector<std::string>& parts, const std::function<void()>& call);
inline void expectTypeError(const std::vector<std::string>& parts, const std::function<void()>& call) {
  expectError(ErrorKind::typeError, parts, call);
}

// Expects equal sizes, NaN where NaN, and |actual - expected| <= tolerance * max(1, |expected|) elsewhere.
void expectNear(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance = 1e-6);

}  // namespace webnn::test
