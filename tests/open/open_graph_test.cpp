// Tests graphs with open dimensions: shapes with names, error messages, and sizes of 0.
#include <cmath>
#include <limits>

#include "support/files.h"
#include "support/support.h"
#include "webnn/session.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

constexpr DataType kFloat = DataType::float32;

// Holds a builder whose inputs have open dimensions.
struct Open {
  Context context = test::makeContext("cpu");
  GraphBuilder builder{context};

  Operand input(std::string name, std::vector<Dimension> shape, DataType type = kFloat) {
    return builder.openInput(std::move(name), {type, std::move(shape)});
  }
  Session build(Operand output) { return Session::build(builder, {{"y", std::move(output)}}); }
};

std::string shapeOf(const Operand& operand) { return toString(operand.dimensions()); }

std::vector<float> run(const Session& session, const std::map<std::string, ArrayView>& inputs, const Shape& expected) {
  const std::map<std::string, Array> results = session.run(inputs);
  EXPECT_EQ(results.at("y").descriptor.shape, expected);
  const std::span<const float> values = results.at("y").as<float>();
  return {values.begin(), values.end()};
}

const std::vector<float> kNone;

TEST(OpenGraphs, HaveShapesOverNames) {
  Open open;
  const Operand x = open.input("x", {{"batch", 1, 64}, "sequence", 768});
  EXPECT_EQ(shapeOf(x), "[batch, sequence, 768]");
  EXPECT_EQ(shapeOf(open.builder.relu(x)), "[batch, sequence, 768]");
  const Operand heads = open.builder.reshape(x, {x.shape()[0], x.shape()[1], 12, 64});
  EXPECT_EQ(shapeOf(open.builder.transpose(heads, {.permutation = {0, 2, 1, 3}})), "[batch, 12, sequence, 64]");
  EXPECT_EQ(shapeOf(open.builder.concat({x, x}, 1)), "[batch, sequence * 2, 768]");
  EXPECT_EQ(shapeOf(open.builder.reshape(x, {open.builder.openSize("batch * sequence"), 768})), "[batch * sequence, 768]");
  EXPECT_EQ(shapeOf(open.builder.matmul(heads, open.builder.transpose(heads, {.permutation = {0, 1, 3, 2}}))),
            "[batch, sequence, 12, 12]");
  const Operand past = open.input("past", {"batch", "past", 768});
  EXPECT_EQ(shapeOf(open.builder.concat({past, x}, 1)), "[batch, past + sequence, 768]");
  const Operand image = open.input("image", {1, 3, "height", "width"});
  const Operand pooled = open.builder.maxPool2d(image, {.windowDimensions = {2, 2}, .strides = {2, 2}});
  EXPECT_EQ(shapeOf(pooled), "[1, 3, floor(height / 2), floor(width / 2)]");
  EXPECT_EQ(shapeOf(open.builder.averagePool2d(image)), "[1, 3, 1, 1]");
  EXPECT_EQ(x.dimensions()[0], Dimension("batch", 1, 64));
}

TEST(OpenGraphs, RunWithManySizes) {
  Open open;
  const Operand x = open.input("x", {"n", 2}), y = open.input("y", {"n", 2});
  const Session session = open.build(open.builder.reduceSum(open.builder.mul(x, y), {.axes = {0}}));
  EXPECT_EQ(session.inputs()[0].shape[0].name, "n");
  EXPECT_EQ(session.outputs()[0].shape->size(), 1u);
  for (std::uint32_t n : {1u, 2u, 5u, 2u}) {
    const std::vector<float> values(n * 2, 3);
    const float sum = 9.0f * static_cast<float>(n);
    EXPECT_EQ(run(session, {{"x", {values, {n, 2}}}, {"y", {values, {n, 2}}}}, {2}), (std::vector{sum, sum}));
  }
}

TEST(OpenGraphs, RefuseShapesThatNoSizeSatisfies) {
  Open open;
  const Operand x = open.input("x", {{"n", 1}, 3}), y = open.input("y", {{"m", 2, 8}, 4});
  test::expectTypeError({"add: Incompatible shapes: a shape [n, 3] and b shape [m, 4]"}, [&] { open.builder.add(x, y); });
  test::expectTypeError({"matmul", "columns of a (3)", "rows of b (4)"}, [&] {
    open.builder.matmul(x, open.builder.reshape(y, {4, open.builder.openSize("m")}));
  });
  test::expectTypeError({"newShape [n, 2] does not have as many elements as input [n, 3] (n * 3)"}, [&] {
    open.builder.reshape(open.builder.concat({x}, 0), {x.shape()[0], 2});
  });
  test::expectTypeError({"slice", "plus sizes[0] (9) is above dimension 0 of input (m)"}, [&] {
    open.builder.slice(y, {0, 0}, {9, 4});
  });
  test::expectTypeError({"softmax", "axis (n) is an open dimension"}, [&] { open.builder.softmax(x, x.shape()[0]); });
  test::expectTypeError({"expand", "neither a size nor an open dimension"}, [&] { open.builder.expand(x, {0xFFFFFFF0u, 3}); });
  EXPECT_EQ(shapeOf(open.builder.add(x, x)), "[n, 3]");  // the builder is unchanged
}

TEST(OpenGraphs, ErrorsNameTheSizes) {
  Open open;
  const Operand x = open.input("x", {"n", 3}), y = open.input("y", {"m", 3});
  const Session session = open.build(open.builder.add(x, y, {.label = "sum"}));
  const std::vector<float> six(6, 1), nine(9, 2), three(3, 1);
  test::expectTypeError({"add \"sum\": Incompatible shapes: a shape [2, 3] and b shape [3, 3]", "(with n = 2, m = 3)"}, [&] {
    session.run({{"x", {six, {2, 3}}}, {"y", {nine, {3, 3}}}});
  });
  EXPECT_EQ(run(session, {{"x", {three, {1, 3}}}, {"y", {nine, {3, 3}}}}, {3, 3}), std::vector<float>(9, 3));
}

TEST(OpenGraphs, SolveExpressionsOfInputs) {
  Open open;
  const Operand x = open.input("x", {"past"}), mask = open.input("mask", {"past + 1"});
  const Session session = open.build(open.builder.concat({x, mask}, 0));
  const std::vector<float> two{1, 2}, three{3, 4, 5};
  EXPECT_EQ(run(session, {{"x", {two, {2}}}, {"mask", {three, {3}}}}, {5}), (std::vector<float>{1, 2, 3, 4, 5}));
  test::expectTypeError({"\"past + 1\" is 2", "make it 3", "(with past = 2)"}, [&] {
    session.run({{"x", {two, {2}}}, {"mask", {two, {2}}}});
  });

  Open only;
  const Session shorter = only.build(only.builder.slice(only.input("x", {"n * 2 + 1"}), {0}, {only.builder.openSize("n")}));
  const std::vector<float> five{1, 2, 3, 4, 5};
  EXPECT_EQ(run(shorter, {{"x", {five, {5}}}}, {2}), (std::vector<float>{1, 2}));
  test::expectTypeError({"\"n * 2 + 1\" is 4, which no sizes of its names give"}, [&] {
    shorter.run({{"x", {std::vector<float>(4), {4}}}});
  });
}

TEST(OpenGraphs, RefuseInputsThatDetermineNoSize) {
  for (const std::vector<Dimension>& shape : {std::vector<Dimension>{"n + m", "n - m"}, {"n * n"}, {"floor(n / 2)"}}) {
    Open open;
    const Operand y = open.builder.relu(open.input("x", shape));
    test::expectTypeError({"no input determines the dimension \"n\""}, [&] { open.build(y); });
  }
}

TEST(OpenGraphs, RefuseHandlesOfOtherBuilders) {
  Open open, other;
  const Operand x = open.input("x", {"n"});
  (void)other.input("x", {"m"});
  test::expectTypeError({"expand: newShape", "neither a size nor an open dimension of this builder"},
                        [&] { open.builder.expand(x, {other.builder.openSize("m")}); });
  test::expectTypeError({"nor an open dimension of this builder"}, [&] {
    open.builder.input("y", {kFloat, {other.builder.openSize("m")}});
  });
}

TEST(OpenGraphs, OpenInputsOfNumbersAreInputs) {
  Open open;
  const Operand x = open.input("x", {2, 3});
  EXPECT_EQ(open.builder.build({{"y", open.builder.relu(x)}}).outputs()[0].second.shape, (Shape{2, 3}));
  test::expectTypeError({"the dimension 0 is neither a name nor between 1 and 2147483647"}, [&] { Open().input("x", {0, "n"}); });
}

TEST(OpenGraphs, CheckFixedDimensions) {
  for (std::uint32_t size : {1u, 9u}) {
    Open open;
    const Operand y = open.builder.relu(open.input("x", {{"n", 2, 8}}));
    test::expectTypeError({"\"n\" is not between 2 and 8"}, [&] {
      Session::build(open.builder, {{"y", y}}, {.load = {.dimensions = {{"n", size}}}});
    });
  }
}

TEST(OpenGraphs, CheckBounds) {
  Open open;
  const Session session = open.build(open.builder.relu(open.input("x", {{"n", 2, 3}})));
  const std::vector<float> values(4, 1);
  test::expectTypeError({"\"n\" is 1, less than its smallest size (2)"}, [&] {
    session.run({{"x", {std::span(values).first(1), {1}}}});
  });
  test::expectTypeError({"\"n\" is 4, more than its largest size (3)"}, [&] { session.run({{"x", {values, {4}}}}); });
  test::expectTypeError({"\"n\" is 0"}, [&] { session.run({{"x", {kNone, {0}}}}); });
}

TEST(OpenGraphs, FailedCallsChangeNothing) {
  Open open;
  test::expectTypeError({"no expression"}, [&] { open.input("x", {{"n", 1, 2}, "m +"}); });
  test::expectTypeError({"no expression"}, [&] { open.builder.openSize("n +"); });
  const Operand fixed = open.builder.relu(open.builder.input("fixed", {kFloat, {2}}));
  EXPECT_EQ(open.builder.build({{"y", fixed}}).outputs().size(), 1u);  // the builder has no open dimensions

  Open other;
  const Operand x = other.input("x", {"n"});
  test::expectTypeError({"no expression"}, [&] { other.input("y", {{"n", 1, 2}, {"m", 1, 2}, "k +"}); });
  EXPECT_EQ(other.input("z", {{"m", 5, 9}}).dimensions()[0].min, 5u);
  const Session session = other.build(other.builder.relu(x));
  const std::vector<float> values(3, 1);
  EXPECT_EQ(session.run({{"x", {values, {3}}}}).at("y").descriptor.shape, (Shape{3}));
}

TEST(OpenGraphs, NeedASession) {
  Open open;
  const Operand y = open.builder.relu(open.input("x", {"n"}));
  test::expectTypeError({"open dimensions", "build a session"}, [&] { open.builder.build({{"y", y}}); });
  const Session session = open.build(y);
  test::expectError(ErrorKind::invalidStateError, {"already built"}, [&] { open.input("z", {"n"}); });

  Open undetermined;
  const Operand x = undetermined.input("x", {1});
  const Operand z = undetermined.builder.expand(x, {undetermined.builder.openSize("k")});
  test::expectTypeError({"no input determines the dimension \"k\""}, [&] { undetermined.build(z); });
}

TEST(OpenGraphs, TakeFixedGraphsToo) {
  Open open;
  const Operand x = open.input("x", {2});
  const std::vector<float> values{-1, 2};
  EXPECT_EQ(run(open.build(open.builder.relu(x)), {{"x", {values, {2}}}}, {2}), (std::vector<float>{0, 2}));
}

// Tests operations over no elements. The expected results are those of NumPy 1.26 (sum, prod, matmul, concatenate, pad) and of
// ONNX (maxima).
struct OverNothing : testing::Test {
  Open open;
  Operand x = open.input("x", {"n", 2});
  std::vector<float> two{1, 2};

  std::vector<float> result(const Operand& output, const Shape& shape) {
    return run(open.build(output), {{"x", {kNone, {0, 2}}}}, shape);
  }
};

TEST_F(OverNothing, AnElementwiseResultIsEmpty) { EXPECT_EQ(result(open.builder.relu(x), {0, 2}), kNone); }

TEST_F(OverNothing, SumsAreZero) { EXPECT_EQ(result(open.builder.reduceSum(x, {.axes = {0}}), {2}), (std::vector<float>{0, 0})); }

TEST_F(OverNothing, ProductsAreOne) {
  EXPECT_EQ(result(open.builder.reduceProduct(x, {.axes = {0}}), {2}), (std::vector<float>{1, 1}));
}

TEST_F(OverNothing, MaximaAreMinusInfinity) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(result(open.builder.reduceMax(x, {.axes = {0}}), {2}), (std::vector<float>{-infinity, -infinity}));
}

TEST_F(OverNothing, MeansAreNotDefined) {
  const Session session = open.build(open.builder.reduceMean(x, {.axes = {0}}));
  test::expectError(ErrorKind::notSupportedError, {"reduceMean: the result is not defined", "(with n = 0)"}, [&] {
    session.run({{"x", {kNone, {0, 2}}}});
  });
}

TEST_F(OverNothing, MatrixProductsAreZero) {
  const Operand transposed = open.builder.transpose(x);
  EXPECT_EQ(result(open.builder.matmul(transposed, x), {2, 2}), std::vector<float>(4, 0));
}

TEST_F(OverNothing, ConcatIgnoresThem) {
  const Operand cache = open.builder.concat({x, open.builder.constant({kFloat, {1, 2}}, std::as_bytes(std::span(two)))}, 0);
  EXPECT_EQ(result(cache, {1, 2}), two);
}

TEST_F(OverNothing, PaddingRemains) {
  EXPECT_EQ(result(open.builder.pad(x, {1, 0}, {0, 0}, {.value = 5}), {1, 2}), (std::vector<float>{5, 5}));
}

TEST_F(OverNothing, ReflectionOfOtherDimensionsIsEmpty) {
  EXPECT_EQ(result(open.builder.pad(x, {0, 1}, {0, 1}, {.mode = PaddingMode::reflection}), {0, 4}), kNone);
}

TEST_F(OverNothing, BlocksMayBeEmpty) {
  const Operand scale = open.input("scale", {"n", 2}), zeroPoint = open.input("zeroPoint", {"n", 2}, DataType::uint8);
  const Session session =
      open.build(open.builder.dequantizeLinear(open.builder.quantizeLinear(x, scale, zeroPoint), scale, zeroPoint));
  const std::vector<std::uint8_t> noBytes;
  EXPECT_EQ(run(session, {{"x", {kNone, {0, 2}}}, {"scale", {kNone, {0, 2}}}, {"zeroPoint", {noBytes, {0, 2}}}}, {0, 2}), kNone);
}

TEST_F(OverNothing, PartsMayBeEmpty) {
  const Operand padded = open.builder.pad(x, {3, 0}, {0, 0}, {.value = 5});
  const std::vector<Operand> parts = open.builder.split(padded, std::vector<std::uint32_t>{open.builder.openSize("n"), 3});
  EXPECT_EQ(result(parts[1], {3, 2}), std::vector<float>(6, 5));
}

TEST_F(OverNothing, FinalStatesAreInitialStates) {
  const Operand sequence = open.builder.reshape(x, {x.shape()[0], 1, 2});
  const auto constant = [&](Shape shape, float value) {
    const std::vector<float> values(elementCount({kFloat, shape}), value);
    return open.builder.constant({kFloat, std::move(shape)}, std::as_bytes(std::span(values)));
  };
  const std::vector<Operand> results = open.builder.gru(sequence, constant({1, 6, 2}, 1), constant({1, 6, 2}, 1), x.shape()[0], 2,
                                                        {.initialHiddenState = constant({1, 1, 2}, 7)});
  EXPECT_EQ(result(results[0], {1, 1, 2}), (std::vector<float>{7, 7}));
}

TEST(OpenGraphs, KeepOutputsThatAreNotEmpty) {
  Open open;
  const Operand x = open.input("x", {"n"}), z = open.input("z", {2});
  const Session session = Session::build(open.builder, {{"empty", open.builder.relu(x)}, {"full", open.builder.neg(z)}});
  const std::vector<float> values{1, 2};
  const auto results = session.run({{"x", {kNone, {0}}}, {"z", {values, {2}}}});
  EXPECT_EQ(results.at("empty").descriptor.shape, (Shape{0}));
  EXPECT_EQ(results.at("empty").bytes.size(), 0u);
  EXPECT_EQ(results.at("full").as<float>()[1], -2);
  test::expectTypeError({"no elements", "run()"}, [&] { session.graph({{"x", {0}}, {"z", {2}}}); });
  EXPECT_EQ(session.graph({{"x", {4}}, {"z", {2}}}).outputs().size(), 2u);
}

// Saves a session, loads it again, and expects that both have the same names of dimensions and the same results.
struct Saved {
  test::TemporaryFolder folder;

  void expectSame(const Session& session, const std::string& file, const std::map<std::string, ArrayView>& inputs) {
    save(session, folder.path() / file);
    const Session again = Session::load(test::makeContext("cpu"), folder.path() / file);
    for (std::size_t i = 0; i < session.inputs().size(); ++i) {
      for (std::size_t axis = 0; axis < session.inputs()[i].shape.size(); ++axis) {
        EXPECT_EQ(again.inputs()[i].shape[axis].name, session.inputs()[i].shape[axis].name);
        EXPECT_EQ(again.inputs()[i].shape[axis].min, session.inputs()[i].shape[axis].min);
      }
    }
    const auto expected = session.run(inputs), actual = again.run(inputs);
    for (const auto& [name, array] : expected) {
      EXPECT_EQ(actual.at(name).descriptor, array.descriptor);
      EXPECT_TRUE(actual.at(name).bytes == array.bytes);
    }
  }
};

TEST(OpenGraphs, AreSavedWithTheirNames) {
  Saved saved;
  const std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (const std::string file : {"graph.webnn", "graph.json", "graph.webnnb"}) {
    Open open;
    const Operand x = open.input("x", {{"n", 0, 9}, 1}), mask = open.input("mask", {"n + 1", 1});
    const Operand weights = open.builder.constant({kFloat, {1, 2}}, std::as_bytes(std::span(values).first(2)));
    const Session session = open.build(open.builder.matmul(open.builder.concat({x, mask}, 0), weights));
    for (std::uint32_t n : {0u, 1u, 4u}) {
      saved.expectSame(session, file,
                       {{"x", {std::span(values).first(n), {n, 1}}}, {"mask", {std::span(values).first(n + 1), {n + 1, 1}}}});
    }
  }
}

TEST(OpenGraphs, AreSavedWithNamesInExpressionsOnly) {
  Saved saved;
  Open open;
  const Operand x = open.input("x", {"m + 4"});
  const Session session = open.build(open.builder.slice(x, {0}, {open.builder.openSize("m")}));
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  for (const char* file : {"graph.webnn", "graph.webnnb"}) saved.expectSame(session, file, {{"x", {values, {6}}}});
}

TEST(OpenGraphs, AreSavedWithNamesThatLookLikeExpressions) {
  Saved saved;
  Open open;
  const Operand a = open.input("a", {"'n + 1'"}), b = open.input("b", {"n + 1"}), c = open.input("c", {"n"}),
                d = open.input("d", {"'12'"}), e = open.input("e", {"'= x'"}), f = open.input("f", {"'my size'"});
  const Session session = open.build(open.builder.concat({a, b, c, d, e, f}, 0));
  const std::vector<float> values(9, 2);
  const auto first = [&](std::uint32_t count) { return ArrayView(std::span(values).first(count), {count}); };
  const std::map<std::string, ArrayView> inputs{{"a", first(9)}, {"b", first(4)}, {"c", first(3)},
                                                {"d", first(2)}, {"e", first(1)}, {"f", first(5)}};
  EXPECT_EQ(session.run(inputs).at("y").descriptor.shape, (Shape{24}));
  for (const char* file : {"graph.webnn", "graph.json", "graph.webnnb"}) saved.expectSame(session, file, inputs);
}

// The session keeps two graphs, and evicts the graph with 96 rows several times.
TEST(OpenGraphs, ShareMemoryThatShrinksAndGrowsWithTheirSizes) {
  const auto load = [] {
    GraphBuilder builder(test::makeContext("cpu"));
    const Operand x = builder.openInput("x", {kFloat, {"rows", 16384}});
    const Operand y = builder.softmax(builder.transpose(builder.softmax(x, 1)), 0);
    return Session::build(builder, {{"y", builder.softmax(builder.softmax(y, 1), 1)}}, {.graphs = 2});
  };
  const auto bytesFor = [](const Session& session, std::uint32_t rows) {
    std::vector<float> x(std::size_t{rows} * 16384);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 29);
    return session.run({{"x", ArrayView(x, Shape{rows, 16384})}}).at("y").bytes;
  };
  const Session session = load();
  for (const std::uint32_t rows : {1U, 96U, 40U, 33U, 96U, 1U, 2U, 40U, 96U, 97U, 3U, 64U})
    EXPECT_EQ(bytesFor(session, rows), bytesFor(load(), rows)) << rows;
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
