// Tests the detection of cache sizes, and that results do not depend on cache sizes.
#include "backends/cpu/runtime/caches.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/cpu/compile/executable.h"
#include "backends/cpu/runtime/processors.h"
#include "context/graph_state.h"
#include "cpu/cpu_support.h"
#include "support/files.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using cpu::CacheSizes;
constexpr std::size_t kKiB = 1024;

TEST(CpuCaches, AreClampedToPlausibleSizes) {
  EXPECT_EQ(cpu::saneCaches({0, 0}), (CacheSizes{32 * kKiB, 1024 * kKiB}));
  EXPECT_EQ(cpu::saneCaches({48 * kKiB, 1280 * kKiB}), (CacheSizes{48 * kKiB, 1280 * kKiB}));
  EXPECT_EQ(cpu::saneCaches({1, 1}), (CacheSizes{16 * kKiB, 256 * kKiB}));
  EXPECT_EQ(cpu::saneCaches({kKiB << 20, kKiB << 20}), (CacheSizes{128 * kKiB, 2048 * kKiB}));
  EXPECT_EQ(cpu::saneCaches(cpu::systemCaches()), cpu::systemCaches());
}

void addCache(const TemporaryFolder& folder, const std::string& index, const char* level, const char* type, const char* size) {
  const std::filesystem::path path = folder.path() / index;
  std::filesystem::create_directories(path);
  writeText(path / "level", std::string(level) + "\n");
  writeText(path / "type", std::string(type) + "\n");
  writeText(path / "size", std::string(size) + "\n");
}

TEST(CpuCaches, AreTheSmallestOfTheProcessorsThatMayBeUsed) {
  const TemporaryFolder folder;
  addCache(folder, "cpu0/cache/index0", "1", "Data", "48K");
  addCache(folder, "cpu0/cache/index1", "1", "Instruction", "4K");
  addCache(folder, "cpu0/cache/index2", "2", "Unified", "2M");
  addCache(folder, "cpu0/cache/index3", "3", "Unified", "1K");
  addCache(folder, "cpu1/cache/index0", "1", "Instruction", "16K");
  addCache(folder, "cpu1/cache/index1", "1", "Data", "32K");
  addCache(folder, "cpu1/cache/index2", "2", "Unified", "524288");
  addCache(folder, "cpu2/cache/index0", "1", "Data", "much");
  addCache(folder, "cpu2/cache/index1", "2", "Unified", "64KiB");
  addCache(folder, "cpu3/cache/index0", "1", "Data", "1K");
  const auto found = [&](std::vector<unsigned> processors) { return cpu::cachesInFolder(folder.path(), processors, processors); };
  EXPECT_EQ(found({0}), (CacheSizes{48 * kKiB, 2048 * kKiB}));
  EXPECT_EQ(found({0, 1, 7}), (CacheSizes{32 * kKiB, 512 * kKiB}));
  EXPECT_EQ(found({2, 0}), (CacheSizes{48 * kKiB, 2048 * kKiB}));
  EXPECT_EQ(found({2}), (CacheSizes{0, 0}));
  EXPECT_EQ(found({3}), (CacheSizes{1 * kKiB, 0}));
  EXPECT_EQ(found({}), (CacheSizes{0, 0}));
}

TEST(CpuCaches, AreDividedAmongTheCoresThatShareThem) {
  const TemporaryFolder folder;
  const auto add = [&](const std::string& processor, const char* threads, const char* cluster) {
    addCache(folder, processor + "/cache/index0", "1", "Data", "64K");
    addCache(folder, processor + "/cache/index1", "2", "Unified", "4M");
    writeText(folder.path() / processor / "cache/index0/shared_cpu_list", threads);
    writeText(folder.path() / processor / "cache/index1/shared_cpu_list", cluster);
  };
  add("cpu0", "0\n", "0-3\n");      // a cluster of four cores
  add("cpu4", "4,12\n", "4,12\n");  // two hardware threads of a core
  add("cpu5", "5-6\n", "5-8\n");    // two cores of two hardware threads each
  add("cpu9", "", "what");
  const auto found = [&](unsigned processor, std::vector<unsigned> usable) {
    const CacheSizes sizes = cpu::cachesInFolder(folder.path(), {&processor, 1}, usable);
    EXPECT_EQ(sizes.level1, 64 * kKiB);
    return sizes.level2 / kKiB;
  };
  EXPECT_EQ(found(0, {0, 1, 2, 3, 4}), 1024U);
  EXPECT_EQ(found(0, {0, 2}), 2048U);
  EXPECT_EQ(found(0, {0}), 4096U);
  EXPECT_EQ(found(4, {4, 12}), 4096U);
  EXPECT_EQ(found(5, {5, 6, 7, 8}), 2048U);
  EXPECT_EQ(found(5, {5, 6, 7}), 4096U);  // three usable hardware threads, two per core, count as one core
  EXPECT_EQ(found(9, {9}), 4096U);
}

TEST(CpuProcessors, AreReadFromLists) {
  using Numbers = std::vector<unsigned>;
  EXPECT_EQ(cpu::processorsIn("0-3,8\n"), (Numbers{0, 1, 2, 3, 8}));
  EXPECT_EQ(cpu::processorsIn("7"), Numbers{7});
  EXPECT_EQ(cpu::processorsIn("2,4-5"), (Numbers{2, 4, 5}));
  for (const char* none : {"", "x", "-1", ",", "4294967297"}) EXPECT_EQ(cpu::processorsIn(none), Numbers{}) << none;
  EXPECT_EQ(cpu::processorsIn("5-3,1"), Numbers{1});
  EXPECT_EQ(cpu::processorsIn("1-,2"), Numbers{});
}

TEST(CpuProcessors, AreBoundToTheFastestFirst) {
  const TemporaryFolder folder;
  const auto add = [&](const std::string& processor, const char* capacity) {
    std::filesystem::create_directories(folder.path() / processor);
    writeText(folder.path() / processor / "cpu_capacity", capacity);
  };
  add("cpu0", "446\n"), add("cpu1", "446\n"), add("cpu2", "1024\n"), add("cpu3", "871\n"), add("cpu4", "1024\n");
  using Numbers = std::vector<unsigned>;
  EXPECT_EQ(cpu::fastestFirst(folder.path(), Numbers{0, 1, 2, 3, 4}), (Numbers{2, 4, 3, 0, 1}));
  EXPECT_EQ(cpu::fastestFirst(folder.path(), Numbers{9, 1, 0, 7}), (Numbers{1, 0, 9, 7}));
  EXPECT_EQ(cpu::fastestFirst(folder.path(), Numbers{}), Numbers{});
}

TEST(CpuProcessors, AreNoMoreThanTheTimeOfTheControlGroup) {
  EXPECT_EQ(cpu::processorsWithin(std::nullopt, 8), 8U);
  EXPECT_EQ(cpu::processorsWithin(2, 8), 2U);
  EXPECT_EQ(cpu::processorsWithin(2.01, 8), 3U);
  EXPECT_EQ(cpu::processorsWithin(0.1, 8), 1U);
  EXPECT_EQ(cpu::processorsWithin(64, 8), 8U);
  EXPECT_EQ(cpu::processorsWithin(1e300, 8), 8U);
}

TEST(CpuCaches, AreThoseOfThisSystem) {
  const std::vector<unsigned> processors = cpu::usableProcessorNumbers();
  const CacheSizes inFiles = cpu::cachesInFolder("/sys/devices/system/cpu", processors, processors);
  if (inFiles.level1 == 0 || inFiles.level2 == 0) GTEST_SKIP() << "the system does not say";
  EXPECT_GE(processors.size(), cpu::usableProcessors());  // usableProcessors() is smaller if a cgroup limits the CPU time
  EXPECT_EQ(cpu::systemCaches(), cpu::saneCaches(inFiles));
}

// Builds a small graph for one kind of kernel. For most kinds, the sizes of the caches determine how the work is divided.
Operand graphOf(Fixture& f, const std::string& kind) {
  GraphBuilder& b = f.builder;
  std::mt19937 random(5);
  const auto weights = [&](const Shape& shape) {
    std::vector<Number> values;
    for (std::size_t i = elementCount({DataType::float32, shape}); i > 0; --i)
      values.push_back(std::uniform_real_distribution<double>(-0.25, 0.25)(random));
    return f.constant(shape, values);
  };
  const auto inputOf = [&](DataType type, const Shape& shape) { return f.input(type, shape); };
  if (kind == "gemm") return b.gemm(f.input({61, 500}), weights({500, 300}), {.c = weights({300})});
  if (kind == "float16") {
    return b.matmul(inputOf(DataType::float16, {130, 90}), b.cast(weights({90, 500}), DataType::float16));
  }
  if (kind == "attention") {
    const Operand scores = b.mul(b.matmul(f.input({1, 2, 90, 40}), f.input({1, 2, 40, 700})), f.constant({}, {0.125}));
    return b.matmul(b.softmax(scores, 3), f.input({1, 2, 700, 33}));
  }
  if (kind == "depthwise") {
    return b.conv2d(f.input({1, 83, 21, 37}), weights({83, 1, 3, 3}), {.padding = {1, 1, 1, 1}, .groups = 83});
  }
  if (kind == "winograd") return b.conv2d(f.input({1, 64, 40, 40}), weights({48, 64, 3, 3}), {.padding = {1, 1, 1, 1}});
  if (kind == "block") {
    const Operand before = b.relu(b.conv2d(f.input({1, 24, 56, 56}), weights({144, 24, 1, 1})));
    const Operand middle = b.relu(b.conv2d(before, weights({144, 1, 3, 3}), {.padding = {1, 1, 1, 1}, .groups = 144}));
    return b.conv2d(middle, weights({24, 144, 1, 1}));
  }
  if (kind == "lstm") {
    LstmOptions options;
    options.returnSequence = true;
    return b.lstm(f.input({37, 5, 30}), weights({1, 200, 30}), weights({1, 200, 50}), 37, 50, options).back();
  }
  const Operand scale = f.constant({1, 1}, {0.02}), zeroPoint = f.constant(DataType::uint8, {1, 1}, {117});
  const Operand a = b.dequantizeLinear(b.quantizeLinear(f.input({70, 300}), scale, zeroPoint), scale, zeroPoint);
  std::vector<Number> bytes;
  for (int i = 0; i < 300 * 190; ++i) bytes.push_back(static_cast<std::int64_t>(random() % 255) - 127);
  return b.matmul(a, b.dequantizeLinear(f.constant(DataType::int8, {300, 190}, bytes), f.constant({1, 1}, {0.01}),
                                        f.constant(DataType::int8, {1, 1}, {0})));
}

TEST(CpuCaches, ChangeNoBitOfResults) {
  const std::pair<const char*, const char*> kinds[]{
      {"gemm", "gemm f32"},       {"float16", "gemm f16"},        {"attention", "attention blocked"},
      {"depthwise", "depthwise"}, {"winograd", "winograd"},       {"block", "convolution block"},
      {"lstm", "lstm"},           {"quantized", "quantized gemm"}};
  for (const auto& [kind, kernel] : kinds) {
    Fixture computed;
    const std::vector<std::string> kernels = cpuKernels(computed, {graphOf(computed, kind)});
    const auto isWanted = [wanted = kernel](const std::string& text) { return text.find(wanted) != text.npos; };
    EXPECT_TRUE(std::ranges::any_of(kernels, isWanted)) << kind;
    Fixture f;
    const Graph graph = f.builder.build({{"y", graphOf(f, kind)}});
    std::mt19937 random(6);
    std::vector<std::vector<std::byte>> inputs;
    for (const auto& [name, descriptor] : graph.inputs()) {
      std::vector<Number> values;
      for (std::size_t i = elementCount(descriptor); i > 0; --i)
        values.push_back(std::uniform_real_distribution<double>(-1, 1)(random));
      inputs.push_back(pack(descriptor, values));
    }
    const std::vector<std::span<const std::byte>> from(inputs.begin(), inputs.end());
    const OperandDescriptor descriptor = graph.outputs()[0].second;
    const auto run = [&](const Executable& executable) {
      std::vector<std::byte> output(byteLength(descriptor));
      const std::vector<std::span<std::byte>> to{output};
      executable.run(from, to, Budget::none());
      return output;
    };
    // `graph` belongs to the reference backend
    const std::vector<Number> expected = unpack(descriptor, run(*graph.state()->executable()));
    for (const std::string& isa : cpuIsas()) {
      const auto compute = [&](const CacheSizes& caches, unsigned threads) {
        const cpu::CompileOptions options{.isa = *cpu::isaFromName(isa), .caches = caches, .disabledPasses = {}, .dump = {}};
        return run(*cpu::compile(graph.state()->definition, options, std::make_shared<cpu::TeamPool>(threads)));
      };
      const std::vector<std::byte> bytes = compute({}, 1);
      const std::vector<Number> values = unpack(descriptor, bytes);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double y = values[i].toDouble(), e = expected[i].toDouble();
        ASSERT_NEAR(y, e, descriptor.dataType == DataType::float16 ? 2e-2 : 2e-5 + 1e-5 * std::abs(e))
            << kind << " " << isa << " " << i;
      }
      for (const CacheSizes& caches :
           {CacheSizes{1 * kKiB, 4 * kKiB}, CacheSizes{16 * kKiB, 256 * kKiB}, CacheSizes{kKiB << 20, kKiB << 22}}) {
        for (const unsigned threads : {1U, 3U}) {
          EXPECT_EQ(compute(caches, threads), bytes) << kind << " " << isa << ", caches of " << caches.level1 << " and "
                                                     << caches.level2 << " bytes, " << threads << " threads";
        }
      }
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
