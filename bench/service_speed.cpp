// Compares the speed of graphs in the service with their speed in the program's own process: round trips, several dispatches at
// once, large tensors and models. Prints a Markdown table. usage: service_speed [MODEL...]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "webnn/webnn.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

double microsecondsOf(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return Microseconds(Clock::now() - start).count();
}

double medianOf(int runs, const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) times.push_back(microsecondsOf(work));
  return median(std::move(times));
}

struct OneElement {
  explicit OneElement(const webnn::ContextOptions& options) : context(webnn::Context::create(options)) {
    webnn::GraphBuilder builder(context);
    const webnn::Operand x = builder.input("x", {webnn::DataType::float32, {1}});
    graph = builder.build({{"y", builder.add(x, x)}});
    input = context.createTensor({.dataType = webnn::DataType::float32, .shape = {1}, .writable = true});
    output = context.createTensor({.dataType = webnn::DataType::float32, .shape = {1}, .readable = true});
  }
  void roundTrip() {
    context.write<float>(input, {++value});
    context.dispatch(graph, {{"x", input}}, {{"y", output}});
    if (context.read<float>(output)[0] != 2 * value) std::puts("WRONG");
  }
  // Dispatches 16 times without reading a result in between.
  void dispatches() {
    for (int i = 0; i < 16; ++i) context.dispatch(graph, {{"x", input}}, {{"y", output}});
    context.read<float>(output);
  }
  webnn::Context context;
  webnn::Graph graph;
  webnn::Tensor input, output;
  float value = 0;
};

// Returns the GB/s of writing a tensor of 100 MB, and of reading it.
std::pair<double, double> throughput(const webnn::ContextOptions& options) {
  constexpr std::uint32_t kElements = 25'000'000;
  webnn::Context context = webnn::Context::create(options);
  const webnn::Tensor tensor =
      context.createTensor({.dataType = webnn::DataType::float32, .shape = {kElements}, .readable = true, .writable = true});
  std::vector<std::byte> bytes(std::size_t{4} * kElements, std::byte{1});
  const double gigabytes = static_cast<double>(bytes.size()) / 1e9;
  const auto write = [&] { context.writeTensor(tensor, bytes); };
  const auto read = [&] { context.readTensor(tensor, bytes).get(); };
  write();
  read();
  return {gigabytes / (medianOf(7, write) * 1e-6), gigabytes / (medianOf(7, read) * 1e-6)};
}

double memcpySpeed() {
  std::vector<char> from(100'000'000, 1), to(100'000'000, 2);
  return 0.1 / (medianOf(7, [&] { std::memcpy(to.data(), from.data(), from.size()); }) * 1e-6);
}

double modelTime(const webnn::ContextOptions& options, const char* model) {
  webnn::Context context = webnn::Context::create(options);
  webnn::Graph graph = webnn::load(context, model);
  std::vector<webnn::NamedTensor> inputs, outputs;
  for (const auto& [name, descriptor] : graph.inputs())
    inputs.emplace_back(name,
                        context.createTensor({.dataType = descriptor.dataType, .shape = descriptor.shape, .writable = true}));
  for (const auto& [name, descriptor] : graph.outputs())
    outputs.emplace_back(name,
                         context.createTensor({.dataType = descriptor.dataType, .shape = descriptor.shape, .readable = true}));
  const auto run = [&] {
    context.dispatch(graph, inputs, outputs);
    context.readTensor(outputs[0].second).get();
  };
  run();
  run();
  std::vector<double> times;
  const auto end = Clock::now() + std::chrono::seconds(2);
  while (Clock::now() < end) times.push_back(microsecondsOf(run));
  return median(std::move(times));
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::pair<const char*, webnn::ContextOptions>> places{
      {"in process", {}},
      {"caller's thread", {.execution = webnn::Execution::callerThread}},
      {"service", {.execution = webnn::Execution::service}}};
  std::printf(
      "| | round trip, us | after 10 ms, us | of 16 in flight, each, us | write, GB/s | read, GB/s "
      "|\n|---|---|---|---|---|---|\n");
  for (const auto& [name, options] : places) {
    OneElement one(options);
    for (int i = 0; i < 1000; ++i) one.roundTrip();
    const double hot = medianOf(20000, [&] { one.roundTrip(); });
    std::vector<double> rested;
    for (int i = 0; i < 200; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      rested.push_back(microsecondsOf([&] { one.roundTrip(); }));
    }
    const double flight = medianOf(2000, [&] { one.dispatches(); }) / 16;
    const auto [write, read] = throughput(options);
    std::printf("| %s | %.1f | %.1f | %.2f | %.1f | %.1f |\n", name, hot, median(rested), flight, write, read);
  }
  std::printf("\nmemcpy: %.1f GB/s\n", memcpySpeed());
  if (argc > 1) std::printf("\n| model | in process, ms | service, ms | ratio |\n|---|---|---|---|\n");
  for (int i = 1; i < argc; ++i) {
    std::vector<double> here, there;
    for (int turn = 0; turn < 5; ++turn) {  // alternate, so that other load on the machine affects both
      here.push_back(modelTime(places[0].second, argv[i]));
      there.push_back(modelTime(places[2].second, argv[i]));
    }
    std::printf("| %s | %.3f | %.3f | %.3f |\n", argv[i], median(here) / 1000, median(there) / 1000,
                median(there) / median(here));
  }
}
