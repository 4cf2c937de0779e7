#include "warm_up.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "ops/operation.h"
#include "webnn/context.h"
#include "webnn/graph_builder.h"

namespace webnn::web {

namespace {

class Network {
 public:
  Network() : context_(Context::create({.execution = Execution::callerThread, .threads = 1})), builder_(context_) {}

  void run() {
    const Shape shape{1, 3, 16, 16};
    const Graph graph = build(builder_.input("x", {DataType::float32, shape}));
    const Tensor x = context_.createTensor({.dataType = DataType::float32, .shape = shape});
    const Tensor y = context_.createTensor({.dataType = DataType::float32, .shape = {1, 2 * kChannels}});
    const std::vector<NamedTensor> inputs{{"x", x}}, outputs{{"y", y}};
    context_.dispatch(graph, inputs, outputs);
  }

 private:
  static constexpr std::uint32_t kChannels = 16;

  Graph build(Operand x) {
    x = convolution(x, 3, 3, 2);
    x = pool(ops::Pool2dKind::maxPool2d, x, {.windowDimensions = {{3, 3}}, .strides = {{2, 2}}});
    x = convolution(x, kChannels, 1, 1);
    x = add(ops::Concat{.inputs = {convolution(x, kChannels, 1, 1), convolution(x, kChannels, 3, 1)}, .axis = 1});
    x = pool(ops::Pool2dKind::averagePool2d, x, {});
    x = add(ops::Reshape{.input = x, .newShape = {1, 2 * kChannels}});
    return builder_.build({{"y", add(ops::Softmax{.input = x, .axis = 1})}});
  }

  Operand add(Operation operation) { return builder_.append(std::move(operation))[0]; }
  Operand weights(Shape shape) {
    const OperandDescriptor descriptor{DataType::float32, std::move(shape)};
    return builder_.constant(descriptor, std::vector<std::byte>(byteLength(descriptor)));
  }
  // With a bias and relu.
  Operand convolution(const Operand& x, std::uint32_t channels, std::uint32_t size, std::uint32_t stride) {
    const std::uint32_t pad = size / 2;
    Conv2dOptions options{.padding = {{pad, pad, pad, pad}}, .strides = {{stride, stride}}, .bias = weights({kChannels})};
    Operand y = add(ops::Conv2d{.input = x, .filter = weights({kChannels, channels, size, size}), .options = std::move(options)});
    return add(ops::Activation{.kind = ops::ActivationKind::relu, .input = std::move(y)});
  }
  Operand pool(ops::Pool2dKind kind, const Operand& x, Pool2dOptions options) {
    return add(ops::Pool2d{.kind = kind, .input = x, .options = std::move(options)});
  }

  Context context_;
  GraphBuilder builder_;
};

}  // namespace

void warmUp() { Network().run(); }

}  // namespace webnn::web
