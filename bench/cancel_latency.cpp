// How long a run that is ended takes to end: a step of seconds for each family of kernels, ended in its middle.
//   cancel_latency [THREADS [BACKEND [FILTER]]]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "webnn/context.h"
#include "webnn/graph_builder.h"

namespace {

using namespace webnn;
using Clock = std::chrono::steady_clock;
using Make = std::function<Operand(GraphBuilder&)>;

constexpr int kRepeats = 5;
constexpr std::chrono::milliseconds kBefore{150};  // from the begin to the request

struct Case {
  const char* name;
  Make make;
};

Operand input(GraphBuilder& builder, const char* name, Shape shape, DataType type = DataType::float32) {
  return builder.input(name, {type, std::move(shape)});
}

// Steps of some seconds each on one thread.
std::vector<Case> cases() {
  const auto f = DataType::float32;
  return {
      {"matmul 6000^3", [](GraphBuilder& b) { return b.matmul(input(b, "a", {6000, 6000}), input(b, "b", {6000, 6000})); }},
      {"matmul deep", [](GraphBuilder& b) { return b.matmul(input(b, "a", {64, 3'000'000}), input(b, "b", {3'000'000, 64})); }},
      {"matmul batches", [](GraphBuilder& b) { return b.matmul(input(b, "a", {100'000, 64, 64}), input(b, "b", {100'000, 64, 64})); }},
      {"conv2d 3x3",
       [](GraphBuilder& b) {
         return b.conv2d(input(b, "x", {1, 256, 512, 512}), input(b, "w", {256, 256, 3, 3}), {.padding = {{1, 1, 1, 1}}});
       }},
      {"conv2d 31x31", [](GraphBuilder& b) { return b.conv2d(input(b, "x", {1, 64, 256, 256}), input(b, "w", {64, 64, 31, 31})); }},
      {"conv2d whole image", [](GraphBuilder& b) { return b.conv2d(input(b, "x", {1, 8, 1500, 1500}), input(b, "w", {8, 8, 700, 700})); }},
      {"conv2d grouped", [](GraphBuilder& b) {
         return b.conv2d(input(b, "x", {1, 256, 512, 512}), input(b, "w", {256, 64, 7, 7}), {.groups = 4});
       }},
      {"conv2d depthwise large", [](GraphBuilder& b) {
         return b.conv2d(input(b, "x", {1, 16, 1500, 1500}), input(b, "w", {16, 1, 500, 500}), {.groups = 16});
       }},
      {"convTranspose2d", [](GraphBuilder& b) {
         return b.convTranspose2d(input(b, "x", {1, 128, 256, 256}), input(b, "w", {128, 128, 5, 5}), {.strides = {{2, 2}}});
       }},
      {"maxPool2d large window", [](GraphBuilder& b) {
         return b.maxPool2d(input(b, "x", {4, 1, 4000, 4000}), {.windowDimensions = {{2000, 2000}}});
       }},
      {"averagePool2d wide window", [](GraphBuilder& b) {
         return b.averagePool2d(input(b, "x", {1, 1, 20, 120'000}), {.windowDimensions = {{10, 60'000}}});
       }},
      {"maxPool2d nhwc", [](GraphBuilder& b) {
         return b.maxPool2d(input(b, "x", {1, 800, 800, 16}), {.windowDimensions = {{300, 300}}, .layout = InputOperandLayout::nhwc});
       }},
      {"lstm", [](GraphBuilder& b) {
         return b.lstm(input(b, "x", {500, 8, 1024}), input(b, "w", {1, 8192, 1024}), input(b, "r", {1, 8192, 2048}), 500, 2048)[0];
       }},
      {"lstm wide", [](GraphBuilder& b) {
         return b.lstm(input(b, "x", {20, 1, 64}), input(b, "w", {1, 32768, 64}), input(b, "r", {1, 32768, 8192}), 20, 8192)[0];
       }},
      {"gru", [](GraphBuilder& b) {
         return b.gru(input(b, "x", {2000, 1, 1024}), input(b, "w", {1, 6144, 1024}), input(b, "r", {1, 6144, 2048}), 2000, 2048)[0];
       }},
      {"softmax rows", [](GraphBuilder& b) { return b.softmax(input(b, "x", {20, 20'000'000}), 1); }},
      {"softmax columns", [](GraphBuilder& b) { return b.softmax(input(b, "x", {2'000'000, 200}), 0); }},
      {"layerNormalization rows", [](GraphBuilder& b) { return b.layerNormalization(input(b, "x", {20, 20'000'000})); }},
      {"layerNormalization first axis", [](GraphBuilder& b) {
         return b.layerNormalization(input(b, "x", {2'000'000, 200}), {.axes = {{0}}});
       }},
      {"instanceNormalization", [](GraphBuilder& b) { return b.instanceNormalization(input(b, "x", {1, 4, 10'000, 10'000})); }},
      {"reduceSum", [](GraphBuilder& b) { return b.reduceSum(input(b, "x", {1'000, 400'000})); }},
      {"reduceLogSumExp rows", [](GraphBuilder& b) { return b.reduceLogSumExp(input(b, "x", {20, 20'000'000}), {.axes = {{1}}}); }},
      {"reduceLogSumExp columns", [](GraphBuilder& b) { return b.reduceLogSumExp(input(b, "x", {2'000'000, 200}), {.axes = {{0}}}); }},
      {"reduceProduct columns", [](GraphBuilder& b) { return b.reduceProduct(input(b, "x", {2'000'000, 200}), {.axes = {{0}}}); }},
      {"reduceSum int32", [](GraphBuilder& b) {
         return b.reduceSum(input(b, "x", {2'000'000, 200}, DataType::int32), {.axes = {{0}}});
       }},
      {"argMax columns", [](GraphBuilder& b) { return b.argMax(input(b, "x", {2'000'000, 200}), 0); }},
      {"cumulativeSum", [](GraphBuilder& b) { return b.cumulativeSum(input(b, "x", {400'000'000}), 0); }},
      {"cumulativeSum columns", [](GraphBuilder& b) { return b.cumulativeSum(input(b, "x", {2'000'000, 200}), 0); }},
      {"chain", [](GraphBuilder& b) { return b.tan(b.sin(b.erf(b.exp(input(b, "x", {400'000'000}))))); }},
      {"pow", [](GraphBuilder& b) { return b.pow(input(b, "x", {20'000, 20'000}), input(b, "y", {20'000})); }},
      {"integer division", [](GraphBuilder& b) {
         return b.div(input(b, "x", {300'000'000}, DataType::int64), input(b, "y", {1}, DataType::int64));
       }},
      {"transpose", [](GraphBuilder& b) { return b.transpose(input(b, "x", {20'000, 20'000})); }},
      {"transpose 5-D", [](GraphBuilder& b) {
         return b.transpose(input(b, "x", {50, 50, 50, 50, 50}), {.permutation = {{4, 2, 0, 3, 1}}});
       }},
      {"gather", [](GraphBuilder& b) {
         return b.gather(input(b, "x", {1'000'000, 64}), input(b, "i", {6'000'000}, DataType::int32));
       }},
      {"gatherElements", [](GraphBuilder& b) {
         return b.gatherElements(input(b, "x", {300'000'000}), input(b, "i", {300'000'000}, DataType::int32));
       }},
      {"scatterElements", [](GraphBuilder& b) {
         return b.scatterElements(input(b, "x", {300'000'000}), input(b, "i", {300'000'000}, DataType::int32),
                                  input(b, "u", {300'000'000}));
       }},
      {"scatterND", [](GraphBuilder& b) {
         return b.scatterND(input(b, "x", {300'000'000}), input(b, "i", {100'000'000, 1}, DataType::int32), input(b, "u", {100'000'000}));
       }},
      {"resample2d", [](GraphBuilder& b) {
         return b.resample2d(input(b, "x", {1, 1, 2000, 2000}), {.mode = InterpolationMode::linear, .sizes = {{20'000, 20'000}}});
       }},
      {"quantizeLinear", [f](GraphBuilder& b) {
         return b.quantizeLinear(input(b, "x", {400'000'000}), b.constant(f, 0.1), b.constant(DataType::int8, 0));
       }},
      {"attention", [](GraphBuilder& b) {
         const Operand q = input(b, "q", {1, 16, 8192, 64}), k = input(b, "k", {1, 16, 64, 8192}), v = input(b, "v", {1, 16, 8192, 64});
         return b.matmul(b.softmax(b.matmul(q, k), 3), v);
       }},
      {"attention of one query", [](GraphBuilder& b) {
         const Operand q = input(b, "q", {1, 4, 1, 128}), k = input(b, "k", {1, 4, 128, 400'000}), v = input(b, "v", {1, 4, 400'000, 128});
         return b.matmul(b.softmax(b.matmul(q, k), 3), v);
       }},
      {"pad", [](GraphBuilder& b) { return b.pad(input(b, "x", {15'000, 15'000}), {2500, 2500}, {2500, 2500}); }},
      {"tile", [](GraphBuilder& b) { return b.tile(input(b, "x", {1000, 1}), {1, 400'000}); }},
      {"triangular", [](GraphBuilder& b) { return b.triangular(input(b, "x", {20'000, 20'000})); }},
      {"where", [](GraphBuilder& b) {
         return b.where(input(b, "c", {400'000'000}, DataType::uint8), input(b, "x", {400'000'000}), b.constant(DataType::float32, 0));
       }},
  };
}

double milliseconds(Clock::duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

// The longest time from the request to the end, in milliseconds; negative if the run ended by itself before.
double measure(Context& context, const Graph& graph) {
  std::vector<NamedTensor> inputs, outputs;
  for (const auto& [name, descriptor] : graph.inputs())
    inputs.emplace_back(name, context.createTensor({.dataType = descriptor.dataType, .shape = descriptor.shape, .readable = false, .writable = true}));
  for (const auto& [name, descriptor] : graph.outputs())
    outputs.emplace_back(name, context.createTensor({.dataType = descriptor.dataType, .shape = descriptor.shape, .readable = true, .writable = false}));
  const Tensor first = context.createTensor({.shape = {1}, .readable = true});
  double longest = -1;
  for (int i = 0; i < kRepeats; ++i) {
    std::stop_source source;
    context.dispatch(graph, inputs, outputs, {.stop = source.get_token()});
    auto read = context.readTensor(first);  // ready when the run before it is
    if (read.wait_for(kBefore) == std::future_status::ready) continue;
    const Clock::time_point requested = Clock::now();
    source.request_stop();
    read.get();
    longest = std::max(longest, milliseconds(Clock::now() - requested));
  }
  return longest;
}

}  // namespace

int main(int argc, char** argv) {
  const auto threads = static_cast<std::uint32_t>(argc > 1 ? std::atoi(argv[1]) : 1);
  const std::string backend = argc > 2 ? argv[2] : "cpu", filter = argc > 3 ? argv[3] : "";
  for (const Case& one : cases()) {
    if (std::string(one.name).find(filter) == std::string::npos) continue;
    try {
      ContextOptions options;
      options.backend = backend;
      options.threads = threads;
      Context context = Context::create(std::move(options));
      GraphBuilder builder(context);
      const Operand output = one.make(builder);
      const Graph graph = builder.build({{"y", output}});
      const double longest = measure(context, graph);
      std::printf("%-32s %s\n", one.name, longest < 0 ? "ends by itself" : (std::to_string(longest) + " ms").c_str());
    } catch (const Error& error) {
      std::printf("%-32s %s\n", one.name, error.what());
    }
    std::fflush(stdout);
  }
}
