// Tests framework.mm with the fake classes of apple/fake.mm in place of Core ML: its requests, its results, and its reference
// counting, which the fake classes track.
#include <filesystem>

#include "backends/coreml/coreml_backend.h"
#include "backends/coreml/framework.h"
#include "context/graph_state.h"
#include "coreml/apple/fake.h"
#include "coreml/reference_model.h"
#include "support/support.h"

// GNU's Objective-C runtime never frees its tables of classes.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:objc_malloc\nleak:objc_calloc";
}  // NOLINT: LeakSanitizer's name

namespace webnn {
namespace WEBNN_TEST_FILE {

namespace fs = std::filesystem;
using fake::apple;

// Makes a graph with two outputs of two types, and a model that computes the graph.
struct AppleCoreMl : testing::Test {
  AppleCoreMl() {
    apple() = {};
    GraphBuilder& b = fixture.builder;
    const Operand x = b.input("x/1", {DataType::float32, {2, 3}}), n = b.input("n", {DataType::uint8, {4}});
    graph = b.build({{"y", b.transpose(x)}, {"m", b.add(n, n)}});
    definition = graph.state()->definition;
    const auto model = std::make_shared<test::ReferenceModel>(definition);
    apple().predict = [model](auto inputs, auto outputs) { model->predict(inputs, outputs); };
  }
  ~AppleCoreMl() override { apple() = {}; }

  std::unique_ptr<Executable> compile(const ContextOptions& options = {}) {
    return makeBackendIn(coreml::appleFramework(), options)->compile(definition);
  }
  void run(const Executable& executable) {
    const std::vector<float> x{1, 2, 3, 4, 5, 6};
    const std::vector<std::uint8_t> n{1, 2, 100, 200};
    const std::span<const std::byte> in[] = {std::as_bytes(std::span(x)), std::as_bytes(std::span(n))};
    const std::span<std::byte> out[] = {std::as_writable_bytes(std::span(y)), std::as_writable_bytes(std::span(m))};
    executable.run(in, out);
  }
  void expectResults() {
    EXPECT_EQ(y, (std::vector<float>{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(m, (std::vector<std::uint8_t>{2, 4, 200, 144}));
  }

  test::Fixture fixture;
  Graph graph;
  std::shared_ptr<const GraphDefinition> definition;
  std::vector<float> y = std::vector<float>(6);
  std::vector<std::uint8_t> m = std::vector<std::uint8_t>(4);
  // the number of objects that are never released: the object of class NSProcessInfo
  const std::size_t processInfo = (coreml::appleFramework().osVersion(), 1);
};

TEST_F(AppleCoreMl, RunsAGraphAndGivesBackAllThatItTook) {
  {
    const auto executable = compile();
    EXPECT_EQ(apple().units, 2);
    EXPECT_FALSE(fs::exists(apple().package));
    EXPECT_TRUE(fs::exists(apple().compiled));
    for (int i = 0; i < 3; ++i) {
      y.assign(6, 0);
      run(*executable);
      expectResults();
    }
    EXPECT_EQ(fake::liveObjects(), processInfo + 1);  // plus the model
  }
  EXPECT_FALSE(fs::exists(apple().compiled));
  EXPECT_EQ(fake::liveObjects(), processInfo);
}

TEST_F(AppleCoreMl, CopiesOutputsThatAreNotWhereTheyShouldBe) {
  apple().ignoresBackings = true;
  const auto executable = compile();
  run(*executable);
  expectResults();
}

TEST_F(AppleCoreMl, NamesTheOutputThatIsNoArray) {
  const auto executable = compile();
  apple().forgetsOutputs = true;
  test::expectError(ErrorKind::operationError, {"dispatch: Core ML", "output \"y\": it is no array"}, [&] { run(*executable); });
  EXPECT_EQ(fake::liveObjects(), processInfo + 1);
}

TEST_F(AppleCoreMl, ChoosesComputeUnits) {
  compile({.accelerated = false});
  EXPECT_EQ(apple().units, 0);
  compile({.backendOptions = {{"units", "cpuAndGPU"}}});
  EXPECT_EQ(apple().units, 1);
  compile({.powerPreference = PowerPreference::lowPower});
  EXPECT_EQ(apple().units, 3);
  apple().hasNeuralEngine = false;
  test::expectError(ErrorKind::notSupportedError, {"needs a Neural Engine"}, [&] {
    compile({.backendOptions = {{"units", "cpuAndNeuralEngine"}}});
  });
  apple().hasGpu = false;
  EXPECT_FALSE(makeBackendIn(coreml::appleFramework(), {})->accelerated());
}

TEST_F(AppleCoreMl, TellsTheVersionOfTheSystem) {
  apple().major = 13;
  apple().minor = 6;
  EXPECT_EQ(coreml::appleFramework().osVersion(), (coreml::OsVersion{13, 6}));
}

TEST_F(AppleCoreMl, PassesOnErrorsOfCoreMl) {
  for (const bool raises : {false, true}) {
    apple().raises = raises;
    apple().compileError = {"com.apple.CoreML", "no such op", 0};
    test::expectError(ErrorKind::notSupportedError, {"build: Core ML refuses the graph: no such op (com.apple.CoreML 0)"},
                      [&] { compile(); });
    EXPECT_FALSE(fs::exists(apple().package));
    apple().compileError = {};
    apple().loadError = {"NSCocoaErrorDomain", "no space", 640};
    test::expectError(ErrorKind::operationError, {"no space (NSCocoaErrorDomain"}, [&] { compile(); });
    EXPECT_FALSE(fs::exists(apple().compiled));
    apple().loadError = {};
    EXPECT_EQ(fake::liveObjects(), processInfo);
    const auto executable = compile();
    apple().predictError = {"com.apple.CoreML", "no memory", 0};
    test::expectError(ErrorKind::operationError, {"dispatch: Core ML: no memory (com.apple.CoreML 0)"},
                      [&] { run(*executable); });
    apple().predictError = {};
    run(*executable);
    expectResults();
  }
  EXPECT_EQ(fake::liveObjects(), processInfo);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
