// GraphBuilder: the methods of the specification, in its order. This header is the product.
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webnn/element_type.h"
#include "webnn/limits.h"
#include "webnn/operand.h"
#include "webnn/options.h"
#include "webnn/types.h"

namespace webnn {

class Context;
class Graph;
class Tensor;
struct BuilderState;
struct Operation;

// Bytes outside the library, and the owner that keeps them alive (a mapped file, an array of another language). The bytes must
// not change while anything holds `keepAlive`.
struct ExternalBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> keepAlive;
};

using NamedOperand = std::pair<std::string, Operand>;

// Builds one graph. Each method checks its arguments as the specification says and throws webnn::Error of the
// specification's kind: TypeError for a bad argument, InvalidStateError once the graph is built or the context is
// lost. A call that throws leaves the builder as it was. A builder belongs to one thread.
//
// Where a summary says [N, C, H, W], the default layout is meant. "Broadcast" is NumPy's rule.
// https://www.w3.org/TR/webnn/#api-mlgraphbuilder
class GraphBuilder {
 public:
  // InvalidStateError if the context is lost.
  explicit GraphBuilder(const Context& context);
  ~GraphBuilder();
  GraphBuilder(GraphBuilder&&) noexcept;
  GraphBuilder& operator=(GraphBuilder&&) noexcept;

  // A named input of the graph. The name must be new and not empty.
  Operand input(std::string name, OperandDescriptor descriptor);

  // A constant with a copy of `bytes`: packed, row-major, little-endian, exactly byteLength(descriptor) of them.
  Operand constant(OperandDescriptor descriptor, std::span<const std::byte> bytes);
  // A constant that refers to `data` without copying it.
  Operand constant(OperandDescriptor descriptor, ExternalBytes data);
  // A constant of the elements of `values`. TypeError unless isElementOf<T>(descriptor.dataType).
  template <typename T>
  Operand constant(OperandDescriptor descriptor, std::initializer_list<T> values) {
    requireElementOf<T>("constant", descriptor.dataType);
    return constant(std::move(descriptor), std::as_bytes(std::span(values.begin(), values.size())));
  }
  // A constant of a vector, an array or a span.
  template <std::ranges::contiguous_range Values>
  requires(!std::same_as<std::ranges::range_value_t<Values>, std::byte>) Operand
      constant(OperandDescriptor descriptor, const Values& values) {
    requireElementOf<std::ranges::range_value_t<Values>>("constant", descriptor.dataType);
    return constant(std::move(descriptor), std::as_bytes(std::span(values)));
  }
  template <typename T>
  requires(!std::same_as<T, std::byte>) Operand constant(OperandDescriptor descriptor, const std::vector<T>& values) {
    return constant<std::vector<T>>(std::move(descriptor), values);
  }
  // A scalar constant: `value` cast to `dataType`.
  Operand constant(DataType dataType, Number value);
  // A constant with the value of a constant tensor of the same context.
  Operand constant(const Tensor& tensor);

  // Compiles the graph for the context's backend; each output has a name. Operations that no output needs are left
  // out. Once, for each builder. TypeError for no outputs, an empty or repeated name, an operand of another builder,
  // an input or a constant; OperationError if the backend fails or the graph is beyond a limit of the context, which is known
  // before anything large is allocated; AbortError or TimeoutError if the options or the limits end it.
  Graph build(std::vector<NamedOperand> outputs, const CallOptions& options = {});
  // Builds without waiting. Checks the arguments at once, with the errors of build(), and compiles on the context's timeline in
  // the order of the calls. The builder then counts as built, whatever the outcome, and may be destroyed. The future throws
  // compile errors, InvalidStateError if the context is lost first, and AbortError or TimeoutError if the options or limits end
  // the build: at once if it has begun, else when its turn comes.
  std::future<Graph> buildAsync(std::vector<NamedOperand> outputs, const CallOptions& options = {});
  // Builds for event loops: calls `done` exactly once with the error, or with null and the graph, on the timeline or, for a
  // context of Execution::callerThread, before this returns. `done` must not throw or call methods of the context. If this
  // throws, `done` is not called.
  void buildAsync(std::vector<NamedOperand> outputs, std::function<void(std::exception_ptr, Graph)> done,
                  const CallOptions& options = {});

  // The index of the greatest or smallest element along `axis`; the first of equals.
  Operand argMin(Operand input, std::uint32_t axis, ArgMinMaxOptions options = {});
  Operand argMax(Operand input, std::uint32_t axis, ArgMinMaxOptions options = {});

  // (input - mean) / sqrt(variance + epsilon) * scale + bias, each 1-D along `axis`.
  Operand batchNormalization(Operand input, Operand mean, Operand variance, BatchNormalizationOptions options = {});

  // Converts each element: to floats rounds half to even; to integers truncates floats, which saturate, and wraps integers.
  Operand cast(Operand input, DataType dataType, OperatorOptions options = {});

  // min(max(input, minValue), maxValue), bounds cast to the input's type.
  Operand clamp(Operand input, ClampOptions options = {});

  // Joins 1 to 8192 operands along `axis`.
  Operand concat(std::vector<Operand> inputs, std::uint32_t axis, OperatorOptions options = {});

  // 2-D convolution of [N, C, H, W] with filters [O, C / groups, H, W].
  Operand conv2d(Operand input, Operand filter, Conv2dOptions options = {});
  // 2-D transposed convolution of [N, C, H, W] with filters [C, O / groups, H, W].
  Operand convTranspose2d(Operand input, Operand filter, ConvTranspose2dOptions options = {});

  // The running sum along `axis`.
  Operand cumulativeSum(Operand input, std::uint32_t axis, CumulativeSumOptions options = {});

  // Element-wise arithmetic of broadcast operands of one type. Integers wrap; division truncates.
  Operand add(Operand a, Operand b, OperatorOptions options = {});
  Operand sub(Operand a, Operand b, OperatorOptions options = {});
  Operand mul(Operand a, Operand b, OperatorOptions options = {});
  Operand div(Operand a, Operand b, OperatorOptions options = {});
  Operand max(Operand a, Operand b, OperatorOptions options = {});
  Operand min(Operand a, Operand b, OperatorOptions options = {});
  Operand pow(Operand a, Operand b, OperatorOptions options = {});

  // Element-wise comparison of broadcast operands of one type, to uint8 0 or 1.
  Operand equal(Operand a, Operand b, OperatorOptions options = {});
  Operand notEqual(Operand a, Operand b, OperatorOptions options = {});
  Operand greater(Operand a, Operand b, OperatorOptions options = {});
  Operand greaterOrEqual(Operand a, Operand b, OperatorOptions options = {});
  Operand lesser(Operand a, Operand b, OperatorOptions options = {});
  Operand lesserOrEqual(Operand a, Operand b, OperatorOptions options = {});

  // Logic on uint8, where any value but 0 is true; to uint8 0 or 1. isNaN and isInfinite take any type.
  Operand logicalNot(Operand a, OperatorOptions options = {});
  Operand logicalAnd(Operand a, Operand b, OperatorOptions options = {});
  Operand logicalOr(Operand a, Operand b, OperatorOptions options = {});
  Operand logicalXor(Operand a, Operand b, OperatorOptions options = {});
  Operand isNaN(Operand a, OperatorOptions options = {});
  Operand isInfinite(Operand a, OperatorOptions options = {});

  // Element-wise arithmetic of one operand.
  Operand abs(Operand input, OperatorOptions options = {});
  Operand ceil(Operand input, OperatorOptions options = {});
  Operand cos(Operand input, OperatorOptions options = {});
  Operand erf(Operand input, OperatorOptions options = {});
  Operand exp(Operand input, OperatorOptions options = {});
  Operand floor(Operand input, OperatorOptions options = {});
  Operand identity(Operand input, OperatorOptions options = {});
  Operand log(Operand input, OperatorOptions options = {});
  Operand neg(Operand input, OperatorOptions options = {});
  Operand reciprocal(Operand input, OperatorOptions options = {});
  Operand roundEven(Operand input, OperatorOptions options = {});
  Operand sin(Operand input, OperatorOptions options = {});
  Operand sign(Operand input, OperatorOptions options = {});
  Operand sqrt(Operand input, OperatorOptions options = {});
  Operand tan(Operand input, OperatorOptions options = {});

  // (input - zeroPoint) * scale, of the scale's type; scale and zeroPoint are repeated in blocks to the input's shape.
  Operand dequantizeLinear(Operand input, Operand scale, Operand zeroPoint, OperatorOptions options = {});
  // roundEven(input / scale) + zeroPoint, saturated to the zeroPoint's type.
  Operand quantizeLinear(Operand input, Operand scale, Operand zeroPoint, OperatorOptions options = {});

  // max(0, x) + alpha * (exp(min(0, x)) - 1)
  Operand elu(Operand input, EluOptions options = {});

  // Broadcasts to a shape.
  Operand expand(Operand input, std::vector<std::uint32_t> newShape, OperatorOptions options = {});

  // Slices of `input` along options.axis, chosen by `indices`. Indices are clamped; negative ones count from the end.
  Operand gather(Operand input, Operand indices, GatherOptions options = {});
  // For each element of `indices`, an element of `input` with that index along options.axis.
  Operand gatherElements(Operand input, Operand indices, GatherOptions options = {});
  // Slices of `input` at the coordinates in the last dimension of `indices`.
  Operand gatherND(Operand input, Operand indices, OperatorOptions options = {});

  // 0.5 * x * (1 + erf(x / sqrt(2)))
  Operand gelu(Operand input, OperatorOptions options = {});

  // alpha * a * b + beta * c, of [M, K] and [K, N], each transposed first if asked for.
  Operand gemm(Operand a, Operand b, GemmOptions options = {});

  // Gated recurrent unit over `steps` of [steps, batchSize, inputSize]; the last hidden state
  // [numDirections, batchSize, hiddenSize], and all of them if options.returnSequence.
  std::vector<Operand> gru(Operand input, Operand weight, Operand recurrentWeight, std::uint32_t steps, std::uint32_t hiddenSize,
                           GruOptions options = {});
  // One step of gru: [batchSize, inputSize] and a hidden state [batchSize, hiddenSize].
  Operand gruCell(Operand input, Operand weight, Operand recurrentWeight, Operand hiddenState, std::uint32_t hiddenSize,
                  GruCellOptions options = {});

  // max(0, min(1, alpha * x + beta))
  Operand hardSigmoid(Operand input, HardSigmoidOptions options = {});
  // x * max(0, min(6, x + 3)) / 6
  Operand hardSwish(Operand input, OperatorOptions options = {});

  // Normalizes each plane of each image of [N, C, H, W].
  Operand instanceNormalization(Operand input, InstanceNormalizationOptions options = {});
  // Normalizes over options.axes, all but the first if absent.
  Operand layerNormalization(Operand input, LayerNormalizationOptions options = {});

  // max(0, x) + alpha * min(0, x)
  Operand leakyRelu(Operand input, LeakyReluOptions options = {});
  // alpha * x + beta
  Operand linear(Operand input, LinearOptions options = {});

  // Long short-term memory over `steps` of [steps, batchSize, inputSize]; the last hidden and cell state
  // [numDirections, batchSize, hiddenSize], and all hidden states if options.returnSequence.
  std::vector<Operand> lstm(Operand input, Operand weight, Operand recurrentWeight, std::uint32_t steps, std::uint32_t hiddenSize,
                            LstmOptions options = {});
  // One step of lstm: the new hidden and cell state, each [batchSize, hiddenSize].
  std::vector<Operand> lstmCell(Operand input, Operand weight, Operand recurrentWeight, Operand hiddenState, Operand cellState,
                                std::uint32_t hiddenSize, LstmCellOptions options = {});

  // Matrix products of the last two dimensions, the others broadcast.
  Operand matmul(Operand a, Operand b, OperatorOptions options = {});

  // Adds elements before and after each dimension: a constant, the edge, or the reflection of what is inside.
  Operand pad(Operand input, std::vector<std::uint32_t> beginningPadding, std::vector<std::uint32_t> endingPadding,
              PadOptions options = {});

  // Pooling over windows of the two spatial dimensions of [N, C, H, W]. Padding never counts.
  Operand averagePool2d(Operand input, Pool2dOptions options = {});
  Operand l2Pool2d(Operand input, Pool2dOptions options = {});
  Operand maxPool2d(Operand input, Pool2dOptions options = {});

  // max(0, x) + slope * min(0, x), the slope broadcast.
  Operand prelu(Operand input, Operand slope, OperatorOptions options = {});

  // Reductions over options.axes: all if absent, none if empty.
  Operand reduceL1(Operand input, ReduceOptions options = {});
  Operand reduceL2(Operand input, ReduceOptions options = {});
  Operand reduceLogSum(Operand input, ReduceOptions options = {});
  Operand reduceLogSumExp(Operand input, ReduceOptions options = {});
  Operand reduceMax(Operand input, ReduceOptions options = {});
  Operand reduceMean(Operand input, ReduceOptions options = {});
  Operand reduceMin(Operand input, ReduceOptions options = {});
  Operand reduceProduct(Operand input, ReduceOptions options = {});
  Operand reduceSum(Operand input, ReduceOptions options = {});
  Operand reduceSumSquare(Operand input, ReduceOptions options = {});

  // max(0, x)
  Operand relu(Operand input, OperatorOptions options = {});

  // Resamples the two dimensions options.axes by scales or to sizes.
  Operand resample2d(Operand input, Resample2dOptions options = {});

  // The same elements in another shape.
  Operand reshape(Operand input, std::vector<std::uint32_t> newShape, OperatorOptions options = {});
  // Reverses the order along options.axes: all if absent, none if empty.
  Operand reverse(Operand input, ReverseOptions options = {});

  // A copy of `input` with `updates` written at `indices` along options.axis; the last of equal indices wins.
  Operand scatterElements(Operand input, Operand indices, Operand updates, ScatterOptions options = {});
  // A copy of `input` with slices of `updates` written at the coordinates in the last dimension of `indices`.
  Operand scatterND(Operand input, Operand indices, Operand updates, OperatorOptions options = {});

  // 1 / (1 + exp(-x))
  Operand sigmoid(Operand input, OperatorOptions options = {});

  // A window of `sizes` elements of each dimension, from `starts`, taking every options.strides-th.
  Operand slice(Operand input, std::vector<std::uint32_t> starts, std::vector<std::uint32_t> sizes, SliceOptions options = {});

  // exp(x) / sum(exp(x)) along `axis`.
  Operand softmax(Operand input, std::uint32_t axis, OperatorOptions options = {});
  // log(1 + exp(x))
  Operand softplus(Operand input, OperatorOptions options = {});
  // x / (1 + |x|)
  Operand softsign(Operand input, OperatorOptions options = {});

  // Splits along options.axis into equal parts or parts of the given sizes.
  std::vector<Operand> split(Operand input, Splits splits, SplitOptions options = {});

  Operand tanh(Operand input, OperatorOptions options = {});

  // Repeats each dimension.
  Operand tile(Operand input, std::vector<std::uint32_t> repetitions, OperatorOptions options = {});

  // Reorders the dimensions, in reverse if options.permutation is absent.
  Operand transpose(Operand input, TransposeOptions options = {});

  // Keeps the upper or lower triangle of the last two dimensions and sets the rest to 0.
  Operand triangular(Operand input, TriangularOptions options = {});

  // trueValue where condition (uint8) is not 0, else falseValue; all three broadcast.
  Operand where(Operand condition, Operand trueValue, Operand falseValue, OperatorOptions options = {});

  // Appends any operation of the table with its operands filled in, for loaders and bindings.
  std::vector<Operand> append(Operation operation);

  // Gives a constant or an intermediate result a name for printed and saved graphs. It need not be unique.
  void setName(const Operand& operand, std::string name);
  void setGraphName(std::string name);

  // For the library's own layers. InvalidStateError if the builder was moved from.
  BuilderState& state() const;

 private:
  Operand appendOne(Operation operation);

  std::unique_ptr<BuilderState> state_;
};

}  // namespace webnn
