// Tests the engine as a whole: unusual inputs, outputs and constants, allocations, concurrent runs, options.
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <new>
#include <span>
#include <thread>

#include "context/graph_state.h"
#include "cpu/cpu_support.h"
#include "graph/backend.h"

#ifdef __has_feature
#define WEBNN_HAS_FEATURE(feature) __has_feature(feature)
#else
#define WEBNN_HAS_FEATURE(feature) 0
#endif

namespace {
std::atomic<std::size_t> allocations = 0;
constexpr bool kCountsAllocations = !WEBNN_HAS_FEATURE(thread_sanitizer);  // ThreadSanitizer has its own operators new and delete
}  // namespace

#if !WEBNN_HAS_FEATURE(thread_sanitizer)
// Counts allocations, so that a test can check that a run makes none.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
#include "support/allocation_operators.h"
#endif

namespace webnn::test {
namespace {

TEST(CpuExecutable, PassesInputsAndConstantsThrough) {
  Fixture f;
  const Operand x = f.input({2, 3});
  const Operand c = f.constant({2}, {1, 2});
  expectCpuAgrees(f, {f.builder.identity(x), f.builder.identity(c), f.builder.reshape(x, {3, 2}), f.builder.identity(x)});
}

TEST(CpuExecutable, MovesFourBitElements) {
  Fixture f;
  const Operand x = f.input(DataType::int4, {3, 5});
  expectCpuAgrees(f, {f.builder.transpose(x), f.builder.cast(x, DataType::float32)}, {.low = -8, .high = 7});
}

#if defined(__SSE2__)
// A thread that flushes denormals and rounds up builds and runs a graph, and has the same mode afterwards.
TEST(CpuExecutable, KeepsDenormalsWhateverTheCallerDoes) {
  constexpr float kSmall = 0x1p-126F, kDenormal = 0x1p-127F;
  constexpr std::uint32_t kSize = 1 << 20;  // so that several threads take part
  const unsigned usual = _mm_getcsr(), other = usual | 0xC040;
  const std::vector<float> numbers(kSize, kSmall);
  for (const unsigned threads : {1U, 3U}) {
    Fixture f;
    const Operand half = f.constant({}, {0.5}), folded = f.builder.mul(f.constant({1}, {kSmall}), half);
    const Operand y = f.builder.mul(f.input({kSize}), half);
    Context context = Context::create({.backend = "cpu", .execution = Execution::callerThread, .threads = threads});
    const Graph definition = f.builder.build({{"folded", folded}, {"y", y}});
    std::vector<float> one(1), all(kSize);
    _mm_setcsr(other);
    const Graph graph = context.compile(definition);
    const std::array from{std::as_bytes(std::span(numbers))};
    const std::array to{std::as_writable_bytes(std::span(one)), std::as_writable_bytes(std::span(all))};
    graph.state()->executable()->run(from, to);
    EXPECT_EQ(_mm_getcsr() & 0xE040, other & 0xE040);
    _mm_setcsr(usual);
    EXPECT_EQ(one[0], kDenormal) << threads;
    EXPECT_EQ(std::count(all.begin(), all.end(), kDenormal), kSize) << threads;
  }
}
#endif

// Builds a network with convolutions, a pooling, products, element-wise operations, normalization, softmax, a reduction, a
// concatenation and a transpose.
Operand network(Fixture& f) {
  GraphBuilder& b = f.builder;
  Operand y = b.conv2d(f.input({1, 3, 12, 10}), f.constant({16, 3, 3, 3}, {0.1}), {.padding = {1, 1, 1, 1}});
  y = b.maxPool2d(b.relu(y), {.windowDimensions = {2, 2}, .strides = {2, 2}});
  y = b.conv2d(y, f.constant({16, 1, 3, 3}, {0.2}), {.padding = {1, 1, 1, 1}, .groups = 16});
  y = b.reshape(b.add(y, b.sigmoid(y)), {16, 30});
  y = b.layerNormalization(b.matmul(y, f.constant({30, 20}, {0.05})), {.axes = {1}});
  y = b.softmax(b.gelu(b.gemm(y, f.constant({20, 20}, {0.03}), {.c = f.constant({20}, {0.5})})), 1);
  return b.transpose(b.concat({y, b.reduceMax(y, {.axes = {0}, .keepDimensions = true})}, 0));
}

struct Buffers {
  explicit Buffers(const Graph& graph) {
    for (const auto& [name, descriptor] : graph.inputs()) inputs.push_back(pack(descriptor, {0.5}));
    for (const auto& [name, descriptor] : graph.outputs()) outputs.emplace_back(byteLength(descriptor));
    for (const auto& bytes : inputs) from.emplace_back(bytes);
    for (auto& bytes : outputs) to.emplace_back(bytes);
  }
  std::vector<std::vector<std::byte>> inputs, outputs;
  std::vector<std::span<const std::byte>> from;
  std::vector<std::span<std::byte>> to;
};

Graph compiledNetwork(Fixture& f, Context& context) { return context.compile(f.builder.build({{"y", network(f)}})); }

TEST(CpuExecutable, AllocatesNothingInARun) {
  if (!kCountsAllocations) GTEST_SKIP() << "ThreadSanitizer counts no allocations";
  for (const unsigned threads : {1U, 2U}) {
    Fixture f;
    Context context = Context::create({.backend = "cpu", .execution = Execution::callerThread, .threads = threads});
    const Graph graph = compiledNetwork(f, context);
    Buffers buffers(graph);
    const auto executable = graph.state()->executable();
    executable->run(buffers.from, buffers.to);  // starts the threads
    const std::size_t before = allocations;
    executable->run(buffers.from, buffers.to);
    EXPECT_EQ(allocations, before) << threads << " threads";
  }
}

TEST(CpuExecutable, RunsInSeveralThreadsAtOnce) {
  Fixture f;
  Context context = Context::create({.backend = "cpu", .execution = Execution::callerThread, .threads = 2});
  const Graph graph = compiledNetwork(f, context);
  const auto executable = graph.state()->executable();
  Buffers expected(graph);
  executable->run(expected.from, expected.to);
  std::vector<Buffers> buffers;
  for (int i = 0; i < 4; ++i) buffers.emplace_back(graph);
  std::vector<std::thread> threads;
  for (Buffers& own : buffers) {
    own.from.assign(own.inputs.begin(), own.inputs.end());
    own.to.assign(own.outputs.begin(), own.outputs.end());
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) executable->run(own.from, own.to);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Buffers& own : buffers) EXPECT_EQ(own.outputs, expected.outputs);
}

TEST(CpuExecutable, ComputesTheSameWithoutAnyPass) {
  constexpr const char* kPasses =
      "foldConstants,recogniseResampling,canonicalize,eliminateCommonSubexpressions,eliminateDeadCode,propagateQuantized,"
      "propagateQuantizedLayout,joinQuantizedConv,fuseQuantizedConv,"
      "fuseQuantized,raiseSignals,recognise,recogniseTop,recogniseGatherSums,narrowGathers,fuseAttention,"
      "mergeConvolutions,raiseImages,chooseLayout,canonicalizeLayout,lowerMatmul,"
      "lowerConv,foldRest,fuseEpilogues,fuseElementwise,eliminateDeadCodeAgain";
  Fixture f;
  expectCpuAgrees(f, {network(f)}, {.relative = 1e-5, .absolute = 1e-5, .disable = kPasses});
}

TEST(CpuBackend, IsTheDefault) {
  Context context = Context::create();
  EXPECT_EQ(context.backend(), "cpu");
  EXPECT_FALSE(context.accelerated());
}

TEST(CpuBackend, RefusesOptionsThatItDoesNotKnow) {
  const auto create = [](std::map<std::string, std::string> options) {
    Context::create({.backend = "cpu", .backendOptions = std::move(options)});
  };
  expectTypeError({"no option \"colour\"", "disable, isa, memory, pin, precision"}, [&] { create({{"colour", "red"}}); });
  expectTypeError({"isa \"avx9\""}, [&] { create({{"isa", "avx9"}}); });
  expectTypeError({"no pass \"bake\""}, [&] { create({{"disable", "canonicalize,bake"}}); });
  expectTypeError({"lowerElementwise", "is needed"}, [&] { create({{"disable", "lowerElementwise"}}); });
  expectTypeError({"pin", "neither true nor false"}, [&] { create({{"pin", "maybe"}}); });
  expectTypeError({"memory (\"far\")", "not one of planned, watched, apart"}, [&] { create({{"memory", "far"}}); });
}

}  // namespace
}  // namespace webnn::test
