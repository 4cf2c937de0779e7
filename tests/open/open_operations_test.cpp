// Tests that operations with open sizes in their operands and fields give the same results as calls with numbers. The graphs run
// in their session, and in a session that was saved and loaded.
#include <functional>

#include "support/files.h"
#include "support/support.h"
#include "webnn/session.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

// Holds a size twice: as an expression and as a number.
struct Dim {
  std::string text;
  std::int64_t value = 0;

  Dim(std::string expression, std::int64_t number) : text(std::move(expression)), value(number) {}
  Dim(int number) : text(std::to_string(number)), value(number) {}
  friend Dim operator+(const Dim& a, const Dim& b) { return {"(" + a.text + ") + (" + b.text + ")", a.value + b.value}; }
  friend Dim operator-(const Dim& a, const Dim& b) { return {"(" + a.text + ") - (" + b.text + ")", a.value - b.value}; }
  friend Dim operator*(const Dim& a, const Dim& b) { return {"(" + a.text + ") * (" + b.text + ")", a.value * b.value}; }
};
Dim half(const Dim& a) { return {"floor((" + a.text + ") / 2)", a.value >= 0 ? a.value / 2 : (a.value - 1) / 2}; }

using Types = std::vector<DataType>;
const Types kTypes{DataType::float32, DataType::float16, DataType::int32, DataType::uint32,
                   DataType::int64,   DataType::uint64,  DataType::int8,  DataType::uint8};
constexpr DataType kFloat = DataType::float32;

// Builds one of the two graphs to compare: with open sizes or with fixed sizes.
struct Side {
  GraphBuilder& b;
  bool isOpen = false;
  Dim n, m;
  bool hasBadSize = false;  // a size is 0 or negative, which only open graphs may have
  std::map<std::string, OperandDescriptor> inputs{};

  std::uint32_t operator()(const Dim& dim) {
    hasBadSize = hasBadSize || dim.value <= 0;
    return isOpen ? b.openSize(dim.text) : static_cast<std::uint32_t>(dim.value);
  }
  Shape shape(const std::vector<Dim>& dims) {
    Shape sizes;
    for (const Dim& dim : dims) sizes.push_back((*this)(dim));
    return sizes;
  }
  Operand in(const std::string& name, DataType type, const std::vector<Dim>& dims) {
    Shape numbers;
    for (const Dim& dim : dims) numbers.push_back(static_cast<std::uint32_t>(dim.value));
    inputs[name] = {type, numbers};
    return b.input(name, {type, shape(dims)});
  }
  Operand in(const std::string& name, const std::vector<Dim>& dims) { return in(name, kFloat, dims); }
  Operand constant(DataType type, Shape shape, std::vector<Number> values = {0.5, -0.25, 1, 0.75, -1}) {
    const OperandDescriptor descriptor{type, std::move(shape)};
    const std::size_t count = elementCount(descriptor), period = values.size();
    for (std::size_t i = period; i < count; ++i) values.push_back(values[i % period]);
    values.resize(count);
    return b.constant(descriptor, test::pack(descriptor, values));
  }
  Operand constant(Shape shape) { return constant(kFloat, std::move(shape)); }
};

using Results = std::vector<Operand>;
using Case = std::function<Results(Side&)>;

std::vector<NamedOperand> named(const Results& results) {
  std::vector<NamedOperand> outputs;
  for (std::size_t i = 0; i < results.size(); ++i) outputs.emplace_back("y" + std::to_string(i), results[i]);
  return outputs;
}

// Holds the outcome of one graph: an error, or the outputs by name.
struct Outcome {
  std::string error;
  std::map<std::string, Array> outputs;
};

Outcome outcomeOf(const std::function<std::map<std::string, Array>()>& run) {
  try {
    return {{}, run()};
  } catch (const Error& error) {
    return {error.what(), {}};
  }
}

std::map<std::string, Array> runFixed(GraphBuilder& builder, const Results& results,
                                      const std::map<std::string, ArrayView>& inputs) {
  return Session(builder.build(named(results))).run(inputs);
}

void expectEqual(const Outcome& open, const Outcome& fixed) {
  EXPECT_EQ(open.error.substr(0, fixed.error.size()), fixed.error);
  if (!fixed.error.empty()) return;
  EXPECT_EQ(open.error, "");
  ASSERT_EQ(open.outputs.size(), fixed.outputs.size());
  for (const auto& [name, array] : fixed.outputs) {
    EXPECT_EQ(open.outputs.at(name).descriptor, array.descriptor);
    EXPECT_TRUE(open.outputs.at(name).bytes == array.bytes) << name;
  }
}

struct OpenOperations : testing::Test {
  const Context context = test::makeContext("cpu");
  const test::TemporaryFolder folder{};

  // Returns a session of the open graph, and a session of its saved file. If the builder refuses the graph, returns none and
  // stores the message in `refusal`.
  std::vector<Session> sessions(const Case& graph, std::string& refusal) {
    GraphBuilder builder(context);
    Side open{builder, true, {"n", 1}, {"m", 1}};
    try {
      // An input has both names as dimensions, so that each run gives them sizes.
      const Operand names = builder.openInput("names", {kFloat, {"n", "m"}});
      Results results = graph(open);
      results.push_back(builder.relu(names));
      const Session session = Session::build(builder, named(results));
      save(session, folder / "graph.webnn");
      return {session, Session::load(context, folder / "graph.webnn")};
    } catch (const Error& error) {
      refusal = error.what();
      return {};
    }
  }

  // Compares the open graph with the graph of numbers for many sizes. Returns how many of the sizes ran.
  int compare(const Case& graph) {
    std::string refusal;
    const std::vector<Session> open = sessions(graph, refusal);
    int ran = 0;
    for (int n : {1, 2, 3, 5}) {
      for (int m : {1, 2, 4}) {
        SCOPED_TRACE("n = " + std::to_string(n) + ", m = " + std::to_string(m));
        GraphBuilder builder(context);
        Side fixed{builder, false, n, m};
        std::map<std::string, std::vector<std::byte>> bytes;
        std::map<std::string, ArrayView> inputs;
        const Outcome expected = outcomeOf([&] {
          const Operand names = fixed.in("names", {n, m});
          Results results = graph(fixed);
          results.push_back(builder.relu(names));
          for (const auto& [name, descriptor] : fixed.inputs) {
            std::vector<Number> values;
            for (std::size_t i = 0; i < elementCount(descriptor); ++i)
              values.emplace_back(static_cast<double>((i * 7 + 3) % 11) - 4);
            bytes[name] = test::pack(descriptor, values);
            inputs.emplace(name, ArrayView(descriptor, bytes[name]));
          }
          return runFixed(builder, results, inputs);
        });
        if (fixed.hasBadSize) continue;
        if (!refusal.empty()) {
          EXPECT_NE(expected.error, "") << "refused although these sizes are valid: " << refusal;
        }
        if (expected.error.empty()) ++ran;
        for (const Session& session : open) {
          if (inputs.size() == fixed.inputs.size()) expectEqual(outcomeOf([&] { return session.run(inputs); }), expected);
        }
      }
    }
    return ran;
  }
};

constexpr InputOperandLayout kNhwc = InputOperandLayout::nhwc;

TEST_F(OpenOperations, Convolutions) {
  EXPECT_GT(compare([](Side& s) -> Results {
              return {s.b.conv2d(s.in("x", {s.n, s.m + 3, s.n + 2, 4}), s.constant({2, 2, 4, 6}),
                                 {.padding = {1, 1, 0, 1},
                                  .dilations = {2, 1},
                                  .inputLayout = kNhwc,
                                  .filterLayout = Conv2dFilterOperandLayout::hwio,
                                  .bias = s.constant({6})})};
            }),
            0);
  EXPECT_GT(compare([](Side& s) -> Results {
              return {s.b.conv2d(s.in("x", {1, s.m, s.n, 4}), s.constant({1, 2, 2, 8}),
                                 {.groups = 4, .inputLayout = kNhwc, .filterLayout = Conv2dFilterOperandLayout::ihwo})};
            }),
            0);
  EXPECT_GT(compare([](Side& s) -> Results {
              return {s.b.convTranspose2d(s.in("x", {s.n, s.m, s.n, 3}), s.constant({2, 2, 2, 3}),
                                          {.strides = {2, 2},
                                           .outputSizes = OptionalSizes(s.shape({s.m * 2 + 1, s.n * 2 + 1})),
                                           .inputLayout = kNhwc,
                                           .filterLayout = ConvTranspose2dFilterOperandLayout::ohwi})};
            }),
            0);
  EXPECT_GT(compare([](Side& s) -> Results {
              return {s.b.convTranspose2d(
                  s.in("x", {s.n, 3, s.m, s.n}), s.constant({3, 2, 2, 2}),
                  {.padding = {1, 0, 0, 2}, .strides = {3, 2}, .dilations = {1, 3}, .outputPadding = {2, 1}, .groups = 3})};
            }),
            0);
}

TEST_F(OpenOperations, Windows) {
  for (RoundingType rounding : {RoundingType::floor, RoundingType::ceil}) {
    EXPECT_GT(compare([rounding](Side& s) -> Results {
                const Operand x = s.in("x", {2, s.n * 2 + 1, s.m * 3 + 1, 3});
                const Pool2dOptions options{.windowDimensions = {3, 3},
                                            .padding = {1, 0, 2, 1},
                                            .strides = {2, 4},
                                            .layout = kNhwc,
                                            .outputShapeRounding = rounding};
                return {s.b.maxPool2d(x, options), s.b.averagePool2d(x, options), s.b.l2Pool2d(x, options)};
              }),
              0);
  }
  EXPECT_GT(compare([](Side& s) -> Results {
              return {s.b.maxPool2d(s.in("x", {2, 3, s.n, s.m}),
                                    {.windowDimensions = OptionalSizes(s.shape({s.n, half(s.m)})), .dilations = {1, 2}})};
            }),
            0);
  EXPECT_GT(
      compare([](Side& s) -> Results {
        return {s.b.averagePool2d(
            s.in("x", {2, s.n * 2, s.m * 2 - 1, 3}),
            {.windowDimensions = {2, 2}, .strides = {2, 2}, .layout = kNhwc, .outputSizes = OptionalSizes(s.shape({s.n, s.m}))})};
      }),
      0);
  EXPECT_GT(compare([](Side& s) -> Results {
              const Operand x = s.in("x", {s.n * 10, s.m, 3, 2});
              return {s.b.resample2d(x, {.mode = InterpolationMode::linear, .scales = {0.1f, 2.3f}, .axes = {0, 1}}),
                      s.b.resample2d(x, {.sizes = OptionalSizes(s.shape({s.m * 2, s.n + 1})), .axes = {1, 2}})};
            }),
            0);
}

TEST_F(OpenOperations, MovedElements) {
  Types types = kTypes;
  types.insert(types.end(), {DataType::int4, DataType::uint4});
  for (DataType type : types) {
    SCOPED_TRACE(name(type));
    EXPECT_GT(compare([type](Side& s) -> Results {
                const Operand x = s.in("x", type, {s.n + 2, s.m + 4});
                return {s.b.slice(x, s.shape({s.n, s.m}), {2, 4}, {.strides = {2, 3}}),
                        s.b.tile(x, s.shape({s.m, 2})),
                        s.b.pad(x, s.shape({s.n, s.m}), s.shape({s.m, s.n}), {.mode = PaddingMode::reflection}),
                        s.b.pad(x, s.shape({s.n * 2, 1}), {0, 3}, {.mode = PaddingMode::edge}),
                        s.b.pad(x, s.shape({s.n, 1}), s.shape({1, s.m}), {.value = 3}),
                        s.b.transpose(x),
                        s.b.reverse(x, {.axes = {1}}),
                        s.b.triangular(x, {.upper = false, .diagonal = -1})};
              }),
              0);
    EXPECT_GT(
        compare([type](Side& s) -> Results {
          const Operand x = s.in("x", type, {s.n, s.m, 6});
          Results results = s.b.split(s.in("parts", type, {s.n, s.n + s.m * 2}), Splits(s.shape({s.n, s.m, s.m})), {.axis = 1});
          results.push_back(s.b.reshape(x, s.shape({s.n * 3, s.m * 2})));
          results.push_back(s.b.reshape(x, s.shape({s.n * s.m, 1, 6})));
          results.push_back(s.b.expand(s.in("one", type, {s.n, 1}), s.shape({s.m, s.n, s.m * s.n})));
          results.push_back(s.b.gather(x, s.in("i", DataType::int32, {s.m, s.n}), {.axis = 1}));
          results.push_back(s.b.gatherND(x, s.in("at", DataType::int32, {s.m, s.n, 2})));
          return results;
        }),
        0);
  }
}

TEST_F(OpenOperations, ElementwiseOperations) {
  for (DataType type : kTypes) {
    SCOPED_TRACE(name(type));
    EXPECT_GT(compare([type](Side& s) -> Results {
                const Operand x = s.in("x", type, {s.n, 1, 3}), y = s.in("y", type, {s.m, 1});
                return {s.b.add(x, y),
                        s.b.max(x, y),
                        s.b.greaterOrEqual(x, y),
                        s.b.where(s.b.lesser(x, y), x, s.constant(type, {1, 3}, {1, 2, 3})),
                        s.b.cast(x, DataType::int8),
                        s.b.clamp(x, {.minValue = 1, .maxValue = 2}),
                        s.b.argMin(x, 0),
                        s.b.argMax(y, 1, {.keepDimensions = true, .outputDataType = DataType::int64}),
                        s.b.reduceMax(x),
                        s.b.reduceMin(x, {.axes = {0}, .keepDimensions = true})};
              }),
              0);
  }
  EXPECT_GT(compare([](Side& s) -> Results {  // only n = m and sizes of 1 broadcast
              return {s.b.mul(s.in("x", {s.n, s.m}), s.in("y", {s.m, s.n}), {.label = "my \"label\""})};
            }),
            0);
  EXPECT_GT(compare([](Side& s) -> Results { return {s.b.prelu(s.in("x", {s.n, s.m, 3}), s.in("slope", {s.m, 1}))}; }), 0);
  EXPECT_GT(compare([](Side& s) -> Results {
              const Operand x = s.in("x", {s.n, s.m, 1, 1, 2, s.n, 1, s.m});
              return {s.b.transpose(x), s.b.reduceSum(x, {.axes = {0, 5}}), s.b.softmax(x, 5)};
            }),
            0);
}

TEST_F(OpenOperations, ProductsAndNormalizations) {
  EXPECT_GT(compare([](Side& s) -> Results {
              return {s.b.gemm(s.in("x", {s.n, s.m}), s.in("y", {s.n, s.m}),
                               {.c = s.in("c", {s.m, 1}), .alpha = 0.5, .beta = 2, .aTranspose = true})};
            }),
            0);
  EXPECT_GT(compare([](Side& s) -> Results {
              const Operand q = s.in("q", {s.n, s.m, 8}), keys = s.b.concat({s.in("past", {s.n, s.m * 2 - 1, 8}), q}, 1);
              const Operand scores = s.b.matmul(q, s.b.transpose(keys, {.permutation = {0, 2, 1}}));
              return {s.b.matmul(s.b.softmax(scores, 2), keys)};
            }),
            0);
  EXPECT_GT(compare([](Side& s) -> Results {
              const Operand x = s.in("x", {s.n, 2, s.m, 5}), scale = s.in("scale", {5, s.n});
              return {s.b.batchNormalization(x, s.constant({5}), s.b.abs(s.constant({5})), {.bias = s.constant({5}), .axis = 3}),
                      s.b.instanceNormalization(x, {.scale = s.constant({5}), .layout = kNhwc}),
                      s.b.layerNormalization(x, {.scale = scale, .axes = {3, 0}}),
                      s.b.cumulativeSum(x, 2, {.exclusive = true, .reversed = true})};
            }),
            0);
  EXPECT_GT(compare([](Side& s) -> Results {
              const Operand x = s.in("x", {s.n * 2, s.m * 4});
              const Operand scale = s.b.add(s.b.abs(s.in("scale", {s.n, s.m})), s.constant(kFloat, {}, {1}));
              const Operand quantized = s.b.quantizeLinear(x, scale, s.in("zero", DataType::int8, {s.n, s.m}));
              return {quantized, s.b.dequantizeLinear(quantized, scale, s.in("zero2", DataType::int8, {s.n, s.m}))};
            }),
            0);
}

TEST_F(OpenOperations, ScattersAndRecurrentNetworks) {
  EXPECT_GT(compare([](Side& s) -> Results {
              const Operand x = s.in("x", {s.n, s.m}), i = s.in("i", DataType::int32, {s.m + 1, s.m});
              return {s.b.gatherElements(x, i, {.axis = 0}), s.b.scatterElements(x, i, s.in("u", {s.m + 1, s.m}), {.axis = 0}),
                      s.b.scatterND(x, s.in("at", DataType::int32, {s.m, s.n, 1}), s.in("rows", {s.m, s.n, s.m}))};
            }),
            0);
  EXPECT_GT(compare([](Side& s) -> Results {
              return s.b.gru(s.in("x", {s.n, s.m, 3}), s.constant({2, 6, 3}), s.constant({2, 6, 2}), s(s.n), 2,
                             {.initialHiddenState = s.in("h", {2, s.m, 2}),
                              .resetAfter = false,
                              .returnSequence = true,
                              .direction = RecurrentNetworkDirection::both,
                              .layout = GruWeightLayout::rzn});
            }),
            0);
  EXPECT_GT(compare([](Side& s) -> Results {
              return s.b.lstm(s.in("x", {s.n, s.m, s.m * 2}), s.in("w", {1, 8, s.m * 2}), s.constant({1, 8, 2}), s(s.n), 2,
                              {.peepholeWeight = s.constant({1, 6}),
                               .initialCellState = s.in("c", {1, s.m, 2}),
                               .returnSequence = true,
                               .direction = RecurrentNetworkDirection::backward,
                               .layout = LstmWeightLayout::ifgo});
            }),
            0);
  EXPECT_GT(compare([](Side& s) -> Results {
              return s.b.lstmCell(s.in("x", {s.n, s.m}), s.in("w", {8, s.m}), s.constant({8, 2}), s.in("h", {s.n, 2}),
                                  s.in("c", {s.m, 2}), 2);
            }),
            0);
}

TEST_F(OpenOperations, FailLikeFixedOnes) {
  EXPECT_EQ(compare([](Side& s) -> Results {  // 4 channels cannot be divided into 3 groups
              return {s.b.conv2d(s.in("x", {1, 4, s.n, s.m}), s.constant({3, 2, 1, 1}), {.groups = 3})};
            }),
            0);
  EXPECT_GT(compare([](Side& s) -> Results {  // the number of steps is right only if n = m
              return s.b.lstm(s.in("x", {s.n, s.m, 3}), s.constant({1, 8, 3}), s.constant({1, 8, 2}), s(s.m), 2);
            }),
            0);
  EXPECT_EQ(compare([](Side& s) -> Results { return s.b.split(s.in("x", {s.n * 2 + 1}), 2u); }), 0);
  EXPECT_GT(compare([](Side& s) -> Results { return s.b.split(s.in("x", {s.n}), 3u); }), 0);
  EXPECT_EQ(compare([](Side& s) -> Results { return {s.b.reshape(s.in("x", {s.n, 3}), s.shape({s.n, 2}))}; }), 0);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
