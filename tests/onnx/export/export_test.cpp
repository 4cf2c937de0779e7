// Tests the form of an exported model: names, constants, types that an operator does not support, and the files of a saved model.
#include "onnx/write/export.h"

#include <sys/mman.h>

#include <algorithm>
#include <set>

#include "context/graph_state.h"
#include "formats/save_onnx.h"
#include "onnx/export/export_cases.h"
#include "onnx/export/exported.h"
#include "support/files.h"
#include "webnn/formats.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using onnx::ElementType;
using onnx::ExportOptions;
using test::Exported;
using test::Fixture;
using Strings = std::vector<std::string>;

Exported exported(Fixture& fixture, std::vector<NamedOperand> outputs, const ExportOptions& options = {}) {
  return test::readExported(onnx::exportModel(definitionOf(fixture.builder.build(std::move(outputs))), options).proto);
}

// A target that does not support some types of some operators.
constexpr onnx::TypeRule kFewTypes[] = {
    {"Add", {ElementType::int32, ElementType::int64, ElementType::float32}},
    {"Greater", {ElementType::int64, ElementType::float32}},
    {"Max", {ElementType::float32}},
    {"ReduceSum", {ElementType::float32}},
    {"Where", {ElementType::float32, ElementType::int64}},
};
constexpr onnx::Target kFewTypesTarget{"few", kFewTypes};

TEST(OnnxExport, NamesTheGraphItsEndsItsResultsAndItsNodes) {
  Fixture f;
  f.builder.setGraphName("the graph");
  const Operand x = f.builder.input("x", {DataType::float32, {2, 3}}), c = f.constant({3}, {1, 2, 3});
  const Operand sum = f.builder.add(x, c, {"adding"}), y = f.builder.relu(sum);
  f.builder.setName(c, "bias");
  f.builder.setName(sum, "sum");
  const Exported model = exported(f, {{"y", y}});
  EXPECT_EQ(model.irVersion, 10);
  EXPECT_EQ(model.operatorSet, 20);
  EXPECT_EQ(model.producer, "libwebnn");
  EXPECT_EQ(model.graphName, "the graph");
  ASSERT_EQ(model.nodes.size(), 2u);
  EXPECT_EQ(model.nodes[0].opType, "Add");
  EXPECT_EQ(model.nodes[0].name, "adding");
  EXPECT_EQ(model.nodes[0].inputs, (Strings{"x", "bias"}));
  EXPECT_EQ(model.nodes[0].outputs, Strings{"sum"});
  EXPECT_EQ(model.nodes[1].opType, "Relu");
  EXPECT_EQ(model.nodes[1].name, "");
  EXPECT_EQ(model.nodes[1].inputs, Strings{"sum"});
  EXPECT_EQ(model.nodes[1].outputs, Strings{"y"});
  ASSERT_EQ(model.inputs.size(), 1u);
  EXPECT_EQ(model.inputs[0].name, "x");
  EXPECT_EQ(model.inputs[0].type, 1);
  EXPECT_EQ(model.inputs[0].dims, (std::vector<std::int64_t>{2, 3}));
  ASSERT_EQ(model.values.size(), 1u);
  EXPECT_EQ(model.values[0].name, "sum");
  ASSERT_EQ(model.initializers.size(), 1u);
  EXPECT_EQ(model.initializers[0].name, "bias");
  EXPECT_EQ(model.initializers[0].raw, test::raw<float>({1, 2, 3}));
}

TEST(OnnxExport, NamesTheNodesOfOneOperationAfterItsLabelEachDifferently) {
  Fixture f;
  const Operand a = f.input(DataType::uint8, {2}), b = f.input(DataType::uint8, {2});
  const Exported model = exported(f, {{"y", f.builder.logicalAnd(a, b, {"both"})}, {"z", f.builder.logicalOr(a, b, {"both"})}});
  Strings names;
  for (const auto& node : model.nodes) names.push_back(node.name);
  EXPECT_EQ(model.opTypes(), (Strings{"Cast", "Cast", "And", "Cast", "Cast", "Cast", "Or", "Cast"}));
  EXPECT_EQ(names, (Strings{"both/Cast", "both/Cast_2", "both/And", "both", "both/Cast_3", "both/Cast_4", "both/Or", "both_2"}));
}

TEST(OnnxExport, ListsAnOperandAsTwoOutputsThatIsUsedInsideToo) {
  Fixture f;
  const Operand x = f.builder.input("x", {DataType::float32, {2}}), y = f.builder.relu(x), z = f.builder.neg(y);
  f.builder.setName(y, "hidden");
  const Exported model = exported(f, {{"first", y}, {"z", z}, {"second", y}});
  ASSERT_EQ(model.opTypes(), (Strings{"Relu", "Neg", "Identity"}));
  EXPECT_EQ(model.nodes[0].outputs, Strings{"first"});
  EXPECT_EQ(model.nodes[1].inputs, Strings{"first"});
  EXPECT_EQ(model.nodes[2].inputs, Strings{"first"});
  EXPECT_EQ(model.nodes[2].outputs, Strings{"second"});
  ASSERT_EQ(model.outputs.size(), 3u);
  EXPECT_EQ(model.outputs[0].name, "first");
  EXPECT_EQ(model.outputs[2].name, "second");
}

TEST(OnnxExport, KeepsTheNamesOfOutputsFromOtherOperands) {
  Fixture f;
  const Operand x = f.builder.input("x", {DataType::float32, {2}}), y = f.builder.relu(x), z = f.builder.neg(y);
  f.builder.setName(y, "out");  // the name of an output, which is a different operand
  const Exported model = exported(f, {{"out", z}});
  EXPECT_EQ(model.nodes[0].outputs, Strings{"out_2"});
  EXPECT_EQ(model.nodes[1].inputs, Strings{"out_2"});
  EXPECT_EQ(model.nodes[1].outputs, Strings{"out"});
}

TEST(OnnxExport, SaysThatAnOutputCannotHaveTheNameOfAnInput) {
  Fixture f;
  const Operand x = f.builder.input("x", {DataType::float32, {2}});
  const Graph graph = f.builder.build({{"x", f.builder.relu(x)}});
  const onnx::ExportedModel model = onnx::exportModel(definitionOf(graph));
  EXPECT_EQ(model.notes, Strings{"The output \"x\" is called \"x_2\", as an input has its name."});
  EXPECT_EQ(test::readExported(model.proto).outputs[0].name, "x_2");
}

// An output that equals the input of the same name is exported as that input. Importing such a model makes the output an identity
// of the input.
TEST(OnnxExport, MakesAnOutputThatIsTheInputOfItsNameThatInput) {
  Fixture f;
  const Operand x = f.builder.input("x", {DataType::float32, {2}}), copy = f.builder.identity(x);
  const Graph graph = f.builder.build({{"x", f.builder.identity(copy)}, {"y", f.builder.relu(copy)}, {"z", copy}});
  const onnx::ExportedModel model = onnx::exportModel(definitionOf(graph));
  EXPECT_EQ(model.outputs, (Strings{"x", "y", "z"}));
  EXPECT_EQ(model.notes, Strings{});
  const Exported read = test::readExported(model.proto);
  EXPECT_EQ(read.inputs[0].name, "x");
  EXPECT_EQ(read.outputs[0].name, "x");
  EXPECT_EQ(read.opTypes(), (Strings{"Identity", "Relu"}));  // the nodes that compute z and y
  EXPECT_EQ(read.nodes[0].inputs, Strings{"x"});
}

TEST(OnnxExport, CopiesAnInputThatIsTheResultOfAnOperationThatDoesNothing) {
  Fixture f;
  const Operand x = f.builder.input("x", {DataType::float32, {2}});
  const Exported model = exported(f, {{"y", f.builder.linear(x)}});
  ASSERT_EQ(model.opTypes(), Strings{"Identity"});
  EXPECT_EQ(model.nodes[0].outputs, Strings{"y"});
}

TEST(OnnxExport, LeavesOutCastsBetweenLogicalOperations) {
  Fixture f;
  const Operand a = f.input({2}), b = f.input({2});
  const Operand less = f.builder.lesser(a, b), equal = f.builder.equal(a, b);
  EXPECT_EQ(exported(f, {{"y", f.builder.logicalOr(less, equal)}}).opTypes(), (Strings{"Less", "Equal", "Or", "Cast"}));
}

TEST(OnnxExport, GivesScalarsAShapeWithoutDimensions) {
  Fixture f;
  const std::string proto = onnx::exportModel(definitionOf(f.builder.build({{"y", f.builder.relu(f.input({}))}}))).proto;
  // TypeProto.Tensor: elem_type 1, then shape (field 2, length 0).
  EXPECT_NE(proto.find(std::string("\x08\x01\x12\x00", 4)), std::string::npos);
}

TEST(OnnxExport, StoresEqualConstantsOfItsOwnOnce) {
  Fixture f;
  const Operand x = f.input({2});
  const ClampOptions bounds{.minValue = 0, .maxValue = 6};
  const Exported model = exported(f, {{"y", f.builder.clamp(f.builder.neg(f.builder.clamp(x, bounds)), bounds)}});
  ASSERT_EQ(model.initializers.size(), 2u);
  EXPECT_EQ(model.initializers[0].raw, test::raw<float>({0}));
  EXPECT_EQ(model.initializers[1].raw, test::raw<float>({6}));
  EXPECT_EQ(model.nodes[0].inputs[1], model.nodes[2].inputs[1]);
}

TEST(OnnxExport, KeepsLargeConstantsOutsideAtPagesAndDoesNotCopyThem) {
  Fixture f;
  const std::vector<std::byte> bytes(4100), more(1024), few(1020);
  const auto constant = [&](const std::vector<std::byte>& data, std::string name) {
    const Shape shape{static_cast<std::uint32_t>(data.size() / 4)};
    const Operand operand = f.builder.constant({DataType::float32, shape}, {data, nullptr});
    f.builder.setName(operand, std::move(name));
    return f.builder.relu(operand);
  };
  const Operand a = constant(bytes, "large"), b = constant(few, "small"), c = constant(more, "next");
  const Graph graph = f.builder.build({{"a", a}, {"b", b}, {"c", c}});
  const onnx::ExportedModel model = onnx::exportModel(definitionOf(graph), {.externalFile = "file.data"});
  ASSERT_EQ(model.external.size(), 2u);
  EXPECT_EQ(model.external[0].name, "large");
  EXPECT_EQ(model.external[0].bytes.data(), bytes.data());
  EXPECT_EQ(model.external[0].bytes.size(), 4100u);
  EXPECT_EQ(model.external[0].offset, 0u);
  EXPECT_EQ(model.external[0].type, ElementType::float32);
  EXPECT_EQ(model.external[0].dims, std::vector<std::int64_t>{1025});
  EXPECT_EQ(model.external[1].bytes.data(), more.data());
  EXPECT_EQ(model.external[1].offset, 8192u);
  EXPECT_LT(model.proto.size(), 2000u);
  const Exported read = test::readExported(model.proto);
  ASSERT_EQ(read.initializers.size(), 3u);
  EXPECT_EQ(read.initializers[0].location, 1);
  EXPECT_EQ(read.initializers[2].entries,
            (std::map<std::string, std::string>{{"location", "file.data"}, {"offset", "8192"}, {"length", "1024"}}));
  EXPECT_EQ(read.initializers[1].location, 0);
  EXPECT_EQ(read.initializers[1].raw.size(), 1020u);
}

TEST(OnnxExport, CastsAroundOperatorsThatLackAType) {
  Fixture f;
  const Operand a = f.input(DataType::int8, {2}), b = f.input(DataType::int8, {2});
  const Graph graph = f.builder.build({{"y", f.builder.add(a, b, {"sum"})}});
  const onnx::ExportedModel model = onnx::exportModel(definitionOf(graph), {.target = kFewTypesTarget});
  EXPECT_EQ(model.notes, Strings{"add \"sum\": int8 is computed as int32."});
  const Exported read = test::readExported(model.proto);
  EXPECT_EQ(read.opTypes(), (Strings{"Cast", "Cast", "Add", "Cast"}));
  EXPECT_EQ(read.nodes[3].outputs, Strings{"y"});
  EXPECT_EQ(read.nodes[3].name, "sum");
  EXPECT_EQ(read.outputs[0].type, 3);
}

TEST(OnnxExport, LeavesOtherInputsAloneWhenItCasts) {
  Fixture f;
  const Operand condition = f.input(DataType::uint8, {2});
  const Operand a = f.input(DataType::float16, {2}), b = f.input(DataType::float16, {2});
  const Exported model = exported(f, {{"y", f.builder.where(condition, a, b)}}, {.target = kFewTypesTarget});
  EXPECT_EQ(model.opTypes(), (Strings{"Cast", "Cast", "Cast", "Where", "Cast"}));
  EXPECT_EQ(model.nodes[0].inputs[0], "input0");
  EXPECT_EQ(model.nodes[3].inputs[0], model.nodes[0].outputs[0]);
}

// Subtracting half of the range turns the unsigned order into the signed order.
TEST(OnnxExport, MovesUint64IntoTheRangeOfInt64ToCompare) {
  Fixture f;
  const Operand a = f.input(DataType::uint64, {2}), b = f.input(DataType::uint64, {2});
  const Exported model = exported(f, {{"y", f.builder.greater(a, b)}}, {.target = kFewTypesTarget});
  EXPECT_EQ(model.opTypes(), (Strings{"Cast", "Add", "Cast", "Add", "Greater", "Cast"}));
  ASSERT_EQ(model.initializers.size(), 1u);
  EXPECT_EQ(model.initializers[0].raw, test::raw<std::int64_t>({INT64_MIN}));
}

TEST(OnnxExport, ComposesInt64OperationsThatATargetLacks) {
  Fixture f;
  const Operand a = f.input(DataType::int64, {2}), b = f.input(DataType::int64, {2}), five = f.input(DataType::int64, {5});
  const Operand greatest = f.builder.max(a, b), sum = f.builder.reduceSum(five);
  const Exported model = exported(f, {{"y", greatest}, {"z", sum}}, {.target = kFewTypesTarget});
  const Strings used = model.opTypes();
  EXPECT_EQ(Strings(used.begin(), used.begin() + 2), (Strings{"Less", "Where"}));
  EXPECT_EQ(std::ranges::count(used, "ReduceSum"), 0);
  EXPECT_EQ(std::ranges::count(used, "Add"), 3);  // adding in pairs, 5 elements become 3, 2 and 1
}

TEST(OnnxExport, SumsIntegersNeverAsFloats) {
  static constexpr onnx::TypeRule kFloatsOnly[] = {{"Add", {ElementType::float32, ElementType::float64}}};
  static constexpr onnx::Target kTarget{"floats", kFloatsOnly};
  Fixture f;
  const Graph graph = f.builder.build({{"y", f.builder.add(f.input(DataType::int8, {2}), f.input(DataType::int8, {2}))}});
  test::expectError(ErrorKind::notSupportedError, {"Add", "int8", "floats"},
                    [&] { onnx::exportModel(definitionOf(graph), {.target = kTarget}); });
}

TEST(OnnxExport, NotesEachOperationThatIsComputedInAnotherType) {
  Fixture f;
  const Operand x = f.input(DataType::int8, {2});
  const Operand y = f.builder.add(x, x), z = f.builder.add(y, x), labelled = f.builder.add(z, x, {"l"});
  const Graph graph = f.builder.build({{"y", labelled}});
  EXPECT_EQ(onnx::exportModel(definitionOf(graph), {.target = kFewTypesTarget}).notes,
            (Strings{"add: int8 is computed as int32.", "add \"l\": int8 is computed as int32."}));
  EXPECT_EQ(onnx::exportModel(definitionOf(graph)).notes, Strings{});
}

// Returns the outputs of a case in the first of its types.
std::vector<NamedOperand> outputsOf(const test::ExportCase& item, Fixture& fixture) {
  std::size_t type = 0;
  while (!item.types.contains(static_cast<DataType>(type))) ++type;
  std::vector<NamedOperand> outputs;
  for (const Operand& output : item.make(fixture, static_cast<DataType>(type))) {
    outputs.emplace_back("output" + std::to_string(outputs.size()), output);
  }
  return outputs;
}

TEST(OnnxExport, HasRulesForEveryOperatorThatTheCasesUse) {
  std::set<std::string> operators;
  for (const test::ExportCase& item : test::exportCases()) {
    Fixture f;
    const Strings used = exported(f, outputsOf(item, f)).opTypes();
    operators.insert(used.begin(), used.end());
  }
  // These operators support all types that occur.
  for (const char* opType : {"Cast", "Constant", "DequantizeLinear", "QuantizeLinear", "Range"}) operators.erase(opType);
  EXPECT_GT(operators.size(), 50u);
  for (const std::string& opType : operators) EXPECT_NE(onnx::standardTarget().find(opType), nullptr) << opType;
}

TEST(OnnxExport, GivesTheSameBytesForEqualGraphs) {
  const auto bytes = [](const test::ExportCase& item) {
    Fixture f;
    return onnx::exportModel(definitionOf(f.builder.build(outputsOf(item, f)))).proto;
  };
  for (const test::ExportCase& item : test::exportCases()) EXPECT_EQ(bytes(item), bytes(item)) << item.name;
}

// 4-bit types need a newer operator set than other types. In the newer set, int8 quantization is emulated with other operators.
TEST(OnnxExport, IsOfTheOperatorSetThatTheTypesNeed) {
  for (const DataType type : {DataType::int8, DataType::uint8}) {
    for (const bool hasFourBits : {false, true}) {
      Fixture f;
      const Operand scale = f.constant({1, 1}, {0.5}), zeroPoint = f.constant(type, {1, 1}, {1});
      const Operand y = f.builder.quantizeLinear(f.input({2, 3}), scale, zeroPoint);
      std::vector<NamedOperand> outputs{{"y", f.builder.transpose(y)}};
      if (hasFourBits) outputs.emplace_back("z", f.builder.identity(f.input(DataType::uint4, {3})));
      const Exported model = exported(f, outputs);
      EXPECT_EQ(model.operatorSet, hasFourBits ? 21 : 20);
      EXPECT_EQ(std::ranges::count(model.opTypes(), "QuantizeLinear"), hasFourBits && type == DataType::int8 ? 0 : 1);
    }
  }
}

class SavedOnnx : public testing::Test {
 protected:
  // Builds y = (x + c) * d, where c has 600 floats and d is a scalar.
  Graph graph() {
    const Operand x = f_.builder.input("x", {DataType::float32, {600}}), c = f_.constant({600}, {2.5}), d = f_.constant({}, {1});
    return f_.builder.build({{"y", f_.builder.mul(f_.builder.add(x, c), d)}});
  }
  std::string expectedBytes() const { return test::raw(std::vector<float>(600, 2.5f)); }
  test::TemporaryFolder folder_;

 private:
  Fixture f_;
};

TEST_F(SavedOnnx, HasOperatorsForWhichOnnxRuntimeHasKernels) {
  Fixture f;
  const Operand x = f.input(DataType::uint8, {2, 2}), y = f.input(DataType::uint64, {2});
  const Operand triangle = f.builder.triangular(x), saturated = f.builder.max(y, y);
  save(f.builder.build({{"triangle", triangle}, {"max", saturated}}), folder_ / "model.onnx", {.graph = GraphFormat::onnx});
  const Strings used = test::readExported(test::readText(folder_ / "model.onnx")).opTypes();
  EXPECT_EQ(used, (Strings{"Cast", "Trilu", "Cast", "Max"}));
}

TEST_F(SavedOnnx, HasItsLargeConstantsBesideIt) {
  save(graph(), folder_ / "model.onnx", {.graph = GraphFormat::onnx});
  const Exported model = test::readExported(test::readText(folder_ / "model.onnx"));
  ASSERT_EQ(model.initializers.size(), 2u);
  EXPECT_EQ(model.initializers[0].entries.at("location"), "model.onnx.data");
  EXPECT_TRUE(test::readText(folder_ / "model.onnx.data") == expectedBytes());
}

TEST_F(SavedOnnx, StreamsConstantsToTheirOffsets) {
  Fixture f;
  const Operand a = f.constant({600}, {1.5}), b = f.constant({600}, {2.5});
  save(f.builder.build({{"y", f.builder.add(a, b)}}), folder_ / "model.onnx", {.graph = GraphFormat::onnx});
  const std::string data = test::readText(folder_ / "model.onnx.data");
  ASSERT_EQ(data.size(), 4096u + 2400);
  EXPECT_TRUE(data.substr(0, 2400) == test::raw(std::vector<float>(600, 1.5f)));
  EXPECT_TRUE(data.substr(2400, 4096 - 2400) == std::string(4096 - 2400, '\0'));
  EXPECT_TRUE(data.substr(4096) == expectedBytes());
}

TEST_F(SavedOnnx, HasThemInsideIfAsked) {
  save(graph(), folder_ / "model.onnx", {.graph = GraphFormat::onnx, .weights = WeightsFormat::inlineBytes});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "model.onnx.data"));
  const Exported model = test::readExported(test::readText(folder_ / "model.onnx"));
  ASSERT_EQ(model.initializers.size(), 2u);
  EXPECT_EQ(model.initializers[0].location, 0);
  EXPECT_TRUE(model.initializers[0].raw == expectedBytes());
}

TEST_F(SavedOnnx, LeavesTheOldModelIfItsWeightsCannotBeWritten) {
  test::writeText(folder_ / "model.onnx", "old");
  std::filesystem::create_directory(folder_ / "model.onnx.data");
  test::expectError(ErrorKind::operationError, {"model.onnx.data"},
                    [&] { save(graph(), folder_ / "model.onnx", {.graph = GraphFormat::onnx}); });
  EXPECT_EQ(test::readText(folder_ / "model.onnx"), "old");
}

TEST_F(SavedOnnx, RefusesToPutMoreInsideThanAProtobufHolds) {
  // Reserves address space without access rights.
  const std::size_t size = std::size_t{1} << 31;
  void* const pages = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  OperandRecord record;
  record.kind = OperandKind::constant;
  record.descriptor = {DataType::float32, {std::uint32_t{1} << 29}};
  record.bytes = {static_cast<const std::byte*>(pages), size};
  GraphDefinition graph;
  graph.constants.emplace_back(std::make_shared<const OperandRecord>(record));
  graph.indexLimit = 1;
  test::expectError(ErrorKind::operationError, {"2147483647", "2147483648", "beside"},
                    [&] { formats::saveOnnx(graph, folder_ / "model.onnx", WeightsFormat::inlineBytes); });
  EXPECT_FALSE(std::filesystem::exists(folder_ / "model.onnx"));
  ::munmap(pages, size);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
