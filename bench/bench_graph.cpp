#include "bench_graph.h"

#include <benchmark/benchmark.h>

#include <charconv>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "context/graph_state.h"
#include "measure/bench_buffers.h"
#include "measure/graph_statistics.h"
#include "measure/graph_work.h"
#include "measure/random_elements.h"
#include "webnn/context.h"

namespace webnn::bench {

namespace {

std::string variable(const char* name, const char* absent) {
  const char* value = std::getenv(name);
  return value && *value ? value : absent;
}

std::vector<std::uint32_t> threadCounts() {
  const std::string list = variable("WEBNN_BENCH_THREADS", "1,2");
  std::vector<std::uint32_t> counts;
  for (const char *at = list.data(), *end = at + list.size(); at < end; ++at) {
    std::uint32_t count = 0;
    at = std::from_chars(at, end, count).ptr;
    counts.push_back(count);
  }
  return counts;
}

void measure(benchmark::State& state, std::uint32_t threads, const std::function<Operand(Maker&)>& make, bool readsConstants) {
  try {
    Context context = Context::create(
        {.backend = variable("WEBNN_BENCH_BACKEND", "cpu"), .execution = Execution::callerThread, .threads = threads});
    Maker maker(context);
    const Operand y = make(maker);
    const Graph graph = maker.builder.build({{"y", y}});
    const std::shared_ptr<const Executable> executable = graph.state()->executable();
    const measure::BenchBuffers buffers(graph);
    buffers.run(*executable);
    for (auto iteration : state) {
      static_cast<void>(iteration);
      buffers.run(*executable);
    }
    const GraphDefinition& definition = *graph.state()->definition;
    const double flop = static_cast<double>(measure::flopOf(definition));
    const double bytes =
        static_cast<double>(buffers.bytes() + (readsConstants ? measure::statisticsOf(definition).parameterBytes : 0));
    const auto perSecond = [](double amount) {
      return benchmark::Counter(amount / 1e9, benchmark::Counter::kIsIterationInvariantRate);
    };
    if (flop > 0) state.counters["GFLOP"] = perSecond(flop);
    if (flop == 0) state.counters["GB"] = perSecond(bytes);
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

}  // namespace

Operand Maker::input(Shape shape, DataType type) {
  return builder.input("x" + std::to_string(count_++), {type, std::move(shape)});
}

Operand Maker::weights(Shape shape, DataType type) {
  const OperandDescriptor descriptor{type, std::move(shape)};
  return builder.constant(descriptor, measure::randomElements(descriptor, 1));
}

void add(const std::string& name, std::function<Operand(Maker&)> make, bool readsConstants) {
  for (const std::uint32_t threads : threadCounts()) {
    benchmark::RegisterBenchmark((name + "/threads:" + std::to_string(threads)).c_str(),
                                 [=](benchmark::State& state) { measure(state, threads, make, readsConstants); })
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

std::string text(const Shape& shape) {
  std::string result;
  for (const std::uint32_t size : shape) result += (result.empty() ? "" : "x") + std::to_string(size);
  return result;
}

}  // namespace webnn::bench
