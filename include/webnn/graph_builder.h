// GraphBuilder: the operations of the specification as methods, in its order.
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
#include "webnn/open_dimensions.h"
#include "webnn/operand.h"
#include "webnn/options.h"
#include "webnn/types.h"

namespace webnn {

class Context;
class Graph;
class Tensor;
struct BuilderState;
struct Operation;

// Bytes outside the library, with an owner that keeps them alive (a mapped file, an array of another language). The bytes must
// not change while the library holds `keepAlive`.
struct ExternalBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> keepAlive;
};

using NamedOperand = std::pair<std::string, Operand>;

// Builds one graph. Each method validates its arguments as the specification requires and throws webnn::Error: TypeError for a
// bad argument, InvalidStateError if the graph is already built or the context is lost. A call that throws leaves the builder
// unchanged, but a build whose compilation fails uses it up. Not thread safe: only one thread may use a builder at a time.
//
// Shapes such as [N, C, H, W] below are in the default layout; options may choose another. Broadcasting follows NumPy's rules.
// https://www.w3.org/TR/webnn/#api-mlgraphbuilder
class GraphBuilder {
 public:
  // Throws InvalidStateError if the context is lost.
  explicit GraphBuilder(const Context& context);
  ~GraphBuilder();
  GraphBuilder(GraphBuilder&&) noexcept;
  GraphBuilder& operator=(GraphBuilder&&) noexcept;

  // Adds a named input of the graph. Throws TypeError if the name is empty or already used. The shape may contain results of
  // openSize().
  Operand input(std::string name, OperandDescriptor descriptor);

  // Adds an input with open dimensions, an extension of the specification:
  //   Operand x = builder.openInput("x", {DataType::float32, {{"batch", 1, 64}, "sequence", 768}});
  // Operations compute the shapes of their results as expressions over the names. An operation that is invalid for all sizes
  // throws; conditions that only some sizes meet are checked when a session runs. Session::build() makes a session of the graph;
  // build() throws TypeError. Throws TypeError for an empty or already used name, text that is not an expression, and bounds that
  // contradict earlier bounds of the same name.
  Operand openInput(std::string name, OpenDescriptor descriptor);
  // Returns the handle of an expression over open dimensions, for fields that hold sizes of shapes: newShape, sizes, starts,
  // repetitions, splits, paddings of pad, outputSizes, windowDimensions and steps. Example: `reshape(x, {openSize("batch *
  // heads"), 64})`. The grammar has numbers, names, +, -, *, parentheses, floor(a / b) and ceil(a / b); broadcast(a, b), the
  // size after broadcasting; and scaled(a, 1.5), the rounded-down product. A name is letters, digits, `_`, `.` and `:`, or any
  // text in single quotes. Throws TypeError, which gives the position, for other text.
  std::uint32_t openSize(std::string_view expression);

  // Adds a constant with a copy of `bytes`: packed, row-major, little-endian elements, byteLength(descriptor) bytes in total.
  Operand constant(OperandDescriptor descriptor, std::span<const std::byte> bytes);
  // Adds a constant that refers to `data` without copying it.
  Operand constant(OperandDescriptor descriptor, ExternalBytes data);
  // Adds a constant with a copy of `values`. Throws TypeError unless isElementOf<T>(descriptor.dataType).
  template <typename T>
  Operand constant(OperandDescriptor descriptor, std::initializer_list<T> values) {
    requireElementOf<T>("constant", descriptor.dataType);
    return constant(std::move(descriptor), std::as_bytes(std::span(values.begin(), values.size())));
  }
  // Adds a constant with a copy of a vector, an array or a span.
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
  // Adds a scalar constant: `value` cast to `dataType`.
  Operand constant(DataType dataType, Number value);
  // Adds a constant with the value of `tensor`, which Context::createConstantTensor() of the same context must have made.
  Operand constant(const Tensor& tensor);

  // Compiles the graph of the named `outputs` for the context's backend. Operations that no output depends on are omitted. A
  // builder can build only once. Throws TypeError if `outputs` is empty, a name is empty or repeated, or an output is an input, a
  // constant or an operand of another builder; OperationError if the backend fails, or if the graph exceeds a limit of the
  // context, which is checked before large allocations; AbortError or TimeoutError if `options` or the limits stop the build.
  Graph build(std::vector<NamedOperand> outputs, const CallOptions& options = {});
  // Builds without waiting. The call checks the arguments, with the errors of build(), and queues the compilation on the
  // context's timeline. After that, the builder cannot build again, even if the compilation fails, and may be destroyed. The
  // future throws the errors of the compilation, InvalidStateError if the context is lost first, and AbortError or TimeoutError
  // if `options` or the limits stop the build. A build that has begun stops immediately, a queued build when its turn comes.
  std::future<Graph> buildAsync(std::vector<NamedOperand> outputs, const CallOptions& options = {});
  // Builds for event loops: calls `done` exactly once, with an error, or with null and the graph. `done` is called on the
  // timeline; with Execution::callerThread, before this function returns. `done` must not throw or call methods of the context.
  // If this function throws, `done` is not called.
  void buildAsync(std::vector<NamedOperand> outputs, std::function<void(std::exception_ptr, Graph)> done,
                  const CallOptions& options = {});

  // The index of the smallest or greatest element along `axis`; the first one if several are equal.
  Operand argMin(Operand input, std::uint32_t axis, ArgMinMaxOptions options = {});
  Operand argMax(Operand input, std::uint32_t axis, ArgMinMaxOptions options = {});

  // (input - mean) / sqrt(variance + epsilon) * scale + bias; mean, variance, scale and bias are 1-D, along options.axis.
  Operand batchNormalization(Operand input, Operand mean, Operand variance, BatchNormalizationOptions options = {});

  // Converts each element. To a float type: rounds half to even. From a float to an integer type: truncates and saturates.
  // Between integer types: wraps.
  Operand cast(Operand input, DataType dataType, OperatorOptions options = {});

  // min(max(input, minValue), maxValue), with the bounds cast to the input's data type.
  Operand clamp(Operand input, ClampOptions options = {});

  // Joins 1 to 8192 operands along `axis`.
  Operand concat(std::vector<Operand> inputs, std::uint32_t axis, OperatorOptions options = {});

  // 2-D convolution of [N, C, H, W] with filters [O, C / groups, H, W].
  Operand conv2d(Operand input, Operand filter, Conv2dOptions options = {});
  // 2-D transposed convolution of [N, C, H, W] with filters [C, O / groups, H, W].
  Operand convTranspose2d(Operand input, Operand filter, ConvTranspose2dOptions options = {});

  // Replaces each element by the sum of the elements up to it along `axis`, without itself if options.exclusive. If
  // options.reversed, the sums begin at the end.
  Operand cumulativeSum(Operand input, std::uint32_t axis, CumulativeSumOptions options = {});

  // Element-wise arithmetic of two operands of one data type, with broadcasting. Integers wrap; integer division truncates.
  Operand add(Operand a, Operand b, OperatorOptions options = {});
  Operand sub(Operand a, Operand b, OperatorOptions options = {});
  Operand mul(Operand a, Operand b, OperatorOptions options = {});
  Operand div(Operand a, Operand b, OperatorOptions options = {});
  Operand max(Operand a, Operand b, OperatorOptions options = {});
  Operand min(Operand a, Operand b, OperatorOptions options = {});
  Operand pow(Operand a, Operand b, OperatorOptions options = {});

  // Element-wise comparison of two operands of one data type, with broadcasting. The result is uint8, 0 or 1.
  Operand equal(Operand a, Operand b, OperatorOptions options = {});
  Operand notEqual(Operand a, Operand b, OperatorOptions options = {});
  Operand greater(Operand a, Operand b, OperatorOptions options = {});
  Operand greaterOrEqual(Operand a, Operand b, OperatorOptions options = {});
  Operand lesser(Operand a, Operand b, OperatorOptions options = {});
  Operand lesserOrEqual(Operand a, Operand b, OperatorOptions options = {});

  // Element-wise logic. The operands are uint8, and any value but 0 is true; isNaN and isInfinite accept any data type. The
  // result is uint8, 0 or 1.
  Operand logicalNot(Operand a, OperatorOptions options = {});
  Operand logicalAnd(Operand a, Operand b, OperatorOptions options = {});
  Operand logicalOr(Operand a, Operand b, OperatorOptions options = {});
  Operand logicalXor(Operand a, Operand b, OperatorOptions options = {});
  Operand isNaN(Operand a, OperatorOptions options = {});
  Operand isInfinite(Operand a, OperatorOptions options = {});

  // Element-wise functions of one operand.
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

  // (input - zeroPoint) * scale, in the data type of `scale`. Each element of `scale` and `zeroPoint` applies to a block of the
  // input: with an input of shape [4, 6] and a scale of shape [2, 6], to two consecutive rows of a column.
  Operand dequantizeLinear(Operand input, Operand scale, Operand zeroPoint, OperatorOptions options = {});
  // roundEven(input / scale) + zeroPoint, saturated to the data type of `zeroPoint`.
  Operand quantizeLinear(Operand input, Operand scale, Operand zeroPoint, OperatorOptions options = {});

  // max(0, x) + alpha * (exp(min(0, x)) - 1)
  Operand elu(Operand input, EluOptions options = {});

  // Broadcasts `input` to `newShape`.
  Operand expand(Operand input, std::vector<std::uint32_t> newShape, OperatorOptions options = {});

  // The slices of `input` along options.axis with the given `indices`. Negative indices count from the end; indices beyond the
  // bounds are clamped, here and in the other gather operations.
  Operand gather(Operand input, Operand indices, GatherOptions options = {});
  // For each element of `indices`: the element of `input` at the same position, except that the coordinate along options.axis is
  // the index.
  Operand gatherElements(Operand input, Operand indices, GatherOptions options = {});
  // Slices of `input`. The last dimension of `indices` has the coordinates of each slice.
  Operand gatherND(Operand input, Operand indices, OperatorOptions options = {});

  // 0.5 * x * (1 + erf(x / sqrt(2)))
  Operand gelu(Operand input, OperatorOptions options = {});

  // alpha * a * b + beta * c, for a of shape [M, K] and b of shape [K, N]. options.aTranspose and bTranspose transpose a and b
  // first.
  Operand gemm(Operand a, Operand b, GemmOptions options = {});

  // A gated recurrent unit over an input [steps, batchSize, inputSize]. Returns the last hidden state
  // [numDirections, batchSize, hiddenSize] and, if options.returnSequence, the hidden states of all steps.
  std::vector<Operand> gru(Operand input, Operand weight, Operand recurrentWeight, std::uint32_t steps, std::uint32_t hiddenSize,
                           GruOptions options = {});
  // One step of gru(), for an input [batchSize, inputSize]. Returns the new hidden state [batchSize, hiddenSize].
  Operand gruCell(Operand input, Operand weight, Operand recurrentWeight, Operand hiddenState, std::uint32_t hiddenSize,
                  GruCellOptions options = {});

  // max(0, min(1, alpha * x + beta))
  Operand hardSigmoid(Operand input, HardSigmoidOptions options = {});
  // x * max(0, min(6, x + 3)) / 6
  Operand hardSwish(Operand input, OperatorOptions options = {});

  // Normalizes each channel of each image over its height and width. The input is [N, C, H, W], or [N, H, W, C] with the layout
  // nhwc.
  Operand instanceNormalization(Operand input, InstanceNormalizationOptions options = {});
  // Normalizes over options.axes, or over all dimensions but the first if absent.
  Operand layerNormalization(Operand input, LayerNormalizationOptions options = {});

  // max(0, x) + alpha * min(0, x)
  Operand leakyRelu(Operand input, LeakyReluOptions options = {});
  // alpha * x + beta
  Operand linear(Operand input, LinearOptions options = {});

  // A long short-term memory over an input [steps, batchSize, inputSize]. Returns the last hidden state and the last cell state,
  // each [numDirections, batchSize, hiddenSize], and, if options.returnSequence, the hidden states of all steps.
  std::vector<Operand> lstm(Operand input, Operand weight, Operand recurrentWeight, std::uint32_t steps, std::uint32_t hiddenSize,
                            LstmOptions options = {});
  // One step of lstm(). Returns the new hidden state and the new cell state, each [batchSize, hiddenSize].
  std::vector<Operand> lstmCell(Operand input, Operand weight, Operand recurrentWeight, Operand hiddenState, Operand cellState,
                                std::uint32_t hiddenSize, LstmCellOptions options = {});

  // Matrix products of the last two dimensions. The other dimensions are broadcast.
  Operand matmul(Operand a, Operand b, OperatorOptions options = {});

  // Adds elements before and after each dimension: a constant, copies of the edge, or a reflection of the input.
  Operand pad(Operand input, std::vector<std::uint32_t> beginningPadding, std::vector<std::uint32_t> endingPadding,
              PadOptions options = {});

  // Pooling over windows of the two spatial dimensions of [N, C, H, W]. Padding elements are excluded from the result.
  Operand averagePool2d(Operand input, Pool2dOptions options = {});
  Operand l2Pool2d(Operand input, Pool2dOptions options = {});
  Operand maxPool2d(Operand input, Pool2dOptions options = {});

  // max(0, x) + slope * min(0, x), with broadcasting.
  Operand prelu(Operand input, Operand slope, OperatorOptions options = {});

  // Reductions over options.axes: over all dimensions if absent, over none if empty.
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

  // Resamples the two dimensions in options.axes by options.scales or to options.sizes.
  Operand resample2d(Operand input, Resample2dOptions options = {});

  // The same elements with another shape.
  Operand reshape(Operand input, std::vector<std::uint32_t> newShape, OperatorOptions options = {});
  // Reverses the elements along options.axes: along all dimensions if absent, along none if empty.
  Operand reverse(Operand input, ReverseOptions options = {});

  // A copy of `input` with the elements of `updates` written at `indices` along options.axis. If indices are equal, the last
  // update wins.
  Operand scatterElements(Operand input, Operand indices, Operand updates, ScatterOptions options = {});
  // A copy of `input` with the slices of `updates` written at the coordinates in the last dimension of `indices`.
  Operand scatterND(Operand input, Operand indices, Operand updates, OperatorOptions options = {});

  // 1 / (1 + exp(-x))
  Operand sigmoid(Operand input, OperatorOptions options = {});

  // The window of `input` that begins at `starts` and has `sizes` elements per dimension, reduced to every options.strides-th
  // element.
  Operand slice(Operand input, std::vector<std::uint32_t> starts, std::vector<std::uint32_t> sizes, SliceOptions options = {});

  // exp(x) / sum(exp(x)) along `axis`.
  Operand softmax(Operand input, std::uint32_t axis, OperatorOptions options = {});
  // log(1 + exp(x))
  Operand softplus(Operand input, OperatorOptions options = {});
  // x / (1 + |x|)
  Operand softsign(Operand input, OperatorOptions options = {});

  // Splits `input` along options.axis into equal parts or into parts of the given sizes.
  std::vector<Operand> split(Operand input, Splits splits, SplitOptions options = {});

  Operand tanh(Operand input, OperatorOptions options = {});

  // Repeats `input` along each dimension.
  Operand tile(Operand input, std::vector<std::uint32_t> repetitions, OperatorOptions options = {});

  // Reorders the dimensions by options.permutation, or reverses their order if absent.
  Operand transpose(Operand input, TransposeOptions options = {});

  // Keeps the upper or lower triangle of the last two dimensions and sets the rest to 0.
  Operand triangular(Operand input, TriangularOptions options = {});

  // For each element: trueValue if condition (uint8) is not 0, else falseValue, with broadcasting.
  Operand where(Operand condition, Operand trueValue, Operand falseValue, OperatorOptions options = {});

  // Appends an operation of the operation table. For loaders and bindings.
  std::vector<Operand> append(Operation operation);

  // Names a constant or an intermediate result in printed and saved graphs. The name need not be unique.
  void setName(const Operand& operand, std::string name);
  // Names the graph in printed and saved graphs.
  void setGraphName(std::string name);

  // For internal use. Throws InvalidStateError if the builder was moved from.
  BuilderState& state() const;

 private:
  Operand appendOne(Operation operation);

  std::unique_ptr<BuilderState> state_;
};

}  // namespace webnn
