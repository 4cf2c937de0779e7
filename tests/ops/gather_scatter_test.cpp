// Tests validation (the steps of the specification that throw), and the shapes and types of results.
// tests/reference/gather_scatter_test.cpp tests the values.
#include "support/bits.h"
#include "support/support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

constexpr std::uint32_t kHuge = 0xFFFFFFFF;

OperandDescriptor float32(Shape shape) { return {DataType::float32, std::move(shape)}; }

struct GatherScatterFixture : Fixture {
  Operand indices(Shape shape) { return input(DataType::int32, std::move(shape)); }
};

// Describes a gather or scatter method, which is called with input [2, 3], indices [2, 2], updates, and `axis` 1 if it has an
// axis. The updates are [2, 2] for scatterElements and [2] for scatterND.
struct Method {
  std::string name;
  Shape updates;
  std::function<Operand(GraphBuilder&, Operand input, Operand indices, Operand updates, std::string label)> call;
};
const std::vector<Method>& methods() {
  static const std::vector<Method> all{
      {"gather", {2}, [](auto& b, auto x, auto i, auto, auto label) { return b.gather(x, i, {.axis = 1, .label = label}); }},
      {"gatherElements",
       {2},
       [](auto& b, auto x, auto i, auto, auto label) { return b.gatherElements(x, i, {.axis = 1, .label = label}); }},
      {"gatherND", {2}, [](auto& b, auto x, auto i, auto, auto label) { return b.gatherND(x, i, {.label = label}); }},
      {"scatterElements",
       {2, 2},
       [](auto& b, auto x, auto i, auto u, auto label) { return b.scatterElements(x, i, u, {.axis = 1, .label = label}); }},
      {"scatterND", {2}, [](auto& b, auto x, auto i, auto u, auto label) { return b.scatterND(x, i, u, {.label = label}); }},
  };
  return all;
}
bool hasUpdates(const Method& method) { return method.name.starts_with("scatter"); }

TEST(GatherScatter, RejectsOperandsOfAnotherBuilder) {
  for (const Method& method : methods()) {
    GatherScatterFixture own, other;
    const Operand x = own.input({2, 3}), indices = own.indices({2, 2}), updates = own.input(method.updates);
    expectTypeError({method.name + " \"g\": input is an operand of another builder"}, [&] {
      method.call(own.builder, other.input({2, 3}), indices, updates, "g");
    });
    expectTypeError({method.name + " \"g\": indices is an operand of another builder"}, [&] {
      method.call(own.builder, x, other.indices({2, 2}), updates, "g");
    });
    if (!hasUpdates(method)) continue;
    expectTypeError({method.name + " \"g\": updates is an operand of another builder"},
                    [&] { method.call(own.builder, x, indices, other.input(method.updates), "g"); });
  }
}

TEST(GatherScatter, RejectsABuilderThatHasBuilt) {
  for (const Method& method : methods()) {
    GatherScatterFixture fixture;
    const Operand x = fixture.input({2, 3}), indices = fixture.indices({2, 2}), updates = fixture.input(method.updates);
    fixture.builder.build({{"y", method.call(fixture.builder, x, indices, updates, "")}});
    expectError(ErrorKind::invalidStateError, {method.name}, [&] { method.call(fixture.builder, x, indices, updates, ""); });
  }
}

TEST(GatherScatter, TakesIndicesOfThreeTypesOnly) {
  for (const Method& method : methods()) {
    GatherScatterFixture fixture;
    const Operand x = fixture.input({2, 3}), updates = fixture.input(method.updates);
    for (DataType type : {DataType::int32, DataType::uint32, DataType::int64}) {
      EXPECT_NO_THROW(method.call(fixture.builder, x, fixture.input(type, {2, 2}), updates, "")) << method.name;
    }
    for (DataType type :
         {DataType::float32, DataType::float16, DataType::uint64, DataType::int8, DataType::uint8, DataType::int4}) {
      expectTypeError(
          {method.name + " \"g\": indices data type (" + std::string(name(type)) + ") is not one of int32, uint32, int64."}, [&] {
            method.call(fixture.builder, x, fixture.input(type, {2, 2}), updates, "g");
          });
    }
  }
}

TEST(GatherScatter, KeepsTheDataTypeOfTheInput) {
  for (const Method& method : methods()) {
    GatherScatterFixture fixture;
    for (std::size_t i = 0; i < kDataTypeCount; ++i) {
      const auto type = static_cast<DataType>(i);
      const Operand result = method.call(fixture.builder, fixture.input(type, {2, 3}), fixture.indices({2, 2}),
                                         fixture.input(type, method.updates), "");
      EXPECT_EQ(result.dataType(), type) << method.name;
    }
  }
}

TEST(GatherScatter, RejectsAScalarInput) {
  for (const Method& method : methods()) {
    GatherScatterFixture fixture;
    expectTypeError({method.name + ": input rank (0)"}, [&] {
      method.call(fixture.builder, fixture.input(Shape{}), fixture.indices({2, 2}), fixture.input(method.updates), "");
    });
  }
}

TEST(GatherScatter, RejectsUpdatesOfAnotherType) {
  for (const Method& method : methods()) {
    if (!hasUpdates(method)) continue;
    GatherScatterFixture fixture;
    const Operand updates = fixture.input(DataType::float16, method.updates);
    expectTypeError({method.name + " \"s\": updates data type (float16) is not that of input (float32)."}, [&] {
      method.call(fixture.builder, fixture.input({2, 3}), fixture.indices({2, 2}), updates, "s");
    });
  }
}

TEST(GatherScatter, LeavesTheBuilderUsableAfterARejectedCall) {
  GatherScatterFixture fixture;
  const Operand x = fixture.input({4, 3}), indices = fixture.indices({2});
  expectTypeError({"gather"}, [&] { fixture.builder.gather(x, indices, {.axis = 2}); });
  const Graph graph = fixture.builder.build({{"y", fixture.builder.gather(x, indices)}});
  EXPECT_EQ(graph.outputs()[0].second, float32({2, 3}));
}

TEST(Gather, PutsTheShapeOfTheIndicesInPlaceOfTheAxis) {
  GatherScatterFixture fixture;
  const Operand x = fixture.input({2, 3, 4});
  const std::vector<std::tuple<Shape, std::uint32_t, Shape>> cases{
      {{5}, 0, {5, 3, 4}}, {{5}, 1, {2, 5, 4}}, {{5}, 2, {2, 3, 5}},      {{}, 0, {3, 4}},
      {{}, 1, {2, 4}},     {{}, 2, {2, 3}},     {{6, 7}, 1, {2, 6, 7, 4}}};
  for (const auto& [indices, axis, expected] : cases) {
    EXPECT_EQ(fixture.builder.gather(x, fixture.indices(indices), {.axis = axis}).descriptor(), float32(expected));
  }
  EXPECT_EQ(fixture.builder.gather(x, fixture.indices({9})).descriptor(), float32({9, 3, 4}));
  EXPECT_EQ(fixture.builder.gather(fixture.input({7}), fixture.indices({})).descriptor(), float32({}));
}

TEST(Gather, TakesAnInputThatIsItsOwnIndices) {
  GatherScatterFixture fixture;
  const Operand x = fixture.indices({2, 3});
  EXPECT_EQ(fixture.builder.gather(x, x, {.axis = 1}).shape(), (Shape{2, 2, 3}));
}

TEST(Gather, RejectsAnAxisThatIsNotBelowTheRank) {
  GatherScatterFixture fixture;
  const Operand x = fixture.input({2, 3}), indices = fixture.indices({1});
  for (std::uint32_t axis : {2u, 1u << 31, kHuge}) {
    expectTypeError({"gather \"g\": axis (" + std::to_string(axis) + ") is out of bounds: not less than the rank of input (2)."},
                    [&] { fixture.builder.gather(x, indices, {.axis = axis, .label = "g"}); });
  }
}

TEST(Gather, RejectsAnOutputOfRankAbove8) {
  GatherScatterFixture fixture;
  const Shape rank4{1, 1, 1, 1}, rank5{1, 1, 1, 1, 1}, rank8(8, 1);
  EXPECT_EQ(fixture.builder.gather(fixture.input(rank4), fixture.indices(rank5)).rank(), 8u);
  expectTypeError({"gather: output: rank (9)"}, [&] { fixture.builder.gather(fixture.input(rank5), fixture.indices(rank5)); });
  expectTypeError({"gather: output: rank (15)"}, [&] { fixture.builder.gather(fixture.input(rank8), fixture.indices(rank8)); });
}

TEST(Gather, RejectsAnOutputOfTooManyElements) {
  GatherScatterFixture fixture;
  const Operand x = fixture.input(DataType::int8, {1, 1u << 16});
  expectTypeError({"gather: output", "[32768, 65536]"}, [&] { fixture.builder.gather(x, fixture.indices({1u << 15})); });
}

TEST(GatherElements, HasTheShapeOfTheIndices) {
  GatherScatterFixture fixture;
  const Operand x = fixture.input({4, 3});
  EXPECT_EQ(fixture.builder.gatherElements(x, fixture.indices({2, 3})).descriptor(), float32({2, 3}));
  EXPECT_EQ(fixture.builder.gatherElements(x, fixture.indices({9, 3}), {.axis = 0}).descriptor(), float32({9, 3}));
  EXPECT_EQ(fixture.builder.gatherElements(x, fixture.indices({4, 1}), {.axis = 1}).descriptor(), float32({4, 1}));
}

TEST(GatherElements, RejectsAnAxisThatIsNotBelowTheRank) {
  GatherScatterFixture fixture;
  for (std::uint32_t axis : {2u, kHuge}) {
    expectTypeError({"gatherElements \"g\": axis (" + std::to_string(axis) + ")", "(2)"}, [&] {
      fixture.builder.gatherElements(fixture.input({4, 3}), fixture.indices({4, 3}), {.axis = axis, .label = "g"});
    });
  }
}

TEST(GatherElements, RejectsIndicesThatDoNotMatchTheInput) {
  GatherScatterFixture fixture;
  const Operand x = fixture.input({4, 3});
  expectTypeError({"gatherElements: indices rank (1) is not that of input (2)."},
                  [&] { fixture.builder.gatherElements(x, fixture.indices({4})); });
  expectTypeError({"gatherElements \"g\": indices shape [4, 2] and input shape [4, 3] differ outside axis (0)."}, [&] {
    fixture.builder.gatherElements(x, fixture.indices({4, 2}), {.label = "g"});
  });
  expectTypeError({"indices shape [2, 3]", "axis (1)"}, [&] {
    fixture.builder.gatherElements(x, fixture.indices({2, 3}), {.axis = 1});
  });
}

TEST(GatherND, AppendsTheSliceToTheRowsOfTheIndices) {
  GatherScatterFixture fixture;
  const Operand x = fixture.input({2, 3, 4});
  const std::vector<std::pair<Shape, Shape>> cases{{{1}, {3, 4}},       {{2}, {4}},    {{3}, {}},
                                                   {{5, 1}, {5, 3, 4}}, {{5, 3}, {5}}, {{6, 5, 2}, {6, 5, 4}}};
  for (const auto& [indices, expected] : cases)
    EXPECT_EQ(fixture.builder.gatherND(x, fixture.indices(indices)).descriptor(), float32(expected));
}

TEST(GatherND, RejectsCoordinatesLongerThanTheRank) {
  WEBNN_NEEDS_LARGE_TENSORS();
  GatherScatterFixture fixture;
  expectTypeError({"gatherND \"g\": the last dimension of indices (3) is above the rank of input (2)."}, [&] {
    fixture.builder.gatherND(fixture.input({2, 3}), fixture.indices({4, 3}), {.label = "g"});
  });
  expectTypeError({"the last dimension of indices (2147483647)"}, [&] {
    fixture.builder.gatherND(fixture.input({2, 3}), fixture.input(DataType::int32, {0x7FFFFFFF}));
  });
}

TEST(GatherND, RejectsScalarIndicesAndAnOutputOfRankAbove8) {
  GatherScatterFixture fixture;
  const Shape rank8(8, 1);
  expectTypeError({"gatherND: indices rank (0)"}, [&] { fixture.builder.gatherND(fixture.input({2}), fixture.indices({})); });
  EXPECT_EQ(fixture.builder.gatherND(fixture.input({2, 2}), fixture.indices(rank8)).rank(), 8u);
  expectTypeError({"gatherND: output: rank (9)"}, [&] {
    fixture.builder.gatherND(fixture.input({2, 2, 2}), fixture.indices(rank8));
  });
  expectTypeError({"gatherND: output: rank (14)"},
                  [&] { fixture.builder.gatherND(fixture.input(rank8), fixture.indices(rank8)); });
}

TEST(GatherND, RejectsAnOutputOfTooManyElements) {
  GatherScatterFixture fixture;
  const Operand x = fixture.input(DataType::int8, {1, 1u << 16});
  expectTypeError({"gatherND: output", "[32768, 65536]"}, [&] { fixture.builder.gatherND(x, fixture.indices({1u << 15, 1})); });
}

TEST(ScatterElements, HasTheShapeOfTheInput) {
  GatherScatterFixture fixture;
  const Operand x = fixture.input({4, 3});
  EXPECT_EQ(fixture.builder.scatterElements(x, fixture.indices({2, 3}), fixture.input({2, 3})).descriptor(), float32({4, 3}));
  EXPECT_EQ(fixture.builder.scatterElements(x, fixture.indices({4, 7}), fixture.input({4, 7}), {.axis = 1}).descriptor(),
            float32({4, 3}));
}

TEST(ScatterElements, RejectsAnAxisThatIsNotBelowTheRank) {
  GatherScatterFixture fixture;
  const Operand x = fixture.input({4, 3}), indices = fixture.indices({4, 3});
  for (std::uint32_t axis : {2u, kHuge}) {
    expectTypeError({"scatterElements \"s\": axis (" + std::to_string(axis) + ")", "(2)"},
                    [&] { fixture.builder.scatterElements(x, indices, x, {.axis = axis, .label = "s"}); });
  }
}

TEST(ScatterElements, RejectsIndicesAndUpdatesThatDoNotMatch) {
  GatherScatterFixture fixture;
  const Operand x = fixture.input({4, 3});
  expectTypeError({"scatterElements: indices rank (3) is not that of input (2)."}, [&] {
    fixture.builder.scatterElements(x, fixture.indices({4, 3, 1}), fixture.input({4, 3}));
  });
  expectTypeError({"scatterElements: updates rank (1) is not that of input (2)."}, [&] {
    fixture.builder.scatterElements(x, fixture.indices({4, 3}), fixture.input({4}));
  });
  expectTypeError({"scatterElements \"s\": indices shape [2, 2] and input shape [4, 3] differ outside axis (0)."}, [&] {
    fixture.builder.scatterElements(x, fixture.indices({2, 2}), fixture.input({2, 2}), {.label = "s"});
  });
  expectTypeError({"scatterElements: updates shape [4, 3] is not [2, 3]."}, [&] {
    fixture.builder.scatterElements(x, fixture.indices({2, 3}), x);
  });
}

TEST(ScatterND, HasTheShapeOfTheInput) {
  GatherScatterFixture fixture;
  const Operand x = fixture.input({2, 3, 4});
  const std::vector<std::pair<Shape, Shape>> cases{{{1}, {3, 4}},       {{2}, {4}},    {{3}, {}},
                                                   {{5, 1}, {5, 3, 4}}, {{5, 3}, {5}}, {{6, 5, 2}, {6, 5, 4}}};
  for (const auto& [indices, updates] : cases) {
    EXPECT_EQ(fixture.builder.scatterND(x, fixture.indices(indices), fixture.input(updates)).descriptor(), float32({2, 3, 4}));
  }
}

TEST(ScatterND, RejectsCoordinatesLongerThanTheRank) {
  GatherScatterFixture fixture;
  expectTypeError({"scatterND \"s\": the last dimension of indices (3) is above the rank of input (2)."}, [&] {
    fixture.builder.scatterND(fixture.input({2, 3}), fixture.indices({4, 3}), fixture.input({4}), {.label = "s"});
  });
}

TEST(ScatterND, RejectsUpdatesOfAnotherShape) {
  GatherScatterFixture fixture;
  const Operand x = fixture.input({2, 3}), indices = fixture.indices({4, 1});
  expectTypeError({"scatterND: updates shape [4] is not [4, 3]."},
                  [&] { fixture.builder.scatterND(x, indices, fixture.input({4})); });
  expectTypeError({"scatterND: updates shape [3, 4] is not [4, 3]."}, [&] {
    fixture.builder.scatterND(x, indices, fixture.input({3, 4}));
  });
  expectTypeError({"scatterND: updates shape [1] is not []."},
                  [&] { fixture.builder.scatterND(x, fixture.indices({2}), fixture.input({1})); });
  expectTypeError({"scatterND: indices rank (0)"},
                  [&] { fixture.builder.scatterND(x, fixture.indices({}), fixture.input({3})); });
}

TEST(ScatterND, RejectsUpdatesThatWouldNeedARankAbove8) {
  GatherScatterFixture fixture;
  const Shape rank8(8, 1);
  expectTypeError({"scatterND: updates shape [1, 1, 1, 1, 1, 1, 1, 1] is not [1, 1, 1, 1, 1, 1, 1, 2, 2]."}, [&] {
    fixture.builder.scatterND(fixture.input({2, 2, 2}), fixture.indices(rank8), fixture.input(rank8));
  });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
