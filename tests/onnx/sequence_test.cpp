// Tests sequences whose lengths are known, and tensors of types that WebNN lacks, whose elements are only moved, quantized or
// dequantized.
#include "onnx/imported.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

using Ints = std::vector<std::int64_t>;
using Doubles = std::vector<double>;

// Returns a model with inputs x = [1, 2, ...] of shape [5, 2], go (a boolean) and place (an int64), and constants.
Runnable modelWith(std::vector<Node> nodes, std::vector<std::string> outputs, std::int64_t operatorSet = 21) {
  Runnable result;
  Graph& graph = result.model.graph;
  graph.nodes = std::move(nodes);
  graph.inputs = {{"x", kFloat, {{5, 2}}}, {"go", kBool, std::vector<Dimension>{}}, {"place", kInt64, std::vector<Dimension>{}}};
  for (const std::string& name : outputs) graph.outputs.push_back({name});
  graph.initializers = {tensor("minus1", Dims{}, Ints{-1}), tensor("zero", Dims{}, Ints{0}),  tensor("one", Dims{}, Ints{1}),
                        tensor("two", Dims{}, Ints{2}),     tensor("three", Dims{}, Ints{3}), tensor("sizes", {2}, Ints{4, 1})};
  result.model.operatorSets = {{"", operatorSet}};
  result.inputs = {{"x", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}, {"go", {0}}, {"place", {0}}};
  return result;
}

const Node kChunks{"SplitToSequence", {"x", "two"}, {"s"}};  // elements of shape [2, 2], [2, 2] and [1, 2]

TEST(OnnxSequence, SplitsAndTakesElements) {
  const std::vector<Imported> results = run(modelWith({kChunks,
                                                       {"SequenceAt", {"s", "one"}, {"middle"}},
                                                       {"SequenceAt", {"s", "minus1"}, {"last"}},
                                                       {"SequenceLength", {"s"}, {"n"}},
                                                       {"Identity", {"n"}, {"length"}},
                                                       {"SplitToSequence", {"x", "sizes"}, {"parts"}},
                                                       {"SequenceAt", {"parts", "one"}, {"part"}},
                                                       {"SplitToSequence", {"x"}, {"columns"}, {{"axis", 1}, {"keepdims", 0}}},
                                                       {"SequenceAt", {"columns", "zero"}, {"column"}}},
                                                      {"middle", "last", "length", "part", "column"}));
  EXPECT_EQ(results[0].values, (Doubles{5, 6, 7, 8}));
  EXPECT_EQ(results[1].descriptor.shape, (Shape{1, 2}));
  EXPECT_EQ(results[1].values, (Doubles{9, 10}));
  EXPECT_EQ(results[2].values, Doubles{3});
  EXPECT_EQ(results[3].values, (Doubles{9, 10}));
  EXPECT_EQ(results[4].descriptor.shape, Shape{5});
  EXPECT_EQ(results[4].values, (Doubles{1, 3, 5, 7, 9}));
}

TEST(OnnxSequence, JoinsAlongAnAxisOrStacks) {
  const std::vector<Imported> results =
      run(modelWith({kChunks,
                     {"SequenceErase", {"s"}, {"pair"}},
                     {"ConcatFromSequence", {"pair"}, {"beside"}, {{"axis", -1}}},
                     {"ConcatFromSequence", {"pair"}, {"stack"}, {{"axis", -1}, {"new_axis", 1}}}},
                    {"beside", "stack"}));
  EXPECT_EQ(results[0].descriptor.shape, (Shape{2, 4}));
  EXPECT_EQ(results[0].values, (Doubles{1, 2, 5, 6, 3, 4, 7, 8}));
  EXPECT_EQ(results[1].descriptor.shape, (Shape{2, 2, 2}));
  EXPECT_EQ(results[1].values, (Doubles{1, 5, 2, 6, 3, 7, 4, 8}));
}

TEST(OnnxSequence, InsertsAndErases) {
  const std::vector<Imported> results = run(modelWith({{"Neg", {"x"}, {"minus"}},
                                                       {"Abs", {"minus"}, {"plus"}},
                                                       {"SequenceEmpty", {}, {"empty"}},
                                                       {"SequenceInsert", {"empty", "x"}, {"a"}},  // the sequence is now: x
                                                       {"SequenceInsert", {"a", "minus", "zero"}, {"b"}},  // minus, x
                                                       {"SequenceInsert", {"b", "plus", "two"}, {"c"}},    // minus, x, plus
                                                       {"SequenceErase", {"c", "one"}, {"d"}},             // minus, plus
                                                       {"SequenceAt", {"d", "zero"}, {"first"}},
                                                       {"SequenceConstruct", {"x", "minus"}, {"e"}},
                                                       {"SequenceAt", {"e", "one"}, {"second"}}},
                                                      {"first", "second"}));
  const Doubles minus{-1, -2, -3, -4, -5, -6, -7, -8, -9, -10};
  EXPECT_EQ(results[0].values, minus);
  EXPECT_EQ(results[1].values, minus);
}

TEST(OnnxSequence, GoesThroughLoopsBranchesAndMaps) {
  Graph insert;  // s = s + [state]; state = 2 * state
  insert.nodes = {{"SequenceInsert", {"s", "state"}, {"more"}}, {"Add", {"state", "state"}, {"twice"}}};
  insert.inputs = {{"i", kInt64}, {"c", kBool}, {"s"}, {"state"}};
  insert.outputs = {{"c"}, {"more"}, {"twice"}};
  const Node loop{"Loop", {"three", "", "empty", "start"}, {"all", ""}, {{"body", subgraph(insert)}}};
  const Node start{"ReduceSum", {"x"}, {"start"}, {{"keepdims", 1}}};  // the sum of x is 55
  EXPECT_EQ(run(modelWith({{"SequenceEmpty", {}, {"empty"}}, start, loop, {"ConcatFromSequence", {"all"}, {"y"}, {{"axis", 0}}}},
                          {"y"}))[0]
                .values,
            (Doubles{55, 110, 220}));

  const auto branch = [](const char* opType) {
    Graph graph;
    graph.nodes = {{opType, {"x"}, {"r"}}, {"SequenceConstruct", {"x", "r"}, {"q"}}};
    graph.outputs = {{"q"}};
    return subgraph(std::move(graph));
  };
  const Node choice{"If", {"go"}, {"chosen"}, {{"then_branch", branch("Exp")}, {"else_branch", branch("Neg")}}};
  EXPECT_EQ(run(modelWith({choice, {"SequenceAt", {"chosen", "one"}, {"y"}}}, {"y"}))[0].values[9], -10);

  Graph add;
  add.nodes = {{"Add", {"element", "addend"}, {"sum"}}};
  add.inputs = {{"element"}, {"addend"}};
  add.outputs = {{"sum"}};
  const Node map{"SequenceMap", {"s", "hundred"}, {"mapped"}, {{"body", subgraph(add)}}};
  Runnable mapped = modelWith({kChunks, map, {"ConcatFromSequence", {"mapped"}, {"y"}, {{"axis", 0}}}}, {"y"});
  mapped.model.graph.initializers.push_back(tensor("hundred", Dims{}, std::vector<float>{100}));
  EXPECT_EQ(run(mapped)[0].values, (Doubles{101, 102, 103, 104, 105, 106, 107, 108, 109, 110}));
}

TEST(OnnxSequence, NamesUnknownPositionsAndValuesThatAreNoSequences) {
  expectRefused(modelWith({kChunks, {"SequenceAt", {"s", "place"}, {"y"}}}, {"y"}), {"\"place\"", "must be known"});
  expectRefused(modelWith({kChunks}, {"s"}), {"output \"s\": WebNN has tensors only, no sequences"});
  const auto expectMalformed = [](std::vector<Node> nodes, const std::vector<std::string>& parts) {
    Context context = makeContext();
    const Runnable model = modelWith(std::move(nodes), {"y"});
    expectError(ErrorKind::dataError, parts, [&] { import(context, model.model); });
  };
  expectMalformed({kChunks, {"SequenceAt", {"s", "three"}, {"y"}}}, {"position [3]", "sequence of 3"});
  expectMalformed({kChunks, {"Neg", {"s"}, {"y"}}}, {"input 0 is a sequence where a tensor is expected"});
  expectMalformed({{"SequenceAt", {"x", "zero"}, {"y"}}}, {"input 0 is a tensor where a sequence is expected"});
  expectMalformed({{"SequenceEmpty", {}, {"e"}}, {"ConcatFromSequence", {"e"}, {"y"}, {{"axis", 0}}}}, {"nothing to join"});
}

// Types that WebNN does not have.

Node cast(const char* from, const char* to, Type type) { return {"Cast", {from}, {to}, {{"to", std::int64_t{type}}}}; }

TEST(OnnxTypes, ThatAreOnlyMovedNeedNoOperations) {
  const Node flip{"Transpose", {"wide"}, {"turned"}, {{"perm", Ints{1, 0}}}};
  EXPECT_EQ(run(modelWith({cast("x", "wide", kDouble), flip, cast("turned", "y", kFloat)}, {"y"}))[0].values,
            (Doubles{1, 3, 5, 7, 9, 2, 4, 6, 8, 10}));
  // Modulo 2^16, 65536 * 3 + 40000 is 40000, or -25536 as int16.
  Runnable integers = modelWith({cast("n", "u", kUint16),
                                 {"Concat", {"u", "u"}, {"uu"}, {{"axis", 0}}},
                                 cast("uu", "y", kInt64),
                                 cast("n", "i", kInt16),
                                 cast("i", "z", kInt32),
                                 cast("i", "w", kUint8),
                                 cast("i", "f", kFloat)},
                                {"y", "z", "w", "f"});
  integers.model.graph.inputs.push_back({"n", kInt64, {{3}}});
  integers.inputs["n"] = {236608, -1, 7};
  const std::vector<Imported> results = run(integers);
  EXPECT_EQ(results[0].values, (Doubles{40000, 65535, 7, 40000, 65535, 7}));
  EXPECT_EQ(results[1].values, (Doubles{-25536, -1, 7}));
  EXPECT_EQ(results[2].values, (Doubles{64, 255, 7}));
  EXPECT_EQ(results[3].values, (Doubles{-25536, -1, 7}));
}

TEST(OnnxTypes, ThatConstantsHaveAreMovedToo) {
  const auto moved = [](const TensorMessage& constant) {
    Runnable model = modelWith({{"Transpose", {"c"}, {"turned"}, {{"perm", Ints{1, 0}}}}, cast("turned", "y", kFloat)}, {"y"});
    model.model.graph.initializers.push_back(constant);
    return model;
  };
  EXPECT_EQ(run(moved(tensor("c", {2, 2}, Doubles{1, 2, 0.5, -4})))[0].values, (Doubles{1, 0.5, 2, -4}));
  EXPECT_EQ(run(moved(tensor("c", {2, 2}, std::vector<std::uint16_t>{1, 65535, 3, 4})))[0].values, (Doubles{1, 3, 65535, 4}));
  const std::string bits = raw(std::vector<std::uint16_t>{0x3F80, 0xC000, 0x4049, 0});
  EXPECT_EQ(run(moved(rawTensor("c", kBfloat16, {2, 2}, bits)))[0].values, (Doubles{1, 3.140625, -2, 0}));
  // 0.1 is not exact in float32.
  expectRefused(moved(tensor("c", {2, 2}, Doubles{1, 2, 0.1, -4})), {"(Transpose, opset 21): WebNN has no type double"});
}

TEST(OnnxTypes, SixteenBitsAreQuantizedTo) {
  const auto through = [](Type type, std::int64_t zero) {
    const Node quantize{"QuantizeLinear", {"x", "scale", "zero16"}, {"q"}},
        dequantize{"DequantizeLinear", {"r", "scale", "zero16"}, {"y"}};
    Runnable model = modelWith({quantize, {"Flatten", {"q"}, {"r"}, {{"axis", 0}}}, dequantize}, {"y"});
    model.model.graph.initializers.push_back(tensor("scale", Dims{}, std::vector<float>{0.5F}));
    model.model.graph.initializers.push_back(rawTensor("zero16", type, {}, std::string{static_cast<char>(zero), 0}));
    model.inputs["x"] = {1, -3, 1e9, 0.3, -1e9, 0, 0, 0, 0, 0};
    const Doubles values = run(model)[0].values;
    return Doubles(values.begin(), values.begin() + 5);
  };
  EXPECT_EQ(through(kUint16, 10), (Doubles{1, -3, 32762.5, 0.5, -5}));
  EXPECT_EQ(through(kInt16, 10), (Doubles{1, -3, 16378.5, 0.5, -16389}));
}

TEST(OnnxTypes, ThatAreComputedWithAreRefused) {
  expectRefused(modelWith({cast("x", "d", kDouble), {"Neg", {"d"}, {"e"}}, cast("e", "y", kFloat)}, {"y"}),
                {"(Neg, opset 21): WebNN has no type double"});
  expectRefused(modelWith({cast("x", "d", kDouble)}, {"d"}), {"output \"d\": WebNN has no type double"});
  expectRefused(modelWith({cast("place", "d", kDouble), cast("d", "y", kInt64)}, {"y"}), {"WebNN has no type double"});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
