// Tests builds on the timeline: their order, their errors, and the lifetime of handles.
#include <latch>
#include <semaphore>
#include <thread>

#include "context/fake_backend.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using std::chrono::nanoseconds;
using test::expectError;
using test::expectTypeError;

// Makes a backend wait in compile() until the test releases it. The gate outlives the contexts, whose timelines may end after the
// test.
struct Gate {
  std::shared_ptr<test::FakeBackend> backend = std::make_shared<test::FakeBackend>();
  std::binary_semaphore entered{0}, mayGo{0};

  static std::shared_ptr<Gate> make() {
    const auto gate = std::make_shared<Gate>();
    gate->backend->beforeCompile = [gate = gate.get()] {
      gate->entered.release();
      gate->mayGo.acquire();
    };
    return gate;
  }
};

struct Doubling {
  explicit Doubling(const Context& context) : builder(context) {
    const Operand x = builder.input("x", {DataType::float32, {2}});
    y = builder.add(x, x);
  }
  std::vector<NamedOperand> outputs() const { return {{"y", y}}; }
  GraphBuilder builder;
  Operand y;
};

void expectDoubles(const Graph& graph) {
  const std::vector<float> in{1, -3};
  std::vector<float> out(2);
  const std::span<const std::byte> from = std::as_bytes(std::span(in));
  const std::span<std::byte> to = std::as_writable_bytes(std::span(out));
  graph.compute({&from, 1}, {&to, 1});
  EXPECT_EQ(out, (std::vector<float>{2, -6}));
}

TEST(BuildAsync, GivesAGraphThatOutlivesTheBuilder) {
  for (const Execution execution : {Execution::worker, Execution::callerThread}) {
    Context context = Context::create({.backend = "cpu", .execution = execution});
    std::future<Graph> future;
    {
      Doubling doubling(context);
      future = doubling.builder.buildAsync(doubling.outputs());
    }
    const Graph graph = future.get();
    expectDoubles(graph);
    const Tensor x = context.createTensor({.shape = {2}, .writable = true}),
                 y = context.createTensor({.shape = {2}, .readable = true});
    context.write<float>(x, {5, 7});
    context.dispatch(graph, {{"x", x}}, {{"y", y}});
    EXPECT_EQ(context.read<float>(y), (std::vector<float>{10, 14}));
  }
}

TEST(BuildAsync, ReturnsBeforeItCompilesAndKeepsTheOrderOfTheCalls) {
  const auto gate = Gate::make();
  Context context = makeContext(gate->backend, {});
  Doubling first(context), second(context);
  std::vector<int> order;  // written on the timeline
  std::promise<void> both;
  first.builder.buildAsync(first.outputs(), [&](std::exception_ptr, Graph) { order.push_back(1); });
  gate->entered.acquire();
  second.builder.buildAsync(second.outputs(), [&](std::exception_ptr, Graph) {
    order.push_back(2);
    both.set_value();
  });
  EXPECT_FALSE(gate->entered.try_acquire());  // the second build has not begun
  gate->mayGo.release(1);
  gate->entered.acquire();
  gate->mayGo.release(1);
  both.get_future().get();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(BuildAsync, CallsBackOnTheTimelineOrBeforeItReturns) {
  for (const Execution execution : {Execution::worker, Execution::callerThread}) {
    const auto backend = std::make_shared<test::FakeBackend>();
    std::thread::id compiled, told;
    backend->beforeCompile = [&] { compiled = std::this_thread::get_id(); };
    Context context = makeContext(backend, {.execution = execution});
    Doubling doubling(context);
    std::promise<Graph> done;
    bool isDone = false;
    doubling.builder.buildAsync(doubling.outputs(), [&](std::exception_ptr error, Graph graph) {
      EXPECT_EQ(error, nullptr);
      told = std::this_thread::get_id();
      isDone = true;
      done.set_value(std::move(graph));
    });
    EXPECT_TRUE(execution == Execution::worker || isDone);
    expectDoubles(done.get_future().get());
    EXPECT_EQ(told, compiled);
    EXPECT_EQ(told == std::this_thread::get_id(), execution == Execution::callerThread);
  }
}

TEST(BuildAsync, ThrowsErrorsOfItsArgumentsAtOnceAndLeavesTheBuilderUsable) {
  Context context = test::makeContext();
  Doubling doubling(context);
  GraphBuilder& builder = doubling.builder;
  int calls = 0;
  const auto done = [&](std::exception_ptr, Graph) { ++calls; };
  expectTypeError({"build", "no outputs"}, [&] { builder.buildAsync({}); });
  expectTypeError({"build", "no outputs"}, [&] { builder.buildAsync({}, done); });
  expectTypeError({"build", "\"y\"", "twice"}, [&] { builder.buildAsync({{"y", doubling.y}, {"y", doubling.y}}); });
  expectTypeError({"build", "nothing to call"}, [&] { builder.buildAsync(doubling.outputs(), nullptr); });
  expectDoubles(builder.buildAsync(doubling.outputs()).get());
  expectError(ErrorKind::invalidStateError, {"build", "already built"}, [&] { builder.buildAsync(doubling.outputs(), done); });
  Doubling other(context);
  context.destroy();
  expectError(ErrorKind::invalidStateError, {"build", "lost"}, [&] { other.builder.buildAsync(other.outputs(), done); });
  EXPECT_EQ(calls, 0);
}

TEST(BuildAsync, GivesTheErrorsOfCompiling) {
  for (const Execution execution : {Execution::worker, Execution::callerThread}) {
    const auto backend = std::make_shared<test::FakeBackend>();
    std::vector<std::string> reported;
    Context context =
        makeContext(backend, {.execution = execution, .onError = [&](const Error& error) { reported.push_back(error.what()); }});
    const auto build = [&] {
      Doubling doubling(context);
      std::future<Graph> future = doubling.builder.buildAsync(doubling.outputs());
      expectError(ErrorKind::invalidStateError, {"already built"}, [&] { doubling.builder.relu(doubling.y); });
      return future.get();
    };
    backend->beforeCompile = [] { throw std::runtime_error("no kernels"); };
    expectError(ErrorKind::operationError, {"build: no kernels."}, build);
    backend->beforeCompile = [] { throw Error(ErrorKind::notSupportedError, "not this one."); };
    expectError(ErrorKind::notSupportedError, {"not this one."}, build);
    backend->beforeCompile = [] { throw std::bad_alloc(); };
    expectError(ErrorKind::unknownError, {"there is not enough memory."}, build);
    backend->beforeCompile = [] {};
    expectDoubles(build());
    EXPECT_TRUE(reported.empty());
  }
}

TEST(BuildAsync, IsRefusedBeyondTheLimitOfMemory) {
  Context context = Context::create({.backend = "cpu", .limits = {.maxMemory = 1 << 20}});
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {1000, 1}}), y = builder.input("y", {DataType::float32, {1, 1000}});
  std::future<Graph> future = builder.buildAsync({{"z", builder.reduceSum(builder.matmul(x, y))}});
  expectError(ErrorKind::operationError, {"build: ", "of 4000000 bytes", "maxMemory, 1048576 bytes"}, [&] { future.get(); });
  EXPECT_EQ(context.memoryInUse(), 0U);
}

TEST(BuildAsync, ThatIsStoppedOrLateDoesNotBegin) {
  const auto gate = Gate::make();
  Context context = makeContext(gate->backend, {});
  Doubling running(context), stopped(context), late(context), last(context);
  std::future<Graph> first = running.builder.buildAsync(running.outputs());
  gate->entered.acquire();
  std::stop_source source;
  std::future<Graph> second = stopped.builder.buildAsync(stopped.outputs(), {.stop = source.get_token()});
  std::future<Graph> third = late.builder.buildAsync(late.outputs(), {.timeout = nanoseconds(0)});
  std::future<Graph> fourth = last.builder.buildAsync(last.outputs());
  source.request_stop();
  gate->mayGo.release();
  expectDoubles(first.get());
  expectError(ErrorKind::abortError, {"build: a stop was requested."}, [&] { second.get(); });
  expectError(ErrorKind::timeoutError, {"build: the time that it may take is over."}, [&] { third.get(); });
  gate->entered.acquire();  // the fourth build; the others ended before they reached the backend
  gate->mayGo.release();
  expectDoubles(fourth.get());
}

TEST(BuildAsync, OfAContextThatIsLostIsAnInvalidStateError) {
  const auto gate = Gate::make();
  Context context = makeContext(gate->backend, {});
  Doubling running(context), waiting(context);
  std::future<Graph> first = running.builder.buildAsync(running.outputs());
  gate->entered.acquire();
  std::future<Graph> second = waiting.builder.buildAsync(waiting.outputs());
  context.destroy();
  gate->mayGo.release();
  for (std::future<Graph>* future : {&first, &second})
    expectError(ErrorKind::invalidStateError, {"build: the context is lost."}, [&] { future->get(); });
  EXPECT_FALSE(gate->entered.try_acquire());
}

TEST(BuildAsync, OfAContextThatIsLostIsAnInvalidStateErrorWhateverElseGoesWrong) {
  const auto gate = Gate::make();
  Context context = makeContext(gate->backend, {});
  gate->backend->beforeCompile = [gate = gate.get()] {
    gate->entered.release();
    gate->mayGo.acquire();
    throw std::bad_alloc();
  };
  Doubling doubling(context);
  std::future<Graph> future = doubling.builder.buildAsync(doubling.outputs());
  gate->entered.acquire();
  context.destroy();
  gate->mayGo.release();
  expectError(ErrorKind::invalidStateError, {"build: the context is lost."}, [&] { future.get(); });
}

// Waits on another thread until the build has begun, then releases the gate.
class Opener {
 public:
  explicit Opener(const std::shared_ptr<Gate>& gate)
      : thread_([gate] {
          gate->entered.acquire();
          gate->mayGo.release();
        }) {}

 private:
  std::jthread thread_;
};

TEST(BuildAsync, IsFinishedBeforeTheLastHandleOfTheContextIsGone) {
  const auto gate = Gate::make();
  std::future<Graph> future;
  {
    const Opener opener(gate);
    Doubling doubling(makeContext(gate->backend, {}));  // the builder has the only handle of the context
    future = doubling.builder.buildAsync(doubling.outputs());
  }
  ASSERT_EQ(future.wait_for(std::chrono::seconds(0)), std::future_status::ready);
  expectDoubles(future.get());
}

TEST(BuildAsync, ThatNobodyWaitsForIsFinishedAndLeavesNothing) {
  const auto gate = Gate::make();
  std::weak_ptr<ContextState> context;
  std::weak_ptr<int> constant;
  {
    const Opener opener(gate);
    const auto bytes = std::make_shared<int>(7);
    Context own = makeContext(gate->backend, {});
    context = own.state()->weak_from_this();
    constant = bytes;
    GraphBuilder builder(own);
    const Operand c = builder.constant({DataType::int32, {}}, ExternalBytes{std::as_bytes(std::span(bytes.get(), 1)), bytes});
    static_cast<void>(builder.buildAsync({{"y", builder.identity(c)}}));
  }
  EXPECT_TRUE(context.expired());
  EXPECT_TRUE(constant.expired());
}

TEST(BuildAsync, MayLetGoOfEveryHandleInItsCallback) {
  for (const Execution execution : {Execution::worker, Execution::callerThread}) {
    struct Handles {
      Context context;
      std::unique_ptr<Doubling> doubling;
    };
    const auto gate = Gate::make();
    if (execution == Execution::callerThread) gate->backend->beforeCompile = [] {};
    const auto handles = std::make_shared<Handles>();
    handles->context = makeContext(gate->backend, {.execution = execution});
    handles->doubling = std::make_unique<Doubling>(handles->context);
    const std::weak_ptr<ContextState> context = handles->context.state();
    std::promise<bool> isGone;
    handles->doubling->builder.buildAsync(handles->doubling->outputs(),
                                          [handles, context, &isGone](std::exception_ptr, Graph graph) {
                                            expectDoubles(graph);
                                            *handles = {};
                                            isGone.set_value(context.expired());
                                          });
    gate->mayGo.release();
    // With callerThread, the callback runs inside buildAsync(), which keeps the context until it returns.
    EXPECT_EQ(isGone.get_future().get(), execution == Execution::worker);
    EXPECT_TRUE(context.expired());
  }
}

TEST(BuildAsync, RunsOnSeveralContextsAndThreadsAtOnce) {
  Context shared = Context::create({.backend = "reference"});
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([shared, i] {
      for (int round = 0; round < 20; ++round) {
        const Context own = i % 2 == 0 ? shared : Context::create({.backend = "reference"});
        auto doubling = std::make_unique<Doubling>(own);
        std::future<Graph> future = doubling->builder.buildAsync(doubling->outputs());
        doubling.reset();
        if (round % 4 != 0) expectDoubles(future.get());
      }
    });
  }
}

TEST(BuildAsync, MayMeetTheEndOfItsContext) {
  for (int round = 0; round < 50; ++round) {
    Context context = Context::create({.backend = "reference"});
    std::vector<std::future<Graph>> futures;
    std::jthread destroyer;
    for (int i = 0; i < 4; ++i) {
      Doubling doubling(context);
      futures.push_back(doubling.builder.buildAsync(doubling.outputs()));
    }
    destroyer = std::jthread([context]() mutable { context.destroy(); });
    for (std::future<Graph>& future : futures) {
      try {
        expectDoubles(future.get());
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::invalidStateError) << error.what();
      }
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
