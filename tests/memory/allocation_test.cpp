// Tests that if an allocation fails, the operation fails with an Error and no side effects, and the next operation works. Each
// allocation fails in turn: alone, or with all following ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <limits>
#include <new>

#include "support/allocation_operators.h"
#include "support/files.h"
#include "support/onnx_model.h"
#include "webnn/context.h"
#include "webnn/formats.h"
#include "webnn/graph.h"

namespace {

constexpr long kNever = std::numeric_limits<long>::max();

// All threads share these counters.
std::atomic<long> allocationsLeft{kNever};  // number of allocations that still succeed
std::atomic<bool> failsOn{false};           // whether all allocations after the first failure fail, too
std::atomic<long> allocations{0}, living{0};
// True while the test itself allocates, for instance arguments that it passes by value. Such allocations are not counted.
thread_local bool isTests = false;

void* allocate(std::size_t size, std::size_t alignment) {
  if (!isTests && allocationsLeft.load() != kNever) {
    const long left = allocationsLeft.fetch_sub(1);
    if (left == 0 || (left < 0 && failsOn)) throw std::bad_alloc();
  }
  size = (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, size);
  if (!memory) throw std::bad_alloc();
  if (!isTests) ++allocations;
  ++living;
  return memory;
}

void release(void* memory) {
  if (memory) --living;
  std::free(memory);
}

}  // namespace

// Replaces operator new in the test and the library.
void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) { return allocate(size, static_cast<std::size_t>(alignment)); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace webnn::test {
namespace {

// Returns the result of `make`, during which no allocation fails.
template <typename Make>
auto ours(Make&& make) {
  isTests = true;
  auto made = make();
  isTests = false;
  return made;
}

// Runs `call` once for each of its allocations, or for each `step`-th, and lets that allocation fail: first that one alone, then
// all later ones too. `call` checks its own result.
void expectErrorsWithoutMemory(const std::function<void()>& call, long step = 1) {
  call();  // first makes objects that are never freed
  call();
  const long before = allocations;
  call();
  const long count = allocations - before;
  ASSERT_GT(count, 0);
  for (const bool persistent : {false, true}) {
    for (long i = 0; i < count; i += step) {
      const long alive = living;
      std::string failure;
      failsOn = persistent;
      allocationsLeft = i;
      try {
        call();
      } catch (const Error& error) {
        allocationsLeft = kNever;
        if (error.kind() != ErrorKind::unknownError && error.kind() != ErrorKind::operationError) failure = error.what();
        if (std::string_view(error.what()).empty()) failure = "no message";
      } catch (const std::exception& error) {
        allocationsLeft = kNever;
        failure = std::string("no Error: ") + error.what();
      }
      allocationsLeft = kNever;
      ASSERT_EQ(failure, "") << "allocation " << i << " of " << count << (persistent ? " and all that follow" : "");
      failure.shrink_to_fit();
      ASSERT_EQ(living, alive) << "leaks after allocation " << i << " of " << count << (persistent ? " and all that follow" : "");
      if (i / step % 16 == 0) call();
    }
  }
}

constexpr std::string_view kText = R"(webnn_graph "g" v2 {
  inputs { x: f32[1, 2, 4, 4]; }
  consts { w: f32[3, 2, 3, 3] @weights("a weight with a long name"); half: f32[] @scalar(0.5); }
  nodes {
    c = conv2d(x, w, padding=[1, 1, 1, 1], label="a label that needs memory");
    r = relu(c);
    p = averagePool2d(r, windowDimensions=[2, 2], strides=[2, 2]);
    [s, t, u] = split(p, splits=3, axis=1);
    k = concat(s, u, t, axis=1);
    f = reshape(k, newShape=[3, 4]);
    h = mul(f, half);
    y = softmax(h, axis=1);
  }
  outputs { y; }
})";

// Makes a directory with the same graph in several formats.
class OutOfMemory : public testing::Test {
 protected:
  OutOfMemory() {
    const std::string header = R"({"a weight with a long name":{"dtype":"F32","shape":[3,2,3,3],"data_offsets":[0,216]}})";
    writeText(folder_ / "g.safetensors", raw<std::uint64_t>({header.size()}) + header + raw(std::vector<float>(54, 0.25f)));
    writeText(folder_ / "g.webnn", kText);
    Context context = contextOf(Execution::callerThread);
    const Graph graph = load(context, folder_ / "g.webnn");
    save(graph, folder_ / "inline.json", {GraphFormat::graphJson, WeightsFormat::inlineBytes});
    save(graph, folder_ / "manifest.json", {GraphFormat::graphJson, WeightsFormat::manifest});
    save(graph, folder_ / "g.onnx", {GraphFormat::onnx, WeightsFormat::safetensors});
#ifdef WEBNN_SERVICE
    save(graph, folder_ / "g.webnnb", {GraphFormat::webnnBinary, std::nullopt});
#endif
  }

  static Context contextOf(Execution execution, const char* backend = "cpu", std::uint32_t threads = 1) {
    return Context::create(ours([&] { return ContextOptions{.backend = backend, .execution = execution, .threads = threads}; }));
  }
  std::filesystem::path file(const char* name) const {
    return ours([&] { return folder_ / name; });
  }
  // Writes the input (32 floats), runs the graph, and reads the output (12 floats).
  static void use(Context& context, const Graph& graph) {
    Tensor x = context.createTensor(ours([] { return TensorDescriptor{DataType::float32, {1, 2, 4, 4}, false, true}; }));
    Tensor y = context.createTensor(ours([] { return TensorDescriptor{DataType::float32, {3, 4}, true, false}; }));
    context.write(x, ours([] { return std::vector<float>(32, 1); }));
    using Tensors = std::vector<NamedTensor>;
    const Tensors inputs = ours([&] { return Tensors{{"x", x}}; }), outputs = ours([&] { return Tensors{{"y", y}}; });
    context.dispatch(graph, inputs, outputs);
    std::vector<float> values = ours([] { return std::vector<float>(12); });
    context.readTensor(y, std::as_writable_bytes(std::span(values))).get();
    const std::vector<std::byte> bytes = context.readTensor(y).get();
    if (!std::ranges::equal(bytes, std::as_bytes(std::span(values)))) throw std::logic_error("two reads differ");
    for (int row = 0; row < 3; ++row) {
      const float sum = values[4 * row] + values[4 * row + 1] + values[4 * row + 2] + values[4 * row + 3];
      if (!(sum > 0.999f && sum < 1.001f)) throw std::logic_error("the output is wrong");
    }
  }
  void expectToLoad(const std::filesystem::path& path, const LoadOptions& options = {}) {
    expectErrorsWithoutMemory([&] {
      Context context = contextOf(Execution::callerThread, "reference");
      use(context, load(context, path, options));
    });
  }

  TemporaryFolder folder_;
};

TEST_F(OutOfMemory, FailsTheWholeLifeOfAGraphOnTheCpu) {
  expectErrorsWithoutMemory([&] {
    Context context = contextOf(Execution::callerThread);
    use(context, load(context, file("g.webnn")));
  });
}

TEST_F(OutOfMemory, FailsWithAThreadForTheContextAndAnotherForTheRun) {
  expectErrorsWithoutMemory(
      [&] {
        Context context = contextOf(Execution::worker, "cpu", 2);
        use(context, load(context, file("g.webnn")));
      },
      7);  // only every 7th allocation fails, because starting threads takes long
}

TEST_F(OutOfMemory, FailsReadersOfEveryFormat) {
  for (const char* name : {"inline.json", "manifest.json", "g.onnx", "g.webnnb"}) {
#ifndef WEBNN_SERVICE
    if (std::string_view(name) == "g.webnnb") continue;
#endif
    SCOPED_TRACE(name);
    expectToLoad(folder_ / name);
  }
}

TEST_F(OutOfMemory, FailsReadersOfFilesThatAreNotMapped) { expectToLoad(folder_ / "g.webnn", {.mapFiles = false}); }

TEST_F(OutOfMemory, FailsErrorsOfFiles) {
  Context context = contextOf(Execution::callerThread, "reference");
  const std::string head =
      R"({"format": "webnn-graph-json", "version": 2, "inputs": {"x": {"dataType": "float32", "shape": [4]}},)";
  for (
      const std::string& text :
      {std::string("webnn_graph \"g\" v2 { nodes { y = relu(something_that_is_not_there); } outputs { y; } }"),
       head +
           R"("nodes": [{"id": "y", "op": "relu", "inputs": ["x"], "options": {"label": ["nested", {"deep": [1, 2]}]}}], "outputs": {}})",
       head + R"("nodes": [[[[[[1, 2, {"a": [3]}], 4], 5], 6], 7, "unfinished)"}) {
    SCOPED_TRACE(text);
    const std::filesystem::path path = folder_ / "bad.json";
    writeText(path, text);
    expectErrorsWithoutMemory([&] {
      try {
        load(context, path);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::dataError) throw;
      }
    });
  }
}

TEST_F(OutOfMemory, FailsWritersAndLeavesTheirFilesAsTheyWere) {
  Context context = contextOf(Execution::callerThread);
  const Graph graph = load(context, folder_ / "g.webnn");
  const std::vector<SaveOptions> all{{GraphFormat::webnnText, WeightsFormat::safetensors},
                                     {GraphFormat::graphJson, WeightsFormat::manifest},
                                     {GraphFormat::graphJson, WeightsFormat::inlineBytes},
#ifdef WEBNN_SERVICE
                                     {GraphFormat::webnnBinary, WeightsFormat::inlineBytes},
#endif
                                     {GraphFormat::onnx, WeightsFormat::safetensors}};
  for (const SaveOptions& options : all) {
    const TemporaryFolder out;
    const std::filesystem::path path = out / "saved";
    expectErrorsWithoutMemory([&] { save(graph, path, options); }, 7);  // every 7th, because writing to the disk takes long
    for (const auto& entry : std::filesystem::directory_iterator(out.path()))
      EXPECT_TRUE(entry.path().filename().string().starts_with("saved")) << entry.path();
  }
}

TEST_F(OutOfMemory, FailsBuildersWhichThenBuild) {
  Context context = contextOf(Execution::callerThread);
  static const Shape kImage{1, 2, 4, 4}, kFilter{3, 2, 1, 1};
  static constexpr float kWeights[6] = {};
  expectErrorsWithoutMemory([&] {
    GraphBuilder builder(context);
    const auto descriptor = [](const Shape& shape) { return ours([&] { return OperandDescriptor{DataType::float32, shape}; }); };
    const Operand x = builder.input(ours([] { return std::string("an input with a long name"); }), descriptor(kImage));
    const Operand w = builder.constant(descriptor(kFilter), std::as_bytes(std::span(kWeights)));
    const Operand y = builder.tanh(builder.add(builder.conv2d(x, w), builder.constant(DataType::float32, 1)));
    const Graph graph = builder.build(ours([&] { return std::vector<NamedOperand>{{"an output with a long name", y}}; }));
    std::vector<std::byte> in = ours([] { return std::vector<std::byte>(128); }),
                           out = ours([] { return std::vector<std::byte>(192); });
    const std::span<const std::byte> inputs[] = {in};
    const std::span<std::byte> outputs[] = {out};
    graph.compute(inputs, outputs);
  });
}

// Tests that a failed build either leaves its builder unchanged, or has used the builder up. The builder's next error then says
// so.
TEST_F(OutOfMemory, LeavesBuildersWholeWhoseBuildFails) {
  Context context = contextOf(Execution::callerThread);
  int rebuilt = 0;
  for (long i = 0, isDone = 0; !isDone; ++i) {
    GraphBuilder builder(context);
    Operand y = builder.input("x", {DataType::float32, {2}});
    for (int j = 0; j < 5; ++j) y = builder.add(y, builder.constant(DataType::float32, 1));
    const std::vector<NamedOperand> outputs{{"an output with a long name", y}};
    Graph graph;
    std::vector<NamedOperand> given = outputs;
    allocationsLeft = i;
    try {
      graph = builder.build(std::move(given));
      isDone = 1;
    } catch (const Error&) {
    }
    allocationsLeft = kNever;
    if (!isDone) {
      try {
        graph = builder.build(outputs);
        ++rebuilt;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::invalidStateError) << "after allocation " << i << ": " << error.what();
        continue;
      }
    }
    std::vector<float> in{1, 2}, out(2);
    const std::span<const std::byte> inputs[] = {std::as_bytes(std::span(in))};
    const std::span<std::byte> results[] = {std::as_writable_bytes(std::span(out))};
    graph.compute(inputs, results);
    EXPECT_EQ(out, (std::vector<float>{6, 7})) << "after allocation " << i;
  }
  EXPECT_GT(rebuilt, 3);
}

// An asynchronous build of a graph that adds 5 to its input, two floats.
struct AsyncBuild {
  explicit AsyncBuild(Context& context) : builder(context) {
    Operand y = builder.input(ours([] { return std::string("an input with a long name"); }), ours([] {
                                return OperandDescriptor{DataType::float32, {2}};
                              }));
    for (int i = 0; i < 5; ++i) y = builder.add(y, builder.constant(DataType::float32, 1));
    outputs = ours([&] { return std::vector<NamedOperand>{{"an output with a long name", y}}; });
  }
  std::vector<NamedOperand> copyOfOutputs() const {
    return ours([&] { return outputs; });
  }
  static bool computes(const Graph& graph) {
    const float in[] = {1, 2};
    float out[2] = {};
    const std::span<const std::byte> inputs[] = {std::as_bytes(std::span(in))};
    const std::span<std::byte> results[] = {std::as_writable_bytes(std::span(out))};
    graph.compute(inputs, results);
    return out[0] == 6 && out[1] == 7;
  }
  GraphBuilder builder;
  std::vector<NamedOperand> outputs;
};

TEST_F(OutOfMemory, FailsAsynchronousBuilds) {
  for (const Execution execution : {Execution::callerThread, Execution::worker}) {
    const long step = execution == Execution::worker ? 3 : 1;  // every third, because starting threads takes long
    expectErrorsWithoutMemory(
        [&] {
          Context context = contextOf(execution, "reference");
          AsyncBuild build(context);
          if (!AsyncBuild::computes(build.builder.buildAsync(build.copyOfOutputs()).get()))
            throw std::logic_error("the output is wrong");
        },
        step);
  }
}

// Tests that an asynchronous call either throws and never calls back, or calls back once. A call that throws leaves the builder
// unchanged, or has used the builder up.
TEST_F(OutOfMemory, CallsBackOnceOrThrows) {
  Context context = contextOf(Execution::callerThread, "reference");
  int thrown = 0, failed = 0, rebuilt = 0;
  for (long i = 0, isDone = 0; !isDone; ++i) {
    AsyncBuild build(context);
    int calls = 0;
    Graph graph;
    std::exception_ptr failure;
    std::function<void(std::exception_ptr, Graph)> done = [&](std::exception_ptr error, Graph made) {
      ++calls;
      failure = std::move(error);
      graph = std::move(made);
    };
    std::vector<NamedOperand> given = build.outputs;
    bool hasThrown = false;
    allocationsLeft = i;
    try {
      build.builder.buildAsync(std::move(given), std::move(done));
    } catch (const Error&) {
      hasThrown = true;
    }
    allocationsLeft = kNever;
    ASSERT_EQ(calls, hasThrown ? 0 : 1) << "after allocation " << i;
    thrown += hasThrown;
    if (failure) {
      ++failed;
      EXPECT_THROW(std::rethrow_exception(failure), Error) << "after allocation " << i;
      EXPECT_FALSE(graph.state());
      continue;
    }
    if (hasThrown) {
      try {
        graph = build.builder.buildAsync(build.outputs).get();
        ++rebuilt;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::invalidStateError) << "after allocation " << i << ": " << error.what();
        continue;
      }
    } else {
      isDone = 1;
    }
    EXPECT_TRUE(AsyncBuild::computes(graph)) << "after allocation " << i;
  }
  EXPECT_GT(thrown, 3);
  EXPECT_GT(failed, 3);
  EXPECT_GT(rebuilt, 3);
}

TEST_F(OutOfMemory, SettlesReadsOfADestroyedContext) {
  expectErrorsWithoutMemory([&] {
    Context context = contextOf(Execution::worker, "reference");
    Tensor tensor = context.createTensor(ours([] { return TensorDescriptor{DataType::float32, {4}, true, true}; }));
    std::future<std::vector<std::byte>> read = context.readTensor(tensor);
    context.destroy();
    try {
      read.get();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::invalidStateError) throw;
    }
  });
}

}  // namespace
}  // namespace webnn::test
