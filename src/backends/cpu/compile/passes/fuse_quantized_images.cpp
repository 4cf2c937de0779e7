// Turns averagePool2d, reduceMean and linear resample2d of dequantized operands into 8-bit operations. A quantizeLinear that
// follows becomes part of the 8-bit operation. After averagePool2d and reduceMean, so does a clamp or relu in front of that
// quantizeLinear. Integer sums are exact, whereas the original graph rounds in float32. Results are equal if scales are powers of
// two; otherwise the 8-bit results differ by at most 1, because a mean multiplies the sum by one combined factor.
#include <algorithm>

#include "backends/cpu/compile/passes/cpu_passes.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/bytes/quantized_pool.h"
#include "base/unaligned.h"
#include "compiler/passes/quantization.h"
#include "ops/resample_samples.h"

namespace webnn::cpu {

namespace {

class ImageFusion : ChainFusion {
 public:
  using ChainFusion::ChainFusion;

  void run() {
    fuseAll([this](std::size_t index) {
      const EngineOperation& operation = module_.nodes[index].operation;
      if (const auto* pool = as<ops::Pool2d>(operation)) fuse(*pool, index);
      if (const auto* mean = as<ops::Reduce>(operation)) fuse(*mean, index);
      if (const auto* resample = as<ops::Resample2d>(operation)) fuse(*resample, index);
      if (const auto* resample = as<Resample>(operation)) fuse(*resample, index);
    });
  }

 private:
  // The 8-bit operand that a chain of operations reads, the nodes of the chain, and the quantization of its result.
  struct Chain {
    Operand numbers;
    Quantization input;
    Requantization result;
    std::vector<std::size_t> nodes;
  };

  // Returns the chain that begins with operation `index`, which reads the dequantized `input`. If a quantizeLinear follows, it
  // belongs to the chain; if `mayClamp` is set, a clamp or relu may stand before it. Without a quantizeLinear, the chain is the
  // operation alone, and `input` must have no other use. Returns nullopt if the chain cannot be computed in 8 bits.
  std::optional<Chain> chainOf(std::size_t index, const Operand& input, bool mayClamp) const {
    const auto* op = made<ops::DequantizeLinear>(input);
    const auto quantization = op ? faithfulQuantizationOf(op->scale, op->zeroPoint) : std::nullopt;
    if (!quantization || isConstant(op->input)) return std::nullopt;
    Chain chain{op->input, *quantization, {}, {index}};
    std::optional<std::size_t> next = follower(index);
    Requantization to;
    const bool clamps = next && mayClamp && absorbClamp(module_.nodes[*next].operation, to);
    if (clamps) chain.nodes.push_back(*next), next = follower(*next);
    const auto* quantize = next ? as<ops::QuantizeLinear>(module_.nodes[*next].operation) : nullptr;
    if (quantize) to.to = faithfulQuantizationOf(quantize->scale, quantize->zeroPoint);
    if (to.to) {
      chain.nodes.push_back(*next), chain.result = to;
      return chain;
    }
    // Fuse without quantizeLinear if no other node needs the dequantized values.
    chain.nodes.resize(1);
    return isSingleUse(input) ? std::optional(chain) : std::nullopt;
  }

  static bool absorbClamp(const EngineOperation& operation, Requantization& to) {
    const auto* activation = as<ops::Activation>(operation);
    const auto* clamp = as<ops::Clamp>(operation);
    if (activation && activation->kind == ops::ActivationKind::relu) {
      to.minimum = 0;
      return true;
    }
    if (!clamp || !(clamp->options.minValue->toDouble() <= clamp->options.maxValue->toDouble())) return false;
    to.minimum = static_cast<float>(clamp->options.minValue->toDouble());
    to.maximum = static_cast<float>(clamp->options.maxValue->toDouble());
    return true;
  }

  const Operand& resultOf(const Chain& chain) const { return module_.nodes[chain.nodes.back()].outputs[0]; }

  void fuse(const ops::Pool2d& op, std::size_t index) {
    if (op.kind != ops::Pool2dKind::averagePool2d || !isExact(op)) return;
    const std::optional<Chain> chain = chainOf(index, op.input, true);
    if (chain) replace(chain->nodes, {{averaging(op, *chain), {resultOf(*chain)}}});
  }

  static bool isExact(const ops::Pool2d& op) {
    const auto [height, width] = ops::poolingAxes(op);
    const std::uint64_t rows = std::min(height.windowSize, height.inputSize),
                        columns = std::min(width.windowSize, width.inputSize);
    return rows * columns <= kMostAveraged;
  }
  static EngineOperation averaging(ops::Pool2d op, const Chain& chain) {
    op.input = chain.numbers;
    std::string label = op.options.label;
    return QuantizedPool{std::move(op), chain.input, chain.result, {.label = std::move(label)}};
  }

  // Converts reduceMean to an average pooling with one window that covers all reduced elements. Pools the input itself if it is
  // an image of which only height and width are reduced, else the input reshaped to [1, outer, 1, count] (nchw) or [outer, count,
  // 1, inner] (nhwc).
  void fuse(const ops::Reduce& op, std::size_t index) {
    if (op.kind != ops::ReduceKind::reduceMean) return;
    const Shape& shape = op.input.shape();
    const auto isReduced = [&](std::uint32_t axis) {
      return std::ranges::find(*op.options.axes, axis) != op.options.axes->end();
    };
    Shape image(4, 1);  // [outer, count, 1, inner]
    std::size_t part = 0;
    for (std::uint32_t d = 0; d < shape.size(); ++d) {
      if (shape[d] == 1) continue;
      if (isReduced(d) && part == 0) part = 1;
      if (!isReduced(d) && part == 1) part = 3;
      if (isReduced(d) && part == 3) return;  // the reduced dimensions are not adjacent
      image[part] *= shape[d];
    }
    if (part == 0 || image[1] > kMostAveraged) return;
    const std::optional<Chain> chain = chainOf(index, op.input, true);
    if (!chain) return;
    const auto isImage = [&](std::uint32_t height, std::uint32_t channel) {
      if (shape.size() != 4) return false;
      const bool hasOther = (isReduced(0) && shape[0] > 1) || (isReduced(channel) && shape[channel] > 1);
      return !hasOther && (isReduced(height) || shape[height] == 1) && (isReduced(height + 1) || shape[height + 1] == 1);
    };
    if (isImage(2, 1)) return appendMean(*chain, shape, InputOperandLayout::nchw);
    if (isImage(1, 3)) return appendMean(*chain, shape, InputOperandLayout::nhwc);
    if (image[3] == 1) return appendMean(*chain, {1, image[0], 1, image[1]}, InputOperandLayout::nchw);
    appendMean(*chain, std::move(image), InputOperandLayout::nhwc);
  }

  void appendMean(const Chain& chain, Shape image, InputOperandLayout layout) {
    const Operand& result = resultOf(chain);
    std::vector<ModuleNode> nodes;
    ops::Pool2d pool{ops::Pool2dKind::averagePool2d, {}, {}};
    pool.options.layout = layout;
    Chain reshaped = chain;
    if (image != chain.numbers.shape())
      reshaped.numbers = module_.append(nodes, Operation(ops::Reshape{chain.numbers, std::move(image), {}}));
    pool.input = module_.intermediate({DataType::float32, reshaped.numbers.shape()});
    Operation resolved(std::move(pool));
    const OperandDescriptor mean{result.dataType(), validate(resolved)[0].shape};
    const Operand output = mean.shape == result.shape() ? result : module_.intermediate(mean, result.record().name);
    nodes.push_back({averaging(std::get<ops::Pool2d>(static_cast<OperationVariant&>(resolved)), reshaped), {output}});
    if (mean.shape != result.shape())
      nodes.push_back({EngineOperation(Operation(ops::Reshape{output, result.shape(), {}})), {result}});
    replace(chain.nodes, std::move(nodes));
  }

  // Converts linear resample2d to the taps of two axes.
  void fuse(const ops::Resample2d& op, std::size_t index) {
    if (op.options.mode != InterpolationMode::linear) return;
    const std::optional<Chain> chain = chainOf(index, op.input, false);
    if (!chain) return;
    Resample resample{.input = chain->numbers, .options = {.label = op.options.label}};
    for (const std::size_t i : {0U, 1U}) resample.axes.push_back(tapsOf(op, i, resultOf(*chain).shape()));
    std::ranges::sort(resample.axes, {}, &AxisTaps::axis);
    append(std::move(resample), *chain);
  }

  void fuse(const Resample& op, std::size_t index) {
    const std::optional<Chain> chain = op.from ? std::nullopt : chainOf(index, op.input, false);
    if (chain) append(op, *chain);
  }

  void append(Resample op, const Chain& chain) {
    op.input = chain.numbers;
    op.from = chain.input, op.to = chain.result.to;
    replace(chain.nodes, {{std::move(op), {resultOf(chain)}}});
  }

  AxisTaps tapsOf(const ops::Resample2d& op, std::size_t i, const Shape& output) {
    const std::vector<ops::Sample> samples = ops::samplesOf(op, i, output);
    std::vector<std::byte> indices(2 * samples.size() * sizeof(std::int32_t)), weights(2 * samples.size() * sizeof(float));
    inParts(samples.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        const ops::LinearTaps taps = ops::tapsOf(samples[k]);
        storeUnaligned(indices.data() + k * sizeof(taps.indices), taps.indices);
        storeUnaligned(weights.data() + k * sizeof(taps.weights), taps.weights);
      }
    });
    const Shape shape{static_cast<std::uint32_t>(samples.size()), 2};
    return {(*op.options.axes)[i], module_.constant({DataType::int32, shape}, std::move(indices)),
            module_.constant({DataType::float32, shape}, std::move(weights))};
  }
};

}  // namespace

void fuseQuantizedImages(Module& module, const PassOptions&) {
  ImageFusion(module).run();
  removeUnused(module);
}

}  // namespace webnn::cpu
