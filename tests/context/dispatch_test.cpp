// Tests dispatch(): its checks, the order in which dispatches run, and how the program learns of their failures. Also tests
// reads, and objects that are destroyed while they are in use.
// https://www.w3.org/TR/webnn/#api-mlcontext-dispatch
#include <atomic>
#include <latch>
#include <semaphore>
#include <thread>

#include "context/fake_backend.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::expectError;
using test::expectTypeError;

// Makes y = x + x, in a context whose runs the test controls.
struct Doubler {
  std::shared_ptr<test::FakeBackend> backend = std::make_shared<test::FakeBackend>();
  std::vector<std::string> reported;  // written on the timeline, and read by the test after it has read a tensor
  Context context;
  Graph graph;
  Tensor x, y;

  explicit Doubler(Execution execution = Execution::worker) {
    context = makeContext(backend,
                          {.execution = execution, .onError = [this](const Error& error) { reported.push_back(error.what()); }});
    GraphBuilder builder(context);
    const Operand input = builder.input("x", {DataType::float32, {2}});
    graph = builder.build({{"y", builder.add(input, input)}});
    x = tensor();
    y = tensor();
  }
  Tensor tensor() { return context.createTensor({.shape = {2}, .readable = true, .writable = true}); }
  void dispatch() { context.dispatch(graph, {{"x", x}}, {{"y", y}}); }
};

TEST(Dispatch, RunsInTheOrderOfTheCalls) {
  Doubler d;
  d.context.write<float>(d.x, {1, 2});
  d.dispatch();
  d.context.dispatch(d.graph, {{"x", d.y}}, {{"y", d.x}});  // now x is four times the original value
  d.dispatch();
  EXPECT_EQ(d.context.read<float>(d.y), (std::vector<float>{8, 16}));
}

TEST(Dispatch, ReturnsBeforeTheRunEnds) {
  Doubler d;
  std::binary_semaphore mayRun{0};
  d.backend->beforeRun = [&] { mayRun.acquire(); };
  d.context.write<float>(d.x, {1, 2});
  d.dispatch();  // would never return if it waited for the run
  auto pending = d.context.readTensor(d.y);
  EXPECT_EQ(pending.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  mayRun.release();
  EXPECT_EQ(pending.get().size(), 8u);
}

TEST(Dispatch, RunsOnTheCallingThreadIfItIsShortAndNothingIsQueued) {
  Doubler d;
  RunTime& runTime = *d.graph.state()->runTime;
  std::vector<std::thread::id> threads;
  d.backend->beforeRun = [&] { threads.push_back(std::this_thread::get_id()); };
  d.context.write<float>(d.x, {1, 2});
  runTime.set(std::chrono::nanoseconds(0));
  d.dispatch();
  ASSERT_EQ(threads.size(), 1u);
  EXPECT_EQ(threads[0], std::this_thread::get_id());
  EXPECT_EQ(d.context.read<float>(d.y), (std::vector<float>{2, 4}));

  runTime.set(RunTime::kShort);
  d.dispatch();
  d.context.read<float>(d.y);
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_NE(threads[1], std::this_thread::get_id());
}

// Tests that the timeline is idle after a read. Then a write copies its data only once, and the next short dispatch wakes no
// thread.
TEST(Dispatch, FindsTheTimelineIdleAfterARead) {
  Doubler d;
  std::thread::id thread;
  d.backend->beforeRun = [&] { thread = std::this_thread::get_id(); };
  const Tensor large = d.context.createTensor({.shape = {100'000}, .readable = true});
  for (int i = 0; i < 300; ++i) {
    d.context.readTensor(large).get();
    d.graph.state()->runTime->set(std::chrono::nanoseconds(0));
    d.dispatch();
    ASSERT_EQ(thread, std::this_thread::get_id()) << i;
  }
}

TEST(Read, CallbackMayUseTheContext) {
  for (const Execution execution : {Execution::worker, Execution::callerThread}) {
    Doubler d(execution);
    d.context.write<float>(d.x, {1, 2});
    std::vector<std::byte> bytes(8), again(8);
    std::promise<void> isRead;
    d.context.readTensor(d.x, bytes, [&](std::exception_ptr) {
      d.context.writeTensor(d.y, bytes);
      d.context.readTensor(d.y, again, [&](std::exception_ptr) { isRead.set_value(); });
    });
    isRead.get_future().get();
    EXPECT_EQ(again, bytes);
  }
}

// Tests that a short read, which the calling thread could do at once, does not call back before an earlier read that is still
// running.
TEST(Read, CallbacksKeepTheOrderOfTheCalls) {
  Doubler d;
  const Tensor large = d.context.createTensor({.shape = {100'000}, .readable = true});
  std::vector<std::byte> much(400'000), little(8);
  std::binary_semaphore isCalled(0), mayReturn(0);
  std::vector<int> order;
  std::promise<void> isOver;
  d.context.readTensor(large, much, [&](std::exception_ptr) {
    isCalled.release();
    mayReturn.acquire();
    order.push_back(1);
  });
  isCalled.acquire();
  d.context.readTensor(d.x, little, [&](std::exception_ptr) {
    order.push_back(2);
    isOver.set_value();
  });
  mayReturn.release();
  isOver.get_future().get();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

// Each read is begun in the callback of the previous read. If the callbacks were nested, a long chain could overflow the stack.
TEST(Read, CallbacksDoNotNest) {
  Doubler d;
  std::vector<std::byte> bytes(8);
  // Atomic, because the first callback may still be returning on the calling thread while the next ones run on the timeline.
  std::atomic<int> deepest = 0, left = 1000;
  std::promise<void> isOver;
  std::function<void(std::exception_ptr)> next = [&](std::exception_ptr) {
    thread_local int depth = 0;
    if (++depth > deepest) deepest = depth;
    if (--left > 0) {
      d.context.readTensor(d.x, bytes, next);
    } else {
      isOver.set_value();
    }
    --depth;
  };
  d.context.readTensor(d.x, bytes, next);
  isOver.get_future().get();
  EXPECT_EQ(deepest, 1);
}

TEST(Dispatch, OvertakesNothingWhenItIsShort) {
  Doubler d;
  std::binary_semaphore mayRun{0};
  std::vector<std::thread::id> threads;
  d.backend->beforeRun = [&] {
    if (threads.empty()) mayRun.acquire();
    threads.push_back(std::this_thread::get_id());
  };
  d.context.write<float>(d.x, {1, 2});
  d.dispatch();  // queued, because its run time is not known yet
  d.graph.state()->runTime->set(std::chrono::nanoseconds(0));
  d.context.dispatch(d.graph, {{"x", d.y}}, {{"y", d.x}});
  d.context.write<float>(d.y, {5, 6});
  auto pending = d.context.readTensor(d.y);
  mayRun.release();
  pending.get();
  EXPECT_EQ(d.context.read<float>(d.x), (std::vector<float>{4, 8}));
  EXPECT_EQ(d.context.read<float>(d.y), (std::vector<float>{5, 6}));
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads[1], threads[0]);
}

TEST(Dispatch, WriteCopiesTheValuesAtTheCall) {
  Doubler d;
  std::binary_semaphore mayRun{0};
  d.backend->beforeRun = [&] { mayRun.acquire(); };
  d.dispatch();
  std::vector<float> values{3, 4};
  d.context.write(d.x, values);
  values = {0, 0};
  mayRun.release();
  EXPECT_EQ(d.context.read<float>(d.x), (std::vector<float>{3, 4}));
}

TEST(Dispatch, ChecksItsArguments) {
  Doubler d, other;
  Tensor destroyed = d.tensor();
  destroyed.destroy();
  const Tensor small = d.context.createTensor({.shape = {1}}),
               ints = d.context.createTensor({.dataType = DataType::int32, .shape = {2}});
  const Tensor constant = d.context.createConstantTensor({DataType::float32, {2}}, std::vector<std::byte>(8));
  const auto rejects = [&](std::vector<std::string> parts, std::vector<NamedTensor> inputs, std::vector<NamedTensor> outputs) {
    expectTypeError(parts, [&] { d.context.dispatch(d.graph, inputs, outputs); });
  };
  rejects({"bound twice"}, {{"x", d.x}}, {{"y", d.x}});
  rejects({"another context"}, {{"x", other.x}}, {{"y", d.y}});
  rejects({"another context"}, {{"x", d.x}}, {{"y", Tensor()}});
  rejects({"destroyed"}, {{"x", d.x}}, {{"y", destroyed}});
  rejects({"input \"x\" is missing"}, {}, {{"y", d.y}});
  rejects({"output \"y\" is missing"}, {{"x", d.x}}, {});
  rejects({"no input \"z\""}, {{"x", d.x}, {"z", d.tensor()}}, {{"y", d.y}});
  rejects({"no output \"z\""}, {{"x", d.x}}, {{"y", d.y}, {"z", d.tensor()}});
  rejects({"input \"x\" is given twice"}, {{"x", d.x}, {"x", d.tensor()}}, {{"y", d.y}});
  rejects({"float32[1]", "float32[2]"}, {{"x", small}}, {{"y", d.y}});
  rejects({"int32[2]", "float32[2]"}, {{"x", d.x}}, {{"y", ints}});
  rejects({"constant tensor"}, {{"x", constant}}, {{"y", d.y}});
  rejects({"constant tensor"}, {{"x", d.x}}, {{"y", constant}});
  expectTypeError({"graph is of another context"}, [&] { d.context.dispatch(other.graph, {{"x", d.x}}, {{"y", d.y}}); });
  d.graph.destroy();
  d.graph.destroy();
  expectError(ErrorKind::invalidStateError, {"graph is destroyed"}, [&] { d.dispatch(); });
}

TEST(Dispatch, FailureReachesTheReadersAndTheCallbackOnceAndTheContextStaysUsable) {
  Doubler d;
  d.context.write<float>(d.x, {1, 2});
  d.backend->beforeRun = [] { throw Error(ErrorKind::operationError, "the device is on fire."); };
  d.dispatch();
  const Tensor z = d.tensor();
  d.context.dispatch(d.graph, {{"x", d.y}}, {{"y", z}});  // depends on the output of the failed run
  expectError(ErrorKind::operationError, {"on fire"}, [&] { d.context.read<float>(d.y); });
  expectError(ErrorKind::operationError, {"on fire"}, [&] { d.context.readTensor(z).get(); });
  EXPECT_EQ(d.reported, std::vector<std::string>{"the device is on fire."});
  EXPECT_EQ(d.context.read<float>(d.x), (std::vector<float>{1, 2}));
  d.backend->beforeRun = [] {};
  d.dispatch();
  EXPECT_EQ(d.context.read<float>(d.y), (std::vector<float>{2, 4}));
}

TEST(Dispatch, TurnsAnyExceptionIntoAnError) {
  Doubler d(Execution::callerThread);
  d.backend->beforeRun = [] { throw std::runtime_error("the \x1b[31m device"); };
  d.dispatch();
  expectError(ErrorKind::operationError, {"dispatch: the \\u{001B}[31m device."}, [&] { d.context.read<float>(d.y); });
  d.backend->beforeRun = [] { throw std::bad_alloc(); };
  d.dispatch();
  expectError(ErrorKind::unknownError, {"there is not enough memory."}, [&] { d.context.read<float>(d.y); });
  d.context.write<float>(d.y, {5, 6});  // a write makes the tensor readable again
  EXPECT_EQ(d.context.read<float>(d.y), (std::vector<float>{5, 6}));
}

TEST(Dispatch, CallbackMayUseTheContext) {
  auto backend = std::make_shared<test::FakeBackend>();
  backend->beforeRun = [] { throw Error(ErrorKind::operationError, "no."); };
  for (Execution execution : {Execution::worker, Execution::callerThread}) {
    Context context;
    std::promise<Shape> shape;
    context = makeContext(backend, {.execution = execution, .onError = [&](const Error&) {
                                      shape.set_value(context.createTensor({.shape = {7}, .writable = true}).shape());
                                    }});
    GraphBuilder builder(context);
    const Graph graph = builder.build({{"y", builder.identity(builder.constant(DataType::int8, 1))}});
    context.dispatch(graph, {}, {{"y", context.createTensor({.dataType = DataType::int8})}});
    EXPECT_EQ(shape.get_future().get(), Shape{7});
  }
}

TEST(Destroy, OfATensorRejectsPendingReadsAndLeavesTheCallersMemoryAlone) {
  Doubler d;
  std::latch entered{1};
  std::binary_semaphore mayRun{0};
  d.backend->beforeRun = [&] {
    entered.count_down();
    mayRun.acquire();
  };
  d.dispatch();
  entered.wait();
  std::vector<float> mine{-1, -1};
  auto copied = d.context.readTensor(d.y);
  auto direct = d.context.readTensor(d.y, std::as_writable_bytes(std::span(mine)));
  d.y.destroy();
  expectError(ErrorKind::invalidStateError, {"destroyed"}, [&] { copied.get(); });
  expectError(ErrorKind::invalidStateError, {"destroyed"}, [&] { direct.get(); });
  mayRun.release();
  d.context.read<float>(d.x);  // returns after all queued work
  EXPECT_EQ(mine, (std::vector<float>{-1, -1}));
}

TEST(Destroy, OfAGraphLetsQueuedRunsFinish) {
  Doubler d;
  d.context.write<float>(d.x, {1, 2});
  d.dispatch();
  d.graph.destroy();
  EXPECT_EQ(d.context.read<float>(d.y), (std::vector<float>{2, 4}));
}

TEST(Destroy, OfAContextRejectsPendingReadsAndDestroysGraphs) {
  Doubler d;
  struct Gate {
    std::latch entered{1};
    std::binary_semaphore mayRun{0};
  };
  const auto gate = std::make_shared<Gate>();  // shared, because the run may end after this test
  d.backend->beforeRun = [gate] {
    gate->entered.count_down();
    gate->mayRun.acquire();
  };
  d.dispatch();
  gate->entered.wait();
  auto pending = d.context.readTensor(d.y);
  d.context.destroy();
  expectError(ErrorKind::invalidStateError, {"destroyed"}, [&] { pending.get(); });
  gate->mayRun.release();
  expectError(ErrorKind::invalidStateError, {"graph is destroyed"}, [&] { d.dispatch(); });
}

TEST(Lifetime, QueuedWorkFinishesAfterTheLastHandleIsGone) {
  std::future<std::vector<std::byte>> result;
  {
    Doubler d;
    d.context.write<float>(d.x, {1, 2});
    d.dispatch();
    result = d.context.readTensor(d.y);
  }
  EXPECT_EQ(result.get(), test::pack({DataType::float32, {2}}, {2, 4}));
}

TEST(Lifetime, TensorsAndGraphsKeepTheirContext) {
  Tensor tensor;
  {
    Doubler d;
    tensor = d.y;
  }
  EXPECT_EQ(tensor.shape(), Shape{2});
  tensor.destroy();
}

TEST(Build, FailureOfTheBackendIsAnOperationError) {
  auto backend = std::make_shared<test::FakeBackend>();
  backend->beforeCompile = [] { throw std::runtime_error("no kernels"); };
  Context context = makeContext(backend, {});
  GraphBuilder builder(context);
  const Operand y = builder.identity(builder.constant(DataType::int8, 1));
  expectError(ErrorKind::operationError, {"build", "no kernels"}, [&] { builder.build({{"y", y}}); });
}

TEST(Compile, TakesTheSameGraphToAnotherContext) {
  Doubler d;
  Context other = test::makeContext();
  const Graph graph = other.compile(d.graph);
  const Tensor x = other.createTensor({.shape = {2}, .writable = true}), y = other.createTensor({.shape = {2}, .readable = true});
  other.write<float>(x, {3, 4});
  other.dispatch(graph, {{"x", x}}, {{"y", y}});
  EXPECT_EQ(other.read<float>(y), (std::vector<float>{6, 8}));
  d.graph.destroy();
  expectError(ErrorKind::invalidStateError, {"compile", "destroyed"}, [&] { other.compile(d.graph); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
