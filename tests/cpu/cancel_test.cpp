// Tests runs that are stopped early. There must be little work between two checks of the budget, however long the rows, columns
// and windows of an operation are.
#include <algorithm>
#include <iterator>
#include <limits>

#include "backends/cpu/cpu_backend.h"
#include "context/graph_state.h"
#include "graph/backend.h"
#include "support/looks.h"
#include "support/support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

struct CancelCase {
  std::string name;
  std::size_t work;  // the minimum number of elements that the run visits
  std::function<Operand(GraphBuilder&)> make;
  float value = 0;  // the value of all input elements
};

Operand input(GraphBuilder& builder, const char* name, Shape shape) {
  return builder.input(name, {DataType::float32, std::move(shape)});
}

// Expects that the run checks for cancellation at least once per `most` elements of work.
void expectLooks(const CancelCase& one, std::size_t most, const std::string& backend) {
  ContextOptions options;
  options.backend = backend;
  options.threads = 1;
  options.execution = Execution::callerThread;
  Context context = Context::create(std::move(options));
  GraphBuilder builder(context);
  const Operand output = one.make(builder);
  const Graph graph = builder.build({{"y", output}});
  std::vector<std::vector<std::byte>> memory;
  std::vector<std::span<const std::byte>> inputs;
  for (const auto& [name, descriptor] : graph.inputs()) {
    memory.push_back(pack(descriptor, std::vector<Number>{static_cast<double>(one.value)}));
    inputs.emplace_back(memory.back());
  }
  std::vector<std::byte> result(byteLength(output.descriptor()));
  const std::span<std::byte> to(result);
  const auto executable = graph.state()->executable();
  test::expectLooks(one.name, one.work, most, [&](const Budget& budget) { executable->run(inputs, {&to, 1}, budget); });
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Returns cases that process rows and columns, with inputs of size * size elements.
std::vector<CancelCase> casesOfRows(std::uint32_t size) {
  const std::uint32_t many = size * size, rows = many / 64;
  return {
      {"softmax row", 3 * many,
       [=](GraphBuilder& b) {
         return b.softmax(input(b, "x", {1, many}), 1);
       }},
      {"softmax columns", 3 * many,
       [=](GraphBuilder& b) {
         return b.softmax(input(b, "x", {rows, 64}), 0);
       }},
      {"layerNormalization row", 3 * many,
       [=](GraphBuilder& b) {
         return b.layerNormalization(input(b, "x", {1, many}));
       }},
      {"layerNormalization short runs", 3 * many,
       [=](GraphBuilder& b) {
         return b.layerNormalization(input(b, "x", {rows, 2, 32}), {.axes = {{0, 2}}});
       }},
      {"layerNormalization columns", 3 * many,
       [=](GraphBuilder& b) {
         return b.layerNormalization(input(b, "x", {rows, 64}), {.axes = {{0}}});
       }},
      {"layerNormalization of large numbers", 3 * many,
       [=](GraphBuilder& b) {
         return b.layerNormalization(input(b, "x", {1, many}));
       },
       1e30F},
      {"layerNormalization of large columns", 3 * many,
       [=](GraphBuilder& b) {
         return b.layerNormalization(input(b, "x", {rows, 64}), {.axes = {{0}}});
       },
       1e30F},
      {"instanceNormalization", 3 * many,
       [=](GraphBuilder& b) {
         return b.instanceNormalization(input(b, "x", {1, 1, size, size}));
       }},
      {"batchNormalization of large statistics", many,
       [=](GraphBuilder& b) {
         return b.batchNormalization(input(b, "x", {1, 1, size, size}), input(b, "mean", {1}), input(b, "variance", {1}));
       },
       1e35F},
      {"argMax row", many,
       [=](GraphBuilder& b) {
         return b.argMax(input(b, "x", {1, many}), 1);
       }},
      {"argMax columns", many,
       [=](GraphBuilder& b) {
         return b.argMax(input(b, "x", {rows, 64}), 0);
       }},
      {"reduceLogSumExp row", 2 * many,
       [=](GraphBuilder& b) {
         return b.reduceLogSumExp(input(b, "x", {1, many}), {.axes = {{1}}});
       }},
      {"reduceSum out of range", many,
       [=](GraphBuilder& b) {
         return b.reduceSum(input(b, "x", {rows, 64}), {.axes = {{0}}});
       },
       1e38F},
      {"attention of one query", 2 * many,
       [=](GraphBuilder& b) {
         const Operand q = input(b, "q", {1, 1, 1, 64}), k = input(b, "k", {1, 1, 64, rows}), v = input(b, "v", {1, 1, rows, 64});
         return b.matmul(b.softmax(b.matmul(q, k), 3), v);
       }},
      {"matmul of many rows", many,
       [=](GraphBuilder& b) {
         return b.matmul(input(b, "a", {many / 16, 16}), input(b, "b", {16, 16}));
       }},
  };
}

// Returns cases of operations with windows, such as pooling, and of operations that copy elements.
std::vector<CancelCase> casesOfWindows(std::uint32_t size) {
  const std::uint32_t many = size * size;
  return {
      {"maxPool2d nchw", many,
       [=](GraphBuilder& b) {
         return b.maxPool2d(input(b, "x", {1, 1, size, size}), {.windowDimensions = {{size, size - 1}}});
       }},
      {"maxPool2d nhwc", many,
       [=](GraphBuilder& b) {
         return b.maxPool2d(input(b, "x", {1, size / 2, size / 2, 4}),
                            {.windowDimensions = {{size / 2, size / 2 - 1}}, .layout = InputOperandLayout::nhwc});
       }},
      {"averagePool2d out of range", many,
       [=](GraphBuilder& b) {
         return b.averagePool2d(input(b, "x", {1, 1, size, size}), {.windowDimensions = {{size, size - 1}}});
       },
       1e38F},
      {"conv2d with an infinite filter", many,
       [=](GraphBuilder& b) {
         return b.conv2d(input(b, "x", {1, 1, size, size}), input(b, "w", {1, 1, size, size - 1}), {.padding = {{0, 0, 1, 0}}});
       },
       kInfinity},
      {"gather of one block", many,
       [=](GraphBuilder& b) {
         return b.gather(input(b, "x", {2, many}), b.constant({DataType::int32, {1}}, {std::int32_t{1}}));
       }},
      {"conv2d with a filter of the size of the image", many,
       [=](GraphBuilder& b) {
         return b.conv2d(input(b, "x", {1, 1, size, size}), input(b, "w", {1, 1, size, size}));
       }},
      {"pad by reflection", many / 2,
       [=](GraphBuilder& b) { return b.pad(input(b, "x", {many / 2}), {many / 2 - 1}, {0}, {.mode = PaddingMode::reflection}); }},
      {"pad of one row", many, [=](GraphBuilder& b) {
         return b.pad(input(b, "x", {1, many}), {0, 1}, {0, 1}, {.mode = PaddingMode::edge});
       }}};
}

std::vector<CancelCase> cases(std::uint32_t size) {
  std::vector<CancelCase> all = casesOfRows(size);
  std::ranges::move(casesOfWindows(size), std::back_inserter(all));
  return all;
}

// Every operation checks for cancellation at least once per million elements, which take a few milliseconds even if they are far
// apart in memory.
TEST(Cancel, NoOperationGoesOnForLong) {
  for (const CancelCase& one : cases(2048)) expectLooks(one, 1 << 20, "cpu");
}

TEST(Cancel, NorDoesOneOfTheReference) {
  for (const CancelCase& one : cases(512)) expectLooks(one, 1 << 17, "reference");
}

// Builds check for cancellation while they pack or compute a large constant.
TEST(Cancel, NorIsAConstantPackedOrComputedForLong) {
  constexpr std::uint32_t kSize = 2048;
  const auto expectLooks = [](const std::string& name, DataType type,
                              const std::function<Operand(GraphBuilder&, const Operand&)>& make) {
    Fixture f;
    const OperandDescriptor descriptor{type, {kSize, kSize}};
    const std::vector<std::byte> bytes(byteLength(descriptor));
    const Graph graph = f.builder.build({{"y", make(f.builder, f.builder.constant(descriptor, bytes))}});
    const auto backend = cpu::makeBackend({.threads = 1});
    test::expectLooks(name, kSize * kSize, 1 << 20,
                      [&](const Budget& budget) { backend->compile(graph.state()->definition, budget); });
  };
  expectLooks("packed matrix", DataType::float32, [](GraphBuilder& b, const Operand& w) {
    return b.matmul(input(b, "x", {32, kSize}), w);
  });
  expectLooks("packed matrix of 4 bits", DataType::uint4, [](GraphBuilder& b, const Operand& w) {
    const std::vector<std::byte> zeros(kSize * 4);
    const Operand scale = b.constant({DataType::float32, {1, kSize}}, zeros);
    const Operand zero = b.constant({DataType::uint4, {1, kSize}}, std::span(zeros).first(kSize / 2));
    return b.matmul(input(b, "x", {1, kSize}), b.dequantizeLinear(w, scale, zero));
  });
  expectLooks("filter of halves", DataType::float16, [](GraphBuilder& b, const Operand& w) {
    return b.conv2d(b.input("x", {DataType::float16, {1, 32, 64, 64}}), b.reshape(w, {32, 32, 64, 64}));
  });
  expectLooks("weights of lstm", DataType::float32, [](GraphBuilder& b, const Operand& w) {
    constexpr std::uint32_t kInputs = kSize * kSize / 4;
    return b.lstm(input(b, "x", {1, 1, kInputs}), b.reshape(w, {1, 4, kInputs}), input(b, "r", {1, 4, 1}), 1, 1)[0];
  });
  expectLooks("computed constant", DataType::float32,
              [](GraphBuilder& b, const Operand& w) { return b.add(input(b, "x", {1}), b.reduceMax(b.transpose(w))); });
}

// Builds check for cancellation, and for the memory limit, while they make tables with an entry per output position, even if the
// graph is otherwise small.
TEST(Cancel, NorAreTablesOfPositionsMadeForLong) {
  constexpr std::uint32_t kSize = 1 << 22;
  const auto expectLooks = [](const std::string& name, Shape shape,
                              const std::function<Operand(GraphBuilder&, const Operand&)>& make) {
    Fixture f;
    const Graph graph = f.builder.build({{"y", make(f.builder, input(f.builder, "x", std::move(shape)))}});
    const auto backend = cpu::makeBackend({.threads = 1});
    test::expectLooks(name, kSize, 1 << 20, [&](const Budget& budget) { backend->compile(graph.state()->definition, budget); });
    expectError(ErrorKind::operationError, {"build: tables of positions", "maxMemory"}, [&] {
      Limits limits;
      limits.maxMemory = kSize;
      Context::create({.backend = "cpu", .limits = limits}).compile(graph);
    });
  };
  expectLooks("pad", {1}, [](GraphBuilder& b, const Operand& x) { return b.pad(x, {0}, {kSize}, {.mode = PaddingMode::edge}); });
  expectLooks("resample2d", {1, 1, 4, 1}, [](GraphBuilder& b, const Operand& x) {
    return b.resample2d(x, {.sizes = {kSize, 1}});
  });
  expectLooks("maxPool2d", {1, 1, kSize, 2}, [](GraphBuilder& b, const Operand& x) {
    return b.maxPool2d(x, {.windowDimensions = {{1, 2}}});
  });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
