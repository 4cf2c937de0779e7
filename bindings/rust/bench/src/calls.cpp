// The C++ half of the benchmark. Each function except cpp_model() returns the nanoseconds that a loop of calls took.
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "webnn/webnn.hpp"

namespace {

using webnn::DataType;

template <typename Run>
std::uint64_t timeOf(Run run) {
  auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
}

struct Model {
  webnn::Context context;
  webnn::Graph graph;
  std::vector<webnn::NamedTensor> inputs, outputs;
  std::vector<std::vector<std::byte>> inputBytes, outputBytes;
  std::vector<std::span<const std::byte>> inputSpans;
  std::vector<std::span<std::byte>> outputSpans;
};

Model& model(void* pointer) { return *static_cast<Model*>(pointer); }

}  // namespace

extern "C" {

// Loads `path`, or makes the graph y = relu(x) of 4 elements if `path` is empty.
void* cpp_model(const char* path) {
  auto model = std::make_unique<Model>();
  model->context = webnn::Context::create({.backend = "cpu", .threads = 1});
  if (*path != 0) {
    model->graph = webnn::load(model->context, path);
  } else {
    webnn::GraphBuilder builder(model->context);
    model->graph = builder.build({{"y", builder.relu(builder.input("x", {DataType::float32, {4}}))}});
  }
  for (auto& [name, descriptor] : model->graph.inputs()) {
    model->inputs.push_back({name, model->context.createTensor({descriptor.dataType, descriptor.shape, false, true})});
    model->inputBytes.emplace_back(webnn::byteLength(descriptor));
  }
  for (auto& [name, descriptor] : model->graph.outputs()) {
    model->outputs.push_back({name, model->context.createTensor({descriptor.dataType, descriptor.shape, true, false})});
    model->outputBytes.emplace_back(webnn::byteLength(descriptor));
  }
  model->inputSpans.assign(model->inputBytes.begin(), model->inputBytes.end());
  model->outputSpans.assign(model->outputBytes.begin(), model->outputBytes.end());
  return model.release();
}

std::uint64_t cpp_add(void* pointer, std::uint64_t count) {
  webnn::GraphBuilder builder(model(pointer).context);
  webnn::Operand x = builder.input("x", {DataType::float32, {4}});
  return timeOf([&] {
    for (std::uint64_t i = 0; i < count; ++i) builder.add(x, x);
  });
}

std::uint64_t cpp_conv2d(void* pointer, std::uint64_t count) {
  webnn::GraphBuilder builder(model(pointer).context);
  webnn::Operand x = builder.input("x", {DataType::float32, {1, 3, 8, 8}});
  webnn::Operand w = builder.input("w", {DataType::float32, {2, 3, 3, 3}});
  return timeOf([&] {
    for (std::uint64_t i = 0; i < count; ++i) builder.conv2d(x, w, {.padding = {1, 1, 1, 1}, .strides = {2, 2}, .label = "stem"});
  });
}

std::uint64_t cpp_create_tensor(void* pointer, std::uint64_t count) {
  return timeOf([&] {
    for (std::uint64_t i = 0; i < count; ++i) {
      model(pointer).context.createTensor({DataType::float32, {4}, true, true});
    }
  });
}

std::uint64_t cpp_write(void* pointer, std::uint64_t count) {
  Model& m = model(pointer);
  return timeOf([&] {
    for (std::uint64_t i = 0; i < count; ++i) m.context.writeTensor(m.inputs[0].second, m.inputSpans[0]);
  });
}

std::uint64_t cpp_read(void* pointer, std::uint64_t count) {
  Model& m = model(pointer);
  return timeOf([&] {
    for (std::uint64_t i = 0; i < count; ++i) m.context.readTensor(m.outputs[0].second, m.outputSpans[0]).get();
  });
}

std::uint64_t cpp_compute(void* pointer, std::uint64_t count) {
  Model& m = model(pointer);
  return timeOf([&] {
    for (std::uint64_t i = 0; i < count; ++i) m.graph.compute(m.inputSpans, m.outputSpans);
  });
}

// Queues `count` runs. Waiting for them is not part of the time.
std::uint64_t cpp_dispatch(void* pointer, std::uint64_t count) {
  Model& m = model(pointer);
  std::uint64_t time = timeOf([&] {
    for (std::uint64_t i = 0; i < count; ++i) m.context.dispatch(m.graph, m.inputs, m.outputs);
  });
  m.context.readTensor(m.outputs[0].second, m.outputSpans[0]).get();
  return time;
}

// Dispatches and reads, `count` times.
std::uint64_t cpp_dispatch_and_read(void* pointer, std::uint64_t count) {
  Model& m = model(pointer);
  return timeOf([&] {
    for (std::uint64_t i = 0; i < count; ++i) {
      m.context.dispatch(m.graph, m.inputs, m.outputs);
      m.context.readTensor(m.outputs[0].second, m.outputSpans[0]).get();
    }
  });
}

// Builds a graph of `count` operations.
std::uint64_t cpp_build(void* pointer, std::uint64_t count) {
  return timeOf([&] {
    webnn::GraphBuilder builder(model(pointer).context);
    webnn::Operand x = builder.input("x", {DataType::float32, {4}}), y = x;
    for (std::uint64_t i = 0; i < count; i += 2) y = builder.tanh(builder.add(y, x));
    builder.build({{"y", y}});
  });
}
}
