// Tests that contexts, graphs and tensors are thread safe. `make tsan` runs this test with ThreadSanitizer.
#include <thread>

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

struct Program {
  Context context;
  Graph graph;

  explicit Program(Execution execution) : context(Context::create({.backend = "reference", .execution = execution})) {
    GraphBuilder builder(context);
    const Operand x = builder.input("x", {DataType::int32, {64}});
    graph = builder.build({{"y", builder.add(x, builder.constant(DataType::int32, 1))}});
  }
  Tensor tensor() {
    return context.createTensor({.dataType = DataType::int32, .shape = {64}, .readable = true, .writable = true});
  }
};

// Adds 1 `steps` times, in tensors of its own, and expects the sum.
void count(Program program, int steps) {
  Tensor a = program.tensor(), b = program.tensor();
  for (int i = 0; i < steps; ++i) {
    program.context.dispatch(program.graph, {{"x", a}}, {{"y", b}});
    std::swap(a, b);
  }
  EXPECT_EQ(program.context.read<std::int32_t>(a), std::vector<std::int32_t>(64, steps));
}

TEST(Threads, ShareAContextAndAGraph) {
  for (Execution execution : {Execution::worker, Execution::callerThread}) {
    const Program program(execution);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([program] { count(program, 50); });
  }
}

TEST(Threads, UseContextsOfTheirOwnInParallel) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([] { count(Program(Execution::worker), 50); });
}

TEST(Threads, MayDestroyWhileOthersUse) {
  for (int round = 0; round < 20; ++round) {
    Program program(Execution::worker);
    Tensor x = program.tensor(), y = program.tensor();
    std::jthread user([&] {
      try {
        for (int i = 0; i < 20; ++i) {
          program.context.dispatch(program.graph, {{"x", x}}, {{"y", y}});
          program.context.readTensor(y).get();
        }
      } catch (const Error& error) {
        EXPECT_TRUE(error.kind() == ErrorKind::typeError || error.kind() == ErrorKind::invalidStateError) << error.what();
      }
    });
    if (round % 3 == 0) y.destroy();
    if (round % 3 == 1) program.graph.destroy();
    if (round % 3 == 2) program.context.destroy();
  }
}

TEST(Threads, CompileOneGraphForSeveralContextsAtOnce) {
  const Program program(Execution::worker);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([graph = program.graph] {
      Program own(Execution::worker);
      own.graph = own.context.compile(graph);
      count(own, 10);
    });
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
