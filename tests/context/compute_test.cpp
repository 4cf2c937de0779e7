// Tests Graph::compute(), and reads with callbacks.
#include <latch>
#include <semaphore>
#include <thread>

#include "context/fake_backend.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::expectError;
using test::expectTypeError;

// Makes the graph sum = a + b for two floats each.
struct Sum {
  Context context;
  Graph graph;
  std::vector<float> a{1, 2}, b{3, 4}, sum{0, 0};

  explicit Sum(Context made) : context(std::move(made)) {
    GraphBuilder builder(context);
    const Operand left = builder.input("a", {DataType::float32, {2}}), right = builder.input("b", {DataType::float32, {2}});
    graph = builder.build({{"sum", builder.add(left, right)}});
  }
  static std::span<const std::byte> in(const std::vector<float>& values) { return std::as_bytes(std::span(values)); }
  static std::span<std::byte> out(std::vector<float>& values) { return std::as_writable_bytes(std::span(values)); }
  void compute() { compute({in(a), in(b)}, {out(sum)}); }
  void compute(const std::vector<std::span<const std::byte>>& inputs, const std::vector<std::span<std::byte>>& outputs) {
    graph.compute(inputs, outputs);
  }
};

TEST(Compute, WritesTheOutputs) {
  Sum s(test::makeContext("cpu"));
  s.compute();
  EXPECT_EQ(s.sum, (std::vector<float>{4, 6}));
}

TEST(Compute, DoesNotWaitForTheQueue) {
  const auto backend = std::make_shared<test::FakeBackend>();
  Sum s(makeContext(backend, {}));
  const Tensor a = s.context.createTensor({.shape = {2}}), b = s.context.createTensor({.shape = {2}});
  const Tensor sum = s.context.createTensor({.shape = {2}, .readable = true});
  std::binary_semaphore mayRun{0};
  const std::thread::id caller = std::this_thread::get_id();
  backend->beforeRun = [&] {
    if (std::this_thread::get_id() != caller) mayRun.acquire();
  };
  s.context.dispatch(s.graph, {{"a", a}, {"b", b}}, {{"sum", sum}});
  s.compute();  // would never return if it waited for the timeline
  EXPECT_EQ(s.sum, (std::vector<float>{4, 6}));
  mayRun.release();
  EXPECT_EQ(s.context.read<float>(sum), (std::vector<float>{0, 0}));
}

TEST(Compute, ChecksItsArguments) {
  Sum s(test::makeContext());
  std::vector<float> three(3);
  expectTypeError({"compute: the number of inputs (1) is not 2."}, [&] { s.compute({Sum::in(s.a)}, {Sum::out(s.sum)}); });
  expectTypeError({"compute: the number of outputs (0) is not 1."}, [&] { s.compute({Sum::in(s.a), Sum::in(s.b)}, {}); });
  expectTypeError({"compute: the byte length (12) of input \"b\" is not that of float32[2] (8)."}, [&] {
    s.compute({Sum::in(s.a), Sum::in(three)}, {Sum::out(s.sum)});
  });
  expectTypeError({"compute: the byte length (12) of output \"sum\""}, [&] {
    s.compute({Sum::in(s.a), Sum::in(s.b)}, {Sum::out(three)});
  });
  expectTypeError({"output \"sum\" overlaps something else"}, [&] { s.compute({Sum::in(s.a), Sum::in(s.b)}, {Sum::out(s.a)}); });
  expectTypeError({"the graph refers to nothing"}, [] { Graph().compute({}, {}); });
  expectTypeError({"the graph refers to nothing"}, [] { Graph().notes(); });
  expectTypeError({"the graph refers to nothing"}, [] { Graph().placement(); });
  expectTypeError({"the graph refers to nothing"}, [] { Graph().destroy(); });
  s.graph.destroy();
  expectError(ErrorKind::invalidStateError, {"compute: the graph is destroyed."}, [&] { s.compute(); });
  expectError(ErrorKind::invalidStateError, {"placement: the graph is destroyed."}, [&] { s.graph.placement(); });
}

TEST(Compute, OnABackendThatSaysNothingOfItRunsEachOperationAsItIs) {
  const Sum s(test::makeContext("reference"));
  const OperationPlacement expected{.operation = "add", .outputs = {"sum"}, .device = "reference"};
  EXPECT_EQ(s.graph.placement(), std::vector{expected});
}

TEST(Compute, RunsOnSeveralThreadsAtOnce) {
  const auto backend = std::make_shared<test::FakeBackend>();
  std::latch both(2);
  backend->beforeRun = [&] { both.arrive_and_wait(); };  // would hang if one run waited for the other
  Sum s(makeContext(backend, {}));
  std::vector<float> other{0, 0};
  std::thread thread([&] { s.compute({Sum::in(s.a), Sum::in(s.b)}, {Sum::out(other)}); });
  s.compute();
  thread.join();
  EXPECT_EQ(s.sum, other);
}

TEST(ReadTensor, CallsBackOnce) {
  Context context = Context::create({.backend = "reference"});
  Tensor tensor = context.createTensor({.shape = {2}, .readable = true, .writable = true});
  context.write<float>(tensor, {5, 6});
  std::vector<float> values(2);
  std::promise<std::exception_ptr> done;
  context.readTensor(tensor, Sum::out(values), [&](std::exception_ptr error) { done.set_value(std::move(error)); });
  EXPECT_EQ(done.get_future().get(), nullptr);
  EXPECT_EQ(values, (std::vector<float>{5, 6}));
}

TEST(ReadTensor, CallsBackWithTheErrorOfADestroyedTensor) {
  const auto backend = std::make_shared<test::FakeBackend>();
  Sum s(makeContext(backend, {}));
  const Tensor a = s.context.createTensor({.shape = {2}}), b = s.context.createTensor({.shape = {2}});
  Tensor sum = s.context.createTensor({.shape = {2}, .readable = true});
  const auto mayRun = std::make_shared<std::binary_semaphore>(0);  // shared, because the run may end after this test
  backend->beforeRun = [mayRun] { mayRun->acquire(); };
  s.context.dispatch(s.graph, {{"a", a}, {"b", b}}, {{"sum", sum}});
  std::exception_ptr failure;
  s.context.readTensor(sum, Sum::out(s.sum), [&](std::exception_ptr error) { failure = std::move(error); });
  sum.destroy();
  expectError(ErrorKind::invalidStateError, {"destroyed"}, [&] { std::rethrow_exception(failure); });
  mayRun->release();
  expectTypeError({"not readable"}, [&] { s.context.readTensor(a, Sum::out(s.sum), nullptr); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
