// Tests the backend "coreml" with a fake framework: its choice of units, refused graphs, errors, runs, and the conversion between
// tensors and arrays.
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <stop_token>
#include <thread>

#include "backends/coreml/coreml_backend.h"
#include "backends/coreml/failure.h"
#include "backends/coreml/settings.h"
#include "backends/reference/reference_backend.h"
#include "context/graph_state.h"
#include "coreml/fake_framework.h"
#include "onnx/export/export_cases.h"
#include "support/support.h"
#include "webnn/formats.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

namespace fs = std::filesystem;
using coreml::Array;
using coreml::ArrayType;
using coreml::ComputeUnits;
using test::Fixture;
using enum coreml::ComputeUnits;

using test::FakeFramework;

std::unique_ptr<Executable> compile(FakeFramework& framework, const Graph& graph, const ContextOptions& options = {},
                                    const Budget& budget = Budget::none()) {
  framework.graph = graph.state()->definition;
  return makeBackendIn(framework, options)->compile(framework.graph, budget);
}

template <typename T>
std::vector<std::byte> bytesOf(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> run(const Executable& executable, const std::vector<std::byte>& input, std::size_t outputSize,
                           const Budget& budget = Budget::none()) {
  std::vector<std::byte> output(outputSize);
  const std::span<const std::byte> in = input;
  const std::span<std::byte> out = output;
  executable.run({&in, 1}, {&out, 1}, budget);
  return output;
}

// Builds y = reshape(x) with a data type. The shape does not change.
Graph makeGraph(Fixture& fixture, DataType type, Shape shape) {
  return fixture.builder.build(
      {{"y:1", fixture.builder.reshape(fixture.builder.input("x/1", {type, shape}), shape, {.label = "same"})}});
}

TEST(CoreMlUnits, FollowTheHints) {
  using enum PowerPreference;
  const coreml::Devices both{true, true}, gpu{true, false}, engine{false, true}, none{};
  const struct {
    PowerPreference preference;
    bool accelerated;
    coreml::Devices devices;
    ComputeUnits expected;
  } rows[] = {{standard, true, both, all},
              {standard, false, both, cpu},
              {standard, true, none, cpu},
              {lowPower, true, both, cpuAndNeuralEngine},
              {lowPower, true, gpu, cpuAndGpu},
              {lowPower, false, both, cpu},
              {lowPower, true, none, cpu},
              {highPerformance, true, both, cpuAndGpu},
              {highPerformance, true, engine, cpuAndNeuralEngine},
              {highPerformance, true, none, cpu}};
  for (const auto& row : rows) {
    const ContextOptions options{.powerPreference = row.preference, .accelerated = row.accelerated};
    EXPECT_EQ(coreml::unitsOf(options, row.devices), row.expected) << &row - rows;
  }
}

TEST(CoreMlUnits, ByNameAreTakenOrRefused) {
  const auto units = [](const char* name, const coreml::Devices& devices) {
    return coreml::unitsOf({.accelerated = false, .backendOptions = {{"units", name}}}, devices);
  };
  const coreml::Devices both{true, true}, none{};
  EXPECT_EQ(units("all", both), all);
  EXPECT_EQ(units("cpu", none), cpu);
  EXPECT_EQ(units("cpuAndGPU", both), cpuAndGpu);
  EXPECT_EQ(units("cpuAndNeuralEngine", both), cpuAndNeuralEngine);
  test::expectTypeError({"units is \"gpu\", not all, cpu, cpuAndGPU or cpuAndNeuralEngine"}, [&] { units("gpu", both); });
  test::expectError(ErrorKind::notSupportedError, {"units=cpuAndGPU needs a GPU"}, [&] { units("cpuAndGPU", none); });
  test::expectError(ErrorKind::notSupportedError, {"units=cpuAndNeuralEngine needs a Neural Engine"}, [&] {
    units("cpuAndNeuralEngine", {true, false});
  });
}

TEST(CoreMlUnits, AreThoseThatTheBackendTellsAndTheModelGets) {
  FakeFramework framework;
  Fixture fixture;
  const Graph graph = makeGraph(fixture, DataType::float32, {2});
  EXPECT_TRUE(makeBackendIn(framework, {})->accelerated());
  EXPECT_FALSE(makeBackendIn(framework, {.accelerated = false})->accelerated());
  EXPECT_FALSE(makeBackendIn(framework, {.backendOptions = {{"units", "cpu"}}})->accelerated());
  compile(framework, graph, {.powerPreference = PowerPreference::lowPower});
  EXPECT_EQ(framework.units, cpuAndNeuralEngine);
  framework.all = {};
  EXPECT_FALSE(makeBackendIn(framework, {.backendOptions = {{"units", "all"}}})->accelerated());
}

TEST(CoreMlBackend, PlacesOperationsOnItsUnits) {
  FakeFramework framework;
  Fixture fixture;
  GraphBuilder& b = fixture.builder;
  const Operand x = b.input("x", {DataType::float32, {2}});
  const Graph graph = b.build({{"y", b.relu(b.add(x, x))}});
  const auto executable = compile(framework, graph, {.backendOptions = {{"units", "cpuAndGPU"}}});
  const std::vector<OperationPlacement> placement = executable->placement();
  ASSERT_EQ(placement.size(), 2u);
  EXPECT_EQ(placement[0].kernels, std::vector<std::string>{"add"});
  for (const OperationPlacement& operation : placement) EXPECT_EQ(operation.device, "coreml cpuAndGPU");
}

TEST(CoreMlBackend, RefusesOptionsItDoesNotKnow) {
  const FakeFramework framework;
  test::expectTypeError({"has no option \"cache\"", "units"}, [&] {
    makeBackendIn(framework, {.backendOptions = {{"cache", "/tmp"}}});
  });
}

#ifndef __APPLE__
TEST(CoreMlBackend, IsKnownAndRefusedElsewhere) {
  test::expectError(ErrorKind::notSupportedError, {"backend \"coreml\" is not available", "macOS"},
                    [] { Context::create({.backend = "coreml"}); });
  test::expectError(ErrorKind::notSupportedError, {"backend \"coreml\" is not available", "macOS"},
                    [] { coreml::makeBackend({}); });
}
#endif

TEST(CoreMlVersions, AreThoseOfMacOs) {
  const std::pair<coreml::OsVersion, int> rows[] = {{{12, 7}, 0}, {{13, 0}, 7}, {{13, 6}, 7}, {{14, 0}, 8},
                                                    {{14, 7}, 8}, {{15, 0}, 9}, {{26, 1}, 9}};
  for (const auto& [version, newest] : rows) EXPECT_EQ(coreml::newestSpecification(version), newest) << version.major;
  EXPECT_NO_THROW(coreml::requireSpecification(8, {14, 0}));
  test::expectError(ErrorKind::notSupportedError, {"specification 9", "macOS 15", "this is macOS 14.7"}, [] {
    coreml::requireSpecification(9, {14, 7});
  });
  test::expectError(ErrorKind::notSupportedError, {"specification 10"}, [] { coreml::requireSpecification(10, {26, 0}); });
  FakeFramework old;
  EXPECT_EQ(coreml::whyUnavailable(old), "");
  old.version = {12, 6};
  EXPECT_NE(coreml::whyUnavailable(old).find("from macOS 13 on; this is macOS 12.6"), std::string::npos);
}

TEST(CoreMlVersions, OfAGraphAreCheckedBeforeAnythingIsWritten) {
  FakeFramework framework;
  framework.version = {14, 0};
  Fixture fixture;
  const Operand weights = fixture.constant(DataType::int8, {4, 4}, {3}), scale = fixture.constant({2, 1}, {0.5, 2}),
                zeroPoint = fixture.constant(DataType::int8, {2, 1}, {1});
  const Graph graph = fixture.builder.build({{"y", fixture.builder.dequantizeLinear(weights, scale, zeroPoint)}});
  test::expectError(ErrorKind::notSupportedError, {"specification 9", "macOS 14.0"}, [&] { compile(framework, graph); });
  EXPECT_EQ(framework.loads, 0);
  framework.version = {15, 0};
  EXPECT_NO_THROW(compile(framework, graph));
}

bool takes(const OpSupportLimits& limits, const char* operation, const char* operand, DataType type) {
  const auto& types = limits.operations.at(operation).at(operand).dataTypes;
  return std::find(types.begin(), types.end(), type) != types.end();
}

TEST(CoreMlLimits, ExcludeTypesThatInt32CannotHold) {
  const OpSupportLimits limits = coreml::limitsOf({15, 0});
  for (const DataType type : {DataType::uint32, DataType::int64, DataType::uint64}) {
    for (const char* operation : {"add", "mul", "div", "sub", "pow"})
      EXPECT_FALSE(takes(limits, operation, "a", type)) << operation;
    EXPECT_FALSE(takes(limits, "reduceSum", "input", type));
    EXPECT_FALSE(takes(limits, "cast", "output", type));
    EXPECT_FALSE(takes(limits, "pad", "input", type));  // the padding value may exceed int32
    EXPECT_TRUE(takes(limits, "cast", "input", type));
    EXPECT_TRUE(takes(limits, "equal", "a", type));
    EXPECT_TRUE(takes(limits, "concat", "inputs", type));
    EXPECT_TRUE(takes(limits, "max", "a", type));
  }
  EXPECT_TRUE(takes(limits, "gather", "indices", DataType::int64));
  EXPECT_TRUE(takes(limits, "add", "a", DataType::int32));
  EXPECT_TRUE(takes(limits, "dequantizeLinear", "input", DataType::int4));
  EXPECT_FALSE(takes(coreml::limitsOf({14, 0}), "dequantizeLinear", "input", DataType::int4));
}

TEST(CoreMlBackend, ListsAllThatItDoesNotSupportBeforeAnythingIsWritten) {
  FakeFramework framework;
  Fixture fixture;
  GraphBuilder& b = fixture.builder;
  const Operand wide = b.input("wide", {DataType::int64, {2}});
  const Graph graph = b.build({{"a", b.mul(b.add(wide, wide, {.label = "twice"}), wide)}});
  test::expectError(ErrorKind::notSupportedError,
                    {"backend \"coreml\" does not support", "add \"twice\" with a of type int64", "mul with a of type int64"},
                    [&] { compile(framework, graph); });
  Fixture other;
  const Operand x = other.input(DataType::int64, {2}), large = other.constant(DataType::int64, {1}, {std::int64_t{1} << 40});
  const Graph constants =
      other.builder.build({{"a", other.builder.equal(x, large, {.label = "first"})}, {"b", other.builder.greater(x, large)}});
  test::expectError(ErrorKind::notSupportedError, {"2 of the 2", "equal \"first\"", "greater"},
                    [&] { compile(framework, constants); });
  EXPECT_EQ(framework.loads, 0);
}

TEST(CoreMlBackend, RemovesItsPackageWhateverHappens) {
  FakeFramework framework;
  Fixture fixture;
  const Graph graph = makeGraph(fixture, DataType::float32, {2});
  compile(framework, graph);
  EXPECT_FALSE(fs::exists(framework.package.parent_path()));
  framework.whileLoading = [] { coreml::failBuild({"com.apple.CoreML", 0, "Unable to parse ML Program."}); };
  test::expectError(ErrorKind::notSupportedError,
                    {"build: Core ML refuses the graph: Unable to parse ML Program (com.apple.CoreML 0)."},
                    [&] { compile(framework, graph); });
  EXPECT_FALSE(fs::exists(framework.package.parent_path()));
  std::stop_source stop;
  framework.whileLoading = [&] { stop.request_stop(); };
  Budget budget;
  budget.limitCall("build", {.stop = stop.get_token()});
  test::expectError(ErrorKind::abortError, {"build"}, [&] { compile(framework, graph, {}, budget); });
  EXPECT_FALSE(fs::exists(framework.package.parent_path()));
  const int loads = framework.loads;
  test::expectError(ErrorKind::abortError, {"build"}, [&] { compile(framework, graph, {}, budget); });
  EXPECT_EQ(framework.loads, loads);
}

TEST(CoreMlBackend, SaysThatThereIsNoPlaceForItsPackage) {
  FakeFramework framework;
  Fixture fixture;
  const Graph graph = makeGraph(fixture, DataType::float32, {2});
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before ? before : "";
  ::setenv("TMPDIR", "/nowhere", 1);
  test::expectError(ErrorKind::operationError, {"build: there can be no temporary folder"}, [&] { compile(framework, graph); });
  before ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
  EXPECT_EQ(framework.loads, 0);
}

TEST(CoreMlFailures, AreErrorsInItsWords) {
  const auto buildKind = [](std::string domain, std::int64_t code) {
    try {
      coreml::failBuild({std::move(domain), code, "words"});
    } catch (const Error& error) {
      return error.kind();
    }
  };
  EXPECT_EQ(buildKind("com.apple.CoreML", 0), ErrorKind::notSupportedError);
  EXPECT_EQ(buildKind("com.apple.CoreML", 3), ErrorKind::operationError);      // MLModelErrorIO
  EXPECT_EQ(buildKind("NSCocoaErrorDomain", 640), ErrorKind::operationError);  // NSFileWriteOutOfSpaceError
  EXPECT_EQ(buildKind("NSCocoaErrorDomain", 3840), ErrorKind::notSupportedError);
  EXPECT_EQ(buildKind("NSPOSIXErrorDomain", 28), ErrorKind::operationError);
  EXPECT_EQ(buildKind("NSInvalidArgumentException", 0), ErrorKind::notSupportedError);
  test::expectError(ErrorKind::operationError, {"dispatch: Core ML: it gives no reason (com.apple.CoreML 0)."}, [] {
    coreml::failRun({"com.apple.CoreML", 0, ""});
  });
  test::expectError(ErrorKind::operationError, {"\\u{001B}"}, [] { coreml::failRun({"d", 1, "\x1b[0m"}); });
}

TEST(CoreMlRuns, ShareMemoryOfTypesThatCoreMlHas) {
  for (const DataType type : {DataType::float32, DataType::float16, DataType::int32}) {
    FakeFramework framework;
    Fixture fixture;
    const auto executable = compile(framework, makeGraph(fixture, type, {2, 3}));
    const std::vector<std::byte> bytes = test::pack({type, {2, 3}}, {1, 2, 3, 4, 5, 6});
    const std::span<const std::byte> in = bytes;
    std::vector<std::byte> result(bytes.size());
    const std::span<std::byte> out = result;
    executable->run({&in, 1}, {&out, 1});
    EXPECT_EQ(result, bytes);
    EXPECT_EQ(framework.memory, (std::vector<const std::byte*>{bytes.data(), result.data()}));
  }
}

TEST(CoreMlRuns, TakeTensorsAtAnyAlignment) {
  FakeFramework framework;
  Fixture fixture;
  const auto executable = compile(framework, makeGraph(fixture, DataType::float32, {3}));
  const std::vector<std::byte> bytes = bytesOf<float>({1, -2, 3});
  std::vector<std::byte> from(13), to(13, std::byte{7});
  std::memcpy(from.data() + 1, bytes.data(), 12);
  const std::span<const std::byte> in = std::span(from).subspan(1);
  const std::span<std::byte> out = std::span(to).first(12).subspan(0, 12);
  const std::span<std::byte> odd = std::span(to).subspan(1);
  executable->run({&in, 1}, {&odd, 1});
  EXPECT_EQ(std::memcmp(to.data() + 1, bytes.data(), 12), 0);
  EXPECT_EQ(to[0], std::byte{7});
  executable->run({&in, 1}, {&out, 1});
  EXPECT_EQ(std::memcmp(to.data(), bytes.data(), 12), 0);
  for (const std::byte* data : framework.memory) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 4, 0u);
}

TEST(CoreMlRuns, ConvertIntegersWithTheirEnds) {
  const std::int64_t least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
  const std::pair<DataType, std::vector<Number>> rows[] = {
      {DataType::int8, {-128, -1, 0, 127, 5}}, {DataType::uint8, {0, 1, 127, 128, 255}},
      {DataType::int4, {-8, -1, 0, 7, 3}},     {DataType::uint4, {0, 1, 8, 15, 9}},
      {DataType::uint32, {0, 1, most, 7, 8}},  {DataType::int64, {least, -1, 0, most, 5}},
      {DataType::uint64, {0, 1, most, 3, 4}}};
  for (const auto& [type, values] : rows) {
    FakeFramework framework;
    Fixture fixture;
    const auto executable = compile(framework, makeGraph(fixture, type, {5}));
    const std::vector<std::byte> bytes = test::pack({type, {5}}, values);
    EXPECT_EQ(run(*executable, bytes, bytes.size()), bytes) << name(type);
  }
}

TEST(CoreMlRuns, RefuseIntegersBeyondInt32) {
  const std::tuple<DataType, Number, const char*> rows[] = {{DataType::int64, (std::int64_t{1} << 31), "2147483648"},
                                                            {DataType::int64, -(std::int64_t{1} << 31) - 1, "-2147483649"},
                                                            {DataType::uint32, 0x80000000u, "2147483648"},
                                                            {DataType::uint64, ~std::uint64_t{0}, "18446744073709551615"}};
  for (const auto& [type, value, text] : rows) {
    FakeFramework framework;
    Fixture fixture;
    const auto executable = compile(framework, makeGraph(fixture, type, {3}));
    const std::vector<std::byte> bytes = test::pack({type, {3}}, {1, value, 2});
    test::expectError(ErrorKind::operationError, {"input \"x/1\" holds", text, name(type).data()},
                      [&] { run(*executable, bytes, bytes.size()); });
    EXPECT_EQ(framework.predictions, 0);
  }
}

TEST(CoreMlRuns, RefuseResultsThatTheTypeDoesNotHold) {
  const std::tuple<DataType, std::int32_t> rows[] = {{DataType::int8, 128}, {DataType::int8, -129}, {DataType::uint8, 256},
                                                     {DataType::uint8, -1}, {DataType::int4, 8},    {DataType::int4, -9},
                                                     {DataType::uint4, 16}, {DataType::uint4, -1}};
  for (const auto& [type, value] : rows) {
    const std::int32_t from[] = {value};
    std::byte to[1];
    test::expectError(ErrorKind::operationError, {"Core ML computed " + std::to_string(value), "output \"y\""},
                      [&, type = type] { coreml::fromInt32(type, from, to, "y"); });
  }
}

TEST(CoreMlRuns, GoOneAtATime) {
  FakeFramework framework;
  Fixture fixture;
  const auto executable = compile(framework, makeGraph(fixture, DataType::float32, {2}));
  const std::vector<std::byte> bytes = bytesOf<float>({1, 2});
  std::vector<std::thread> threads;
  std::vector<std::vector<std::byte>> results(4);
  for (auto& result : results) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) result = run(*executable, bytes, bytes.size());
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : results) EXPECT_EQ(result, bytes);
  EXPECT_EQ(framework.predictions, 200);
}

TEST(CoreMlRuns, EndBeforeAndAfterAPrediction) {
  FakeFramework framework;
  Fixture fixture;
  const auto executable = compile(framework, makeGraph(fixture, DataType::float32, {2}));
  const std::vector<std::byte> bytes = bytesOf<float>({1, 2});
  std::stop_source stop;
  Budget budget;
  budget.limitCall("dispatch", {.stop = stop.get_token()});
  framework.whilePredicting = [&] { stop.request_stop(); };
  test::expectError(ErrorKind::abortError, {"dispatch"}, [&] { run(*executable, bytes, bytes.size(), budget); });
  EXPECT_EQ(framework.predictions, 1);
  test::expectError(ErrorKind::abortError, {"dispatch"}, [&] { run(*executable, bytes, bytes.size(), budget); });
  EXPECT_EQ(framework.predictions, 1);
}

TEST(CoreMlArrays, HaveRanksFromOneToFive) {
  const auto shapeOf = [](Shape shape) { return coreml::arrayOf("x", {DataType::float16, std::move(shape)}).shape; };
  using Shape64 = std::vector<std::int64_t>;
  EXPECT_EQ(shapeOf({}), (Shape64{1}));
  EXPECT_EQ(shapeOf({7}), (Shape64{7}));
  EXPECT_EQ(shapeOf({1, 2, 3, 4, 5}), (Shape64{1, 2, 3, 4, 5}));
  EXPECT_EQ(shapeOf({1, 2, 3, 4, 5, 6}), (Shape64{720}));
  const Array array = coreml::arrayOf("x", {DataType::float16, {2, 3, 4}});
  EXPECT_EQ(array.strides, (Shape64{12, 4, 1}));
  EXPECT_EQ(array.count(), 24u);
  EXPECT_EQ(static_cast<int>(array.type), 65552);  // the value in Apple's MLMultiArrayDataType
  EXPECT_EQ(static_cast<int>(coreml::arrayOf("x", {DataType::float32, {}}).type), 65568);
  EXPECT_EQ(static_cast<int>(coreml::arrayOf("x", {DataType::uint8, {}}).type), 131104);
  EXPECT_EQ(coreml::arrayOf("x", {DataType::float32, {}}).strides, (Shape64{1}));
}

TEST(CoreMlArrays, OfCoreMlItselfAreCopiedByTheirStrides) {
  std::vector<float> source(64, -1), result(6, 0);
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 3; ++column)
      source[static_cast<std::size_t>(row * 32 + column * 2)] = static_cast<float>(row * 3 + column);
  }
  Array to = coreml::arrayOf("y", {DataType::float32, {2, 3}});
  to.data = reinterpret_cast<std::byte*>(result.data());
  const coreml::ForeignArray good{65568, {2, 3}, {32, 2}, std::as_bytes(std::span(source).first(37))};
  EXPECT_EQ(coreml::copyPacked(good, to), "");
  EXPECT_EQ(result, (std::vector<float>{0, 1, 2, 3, 4, 5}));
  const auto wrong = [&](auto change) {
    coreml::ForeignArray array = good;
    change(array);
    const std::vector<float> before = result;
    const std::string_view text = coreml::copyPacked(array, to);
    EXPECT_EQ(result, before);
    return std::string(text);
  };
  EXPECT_NE(wrong([](auto& array) { array.type = 65600; }).find("type"), std::string::npos);
  EXPECT_NE(wrong([](auto& array) { array.shape = {3, 2}; }).find("shape"), std::string::npos);
  EXPECT_NE(wrong([](auto& array) { array.strides = {32}; }).find("stride"), std::string::npos);
  for (const std::vector<std::int64_t>& strides :
       {std::vector<std::int64_t>{33, 2}, {32, 3}, {-32, 2}, {std::numeric_limits<std::int64_t>::max(), 1}}) {
    EXPECT_NE(wrong([&](auto& array) { array.strides = strides; }).find("memory"), std::string::npos) << strides[0];
  }
  EXPECT_NE(wrong([](auto& array) { array.bytes = {}; }).find("memory"), std::string::npos);
}

// Runs the graph on the fake framework and on the reference backend, and expects equal outputs. Returns the reason if the
// backend refuses the graph, otherwise an empty string.
std::string compare(const Graph& graph, test::Values values) {
  FakeFramework framework;
  std::unique_ptr<Executable> executable;
  try {
    executable = compile(framework, graph);
  } catch (const Error& error) {
    return error.what();
  }
  std::vector<std::vector<std::byte>> in, out, expected;
  for (const auto& [inputName, descriptor] : graph.inputs()) {
    std::vector<Number> numbers = test::inputValues(descriptor, values, in.size());
    if (!isFloat(descriptor.dataType)) {
      for (Number& number : numbers) number = cast(cast(number, DataType::int32), descriptor.dataType);
      if (descriptor.dataType == DataType::uint32 || descriptor.dataType == DataType::uint64) {
        for (Number& number : numbers) number = number.toDouble() > 2147483647.0 ? Number(7) : number;
      }
    }
    in.push_back(test::pack(descriptor, numbers));
  }
  for (const auto& [outputName, descriptor] : graph.outputs()) out.push_back(test::pack(descriptor, {Number(0)}));
  expected = out;
  const std::vector<std::span<const std::byte>> inputs(in.begin(), in.end());
  executable->run(inputs, std::vector<std::span<std::byte>>(out.begin(), out.end()));
  reference::ReferenceBackend()
      .compile(graph.state()->definition)
      ->run(inputs, std::vector<std::span<std::byte>>(expected.begin(), expected.end()));
  EXPECT_EQ(out, expected);
  return {};
}

// Runs the export tests' cases, except quantized ones, in each type on the fake framework, so that tensors of all types and ranks
// become Core ML's arrays and back. Only graphs whose integers may exceed int32 are refused.
TEST(CoreMlRuns, EveryOperationInEveryType) {
  int compared = 0, refused = 0;
  for (const test::ExportCase& item : test::exportCases()) {
    if (item.name.starts_with("quantized")) continue;
    for (std::size_t t = 0; t < kDataTypeCount; ++t) {
      const auto type = static_cast<DataType>(t);
      if (!item.types.contains(type)) continue;
      SCOPED_TRACE(item.name + "." + std::string(name(type)));
      Fixture fixture;
      std::vector<NamedOperand> named;
      for (const Operand& output : item.make(fixture, type)) named.emplace_back("output" + std::to_string(named.size()), output);
      const std::string reason = compare(fixture.builder.build(std::move(named)), item.values);
      ++(reason.empty() ? compared : refused);
      if (reason.empty()) continue;
      EXPECT_TRUE(reason.find("int64") != std::string::npos || reason.find("uint32") != std::string::npos) << reason;
    }
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(refused, 50);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
