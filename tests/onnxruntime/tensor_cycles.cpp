// Creates and releases contexts, graphs and tensors, while scripts/gpu_check.py measures the memory.
//
//   tensor_cycles ROUNDS KEY=VALUE...
//
// Each round creates and releases tensors of 4 MiB and a graph, on a context with these backend options. The first of every ten
// rounds also creates a new context. After every tenth round, the program writes the number of completed rounds and waits for a
// line of input.
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "webnn/context.h"
#include "webnn/graph_builder.h"

namespace {

constexpr std::uint32_t kSize = 1u << 20;

void runRound(webnn::Context& context) {
  webnn::GraphBuilder builder(context);
  const webnn::Graph graph = builder.build({{"y", builder.neg(builder.input("x", {webnn::DataType::float32, {kSize}}))}});
  const webnn::TensorDescriptor descriptor{webnn::DataType::float32, {kSize}, true, true};
  const webnn::Tensor x = context.createTensor(descriptor), y = context.createTensor(descriptor);
  context.write(x, std::vector<float>(kSize, 1));
  context.dispatch(graph, {{"x", x}}, {{"y", y}});
  if (context.read<float>(y) != std::vector<float>(kSize, -1)) throw std::runtime_error("a result is wrong");
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) throw std::runtime_error("usage: tensor_cycles ROUNDS KEY=VALUE...");
  std::map<std::string, std::string> options;
  for (int i = 2; i < argc; ++i) {
    const std::string setting = argv[i];
    options[setting.substr(0, setting.find('='))] = setting.substr(setting.find('=') + 1);
  }
  const int rounds = std::atoi(argv[1]);
  std::optional<webnn::Context> context;
  for (int round = 1; round <= rounds; ++round) {
    if (round % 10 == 1) context = webnn::Context::create({.backend = "onnxruntime", .threads = 1, .backendOptions = options});
    runRound(*context);
    std::string line;
    if (round % 10 != 0) continue;
    std::cout << round << std::endl;
    std::getline(std::cin, line);
  }
  return EXIT_SUCCESS;
} catch (const std::exception& error) {
  std::cerr << "tensor_cycles: " << error.what() << '\n';
  return EXIT_FAILURE;
}
