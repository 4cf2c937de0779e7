// Checks for element-wise methods.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ops/operation_row.h"
#include "support/support.h"

namespace webnn::test {

inline constexpr DataType kAllTypes[] = {DataType::float32, DataType::float16, DataType::int32, DataType::uint32,
                                         DataType::int64,   DataType::uint64,  DataType::int8,  DataType::uint8,
                                         DataType::int4,    DataType::uint4};

// Describes a method whose operands have the same type and shapes that broadcast.
struct Method {
  std::string name;
  std::vector<std::string> operands;
  ops::DataTypeSet types;
  std::function<Operand(GraphBuilder&, const std::vector<Operand>&, std::string label)> call;
  std::optional<DataType> outputType = std::nullopt;  // absent: the type of the operands
  std::size_t minRank = 0;

  std::vector<Operand> inputs(Fixture& f, DataType type, const Shape& shape) const {
    std::vector<Operand> inputs;
    for (std::size_t i = 0; i < operands.size(); ++i) inputs.push_back(f.input(type, shape));
    return inputs;
  }
};

// Makes a Method from a method pointer such as `&GraphBuilder::relu`.
inline Method oneOperand(std::string name, std::string operand, ops::DataTypeSet types,
                         Operand (GraphBuilder::*method)(Operand, OperatorOptions),
                         std::optional<DataType> output = std::nullopt) {
  return {std::move(name),
          {std::move(operand)},
          types,
          [method](GraphBuilder& builder, const std::vector<Operand>& x, std::string label) {
            return (builder.*method)(x[0], {.label = std::move(label)});
          },
          output};
}
inline Method twoOperands(std::string name, std::vector<std::string> operands, ops::DataTypeSet types,
                          Operand (GraphBuilder::*method)(Operand, Operand, OperatorOptions),
                          std::optional<DataType> output = std::nullopt) {
  return {std::move(name), std::move(operands), types,
          [method](GraphBuilder& builder, const std::vector<Operand>& x, std::string label) {
            return (builder.*method)(x[0], x[1], {.label = std::move(label)});
          },
          output};
}

// Tests every type with shape [2, 3]: the exact output, or a TypeError that names the method, the label, the operand and the
// type.
inline void checkTypes(const Method& method) {
  Fixture f;
  for (DataType type : kAllTypes) {
    SCOPED_TRACE(method.name + " " + std::string(name(type)));
    const std::vector<Operand> inputs = method.inputs(f, type, {2, 3});
    if (method.types.contains(type)) {
      EXPECT_EQ(method.call(f.builder, inputs, "").descriptor(), (OperandDescriptor{method.outputType.value_or(type), {2, 3}}));
    } else {
      expectTypeError(
          {method.name + " \"here\": " + method.operands[0] + " data type (" + std::string(name(type)) + ") is not one of"},
          [&] { method.call(f.builder, inputs, "here"); });
    }
  }
}

// Tests each operand after the first with another type than the first.
inline void checkTypeMismatch(const Method& method) {
  Fixture f;
  const DataType type = method.types.contains(DataType::float32) ? DataType::float32 : DataType::uint8;
  for (std::size_t k = 1; k < method.operands.size(); ++k) {
    SCOPED_TRACE(method.name);
    std::vector<Operand> inputs = method.inputs(f, type, {2});
    inputs[k] = f.input(DataType::float16, {2});
    expectTypeError({method.name + " \"here\": " + method.operands[k] + " data type (float16) is not that of " +
                     method.operands[0] + " (" + std::string(name(type)) + ")."},
                    [&] { method.call(f.builder, inputs, "here"); });
  }
}

// Tests every allowed rank.
inline void checkRanks(const Method& method) {
  Fixture f;
  const DataType type = method.types.contains(DataType::float32) ? DataType::float32 : DataType::uint8;
  for (std::size_t rank = method.minRank; rank <= kMaxRank; ++rank) {
    SCOPED_TRACE(method.name);
    const Shape shape(rank, 2);
    EXPECT_EQ(method.call(f.builder, method.inputs(f, type, shape), "").shape(), shape);
  }
}

// Tests an empty operand, an operand of another builder, and a call after build().
inline void checkOwnership(const Method& method) {
  SCOPED_TRACE(method.name);
  Fixture f, other;
  const DataType type = method.types.contains(DataType::float32) ? DataType::float32 : DataType::uint8;
  const std::vector<Operand> good = method.inputs(f, type, {2});
  for (std::size_t k = 0; k < good.size(); ++k) {
    std::vector<Operand> bad = good;
    bad[k] = other.input(type, {2});
    expectTypeError({method.name + " \"here\": " + method.operands[k] + " is an operand of another builder."},
                    [&] { method.call(f.builder, bad, "here"); });
    bad[k] = Operand();
    expectTypeError({method.name + " \"here\": " + method.operands[k] + " is no operand."},
                    [&] { method.call(f.builder, bad, "here"); });
  }
  f.builder.build({{"y", method.call(f.builder, good, "")}});  // the builder is still usable after the rejected calls
  expectError(ErrorKind::invalidStateError, {method.name, "already built"}, [&] { method.call(f.builder, good, ""); });
}

// Tests how the shapes of two operands are combined, and which are rejected.
inline void checkBroadcasting(const Method& method) {
  struct Row {
    Shape a, b;
    std::optional<Shape> output;
  };
  const Row rows[] = {
      {{}, {}, Shape{}},
      {{}, {2, 3}, Shape{2, 3}},
      {{3}, {2, 1}, Shape{2, 3}},
      {{5, 1}, {1, 6}, Shape{5, 6}},
      {{1, 1, 1, 1, 1, 1, 1, 4}, {2, 1}, Shape{1, 1, 1, 1, 1, 1, 2, 4}},
      {{2, 1, 2, 1, 2, 1, 2, 1}, {1, 3, 1, 3, 1, 3, 1, 3}, Shape{2, 3, 2, 3, 2, 3, 2, 3}},
      {{32768, 1}, {1, 65535}, Shape{32768, 65535}},
      {{2, 3}, {2}, std::nullopt},
      {{2, 3}, {3, 2}, std::nullopt},
      {{4}, {2}, std::nullopt},
  };
  const DataType type = method.types.contains(DataType::int8) ? DataType::int8 : DataType::uint8;
  Fixture f;
  for (const Row& row : rows) {
    SCOPED_TRACE(method.name + " " + toString(row.a) + " " + toString(row.b));
    const std::vector<Operand> inputs{f.input(type, row.a), f.input(type, row.b)};
    if (row.output) {
      EXPECT_EQ(method.call(f.builder, inputs, "").descriptor(),
                (OperandDescriptor{method.outputType.value_or(type), *row.output}));
    } else {
      expectTypeError({method.name + " \"here\": Incompatible shapes: " + method.operands[0] + " shape " + toString(row.a) +
                       " and " + method.operands[1] + " shape " + toString(row.b) + " are not bidirectionally broadcastable."},
                      [&] { method.call(f.builder, inputs, "here"); });
    }
  }
  for (std::uint32_t size : {46341u, 65536u}) {  // 2^31 + 4633 and 2^32 elements
    SCOPED_TRACE(method.name);
    expectTypeError({method.name, "the number of elements of", "is above 2147483647"}, [&] {
      method.call(f.builder, {f.input(type, {size, 1}), f.input(type, {1, size})}, "");
    });
  }
}

}  // namespace webnn::test
