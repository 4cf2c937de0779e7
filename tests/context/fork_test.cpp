// Tests that after fork(), calls on a parent's context fail immediately in the child, which lacks the context's threads, and that
// a new context works.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <future>

#include "context/context_state.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

struct Program {
  Context context;
  Graph graph;
  Tensor x, y;
};

Program makeProgram() {
  Context context = Context::create({.backend = "cpu", .execution = Execution::worker, .threads = 2});
  GraphBuilder builder(context);
  const OperandDescriptor rows{DataType::float32, {64, 256}};
  const Operand x = builder.input("x", rows);
  const Operand weights = builder.constant({DataType::float32, {256, 256}}, std::vector<std::byte>(256 * 256 * 4));
  Graph graph = builder.build({{"y", builder.cos(builder.matmul(x, weights))}});
  Tensor in = context.createTensor({rows.dataType, rows.shape, false, true});
  Tensor out = context.createTensor({rows.dataType, rows.shape, true, false});
  return {context, graph, in, out};
}

bool computesOnes(Program& program) {
  program.context.write(program.x, std::vector<float>(64 * 256, 1));
  program.context.dispatch(program.graph, {{"x", program.x}}, {{"y", program.y}});
  return program.context.read<float>(program.y) == std::vector<float>(64 * 256, 1);
}

// Returns whether `call` returns true in a forked child within 30 seconds.
bool holdsInChild(const std::function<bool()>& call) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);
    ::_exit(call() ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_FALSE(WIFSIGNALED(status)) << "signal " << WTERMSIG(status);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool isRefused(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind() == ErrorKind::invalidStateError && std::string(error.what()).find("fork") != std::string::npos;
  }
  return false;
}

TEST(Fork, RefusesTheContextOfTheParentInTheChild) {
  Program program = makeProgram();
  ASSERT_TRUE(computesOnes(program));
  EXPECT_TRUE(holdsInChild([&] {
    std::vector<std::byte> in(64 * 256 * 4), out(64 * 256 * 4);
    const std::span<const std::byte> inputs[] = {in};
    const std::span<std::byte> outputs[] = {out};
    return isRefused([&] { GraphBuilder builder(program.context); }) &&
           isRefused([&] { program.context.write(program.x, std::vector<float>(64 * 256, 1)); }) && isRefused([&] {
             program.context.dispatch(program.graph, {{"x", program.x}}, {{"y", program.y}});
           }) &&
           isRefused([&] { program.context.readTensor(program.y); }) &&
           isRefused([&] { program.graph.compute(inputs, outputs); }) && isRefused([&] {
             program.context.createTensor({DataType::float32, {1}});
           }) &&
           isRefused([&] { program.context.compile(program.graph); });
  }));
  EXPECT_TRUE(computesOnes(program)) << "the parent goes on";
}

bool refusesToCompute(Program& program) {
  return isRefused([&] {
           program.context.dispatch(program.graph, {{"x", program.x}}, {{"y", program.y}});
         }) &&
         isRefused([&] { program.context.readTensor(program.y); }) && isRefused([&] { program.context.read<float>(program.y); });
}

TEST(Fork, RefusesAContextWhoseThreadsHaveNotStarted) {
  Program program = makeProgram();
  EXPECT_TRUE(holdsInChild([&] { return refusesToCompute(program); }));
  EXPECT_TRUE(computesOnes(program));
}

// Tests a fork while the timeline is busy and dispatches are queued: the child refuses the context and can release it.
TEST(Fork, RefusesAContextThatIsAtWorkAndLetsGoOfIt) {
  auto program = std::make_unique<Program>(makeProgram());
  Context& context = program->context;
  context.write(program->x, std::vector<float>(64 * 256, 1));
  std::promise<void> reached, goOn;
  context.state()->whenIdle([&] {  // keeps the timeline busy until the process has forked
    reached.set_value();
    goOn.get_future().wait();
  });
  for (int i = 0; i < 100; ++i) context.dispatch(program->graph, {{"x", program->x}}, {{"y", program->y}});
  reached.get_future().wait();
  const bool holds = holdsInChild([&] {
    const bool isRefused = refusesToCompute(*program);
    program.reset();
    Program own = makeProgram();
    return isRefused && computesOnes(own);
  });
  goOn.set_value();
  EXPECT_TRUE(holds);
  EXPECT_EQ(context.read<float>(program->y), std::vector<float>(64 * 256, 1)) << "the parent goes on";
}

// Tests that a process forked in the callback of a read can release the tensor. A callback may call any function, because the
// library holds no lock.
TEST(Fork, LetsGoOfATensorWhenItsReadEnds) {
  Program program = makeProgram();
  std::vector<std::byte> bytes(64 * 256 * 4);
  std::promise<bool> held;
  program.context.readTensor(program.y, bytes, [&](std::exception_ptr) {
    const bool letsGo = holdsInChild([&] {
      program.y.destroy();
      return true;
    });
    program.y.destroy();
    held.set_value(letsGo);
  });
  EXPECT_TRUE(held.get_future().get());
}

TEST(Fork, LetsGoOfTheParentsObjectsInTheChildAndMakesNewOnes) {
  auto program = std::make_unique<Program>(makeProgram());
  ASSERT_TRUE(computesOnes(*program));
  EXPECT_TRUE(holdsInChild([&] {
    program.reset();
    Program own = makeProgram();
    return computesOnes(own);
  }));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
