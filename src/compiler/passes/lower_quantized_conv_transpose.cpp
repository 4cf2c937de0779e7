// Replaces convTranspose2d between dequantizeLinear and quantizeLinear by a conv2d of the same values, which pass
// fuseQuantizedConv accepts, and operations that move bytes. With strides, each phase of the output (position modulo stride) is a
// convolution with those filter taps that contribute to it. One convolution computes all phases as output channels, which are
// then interleaved.
// A tap that a phase does not have is filled with the filter's zero point, so it adds exactly 0.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "compiler/passes/fold_node.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/quantization.h"

namespace webnn::compiler {

namespace {

// The maximum growth of the number of taps (the filter's taps and zero taps). 8-bit products are about four times as fast as
// float products, so more growth would not pay.
constexpr std::size_t kMostTaps = 4;

// The phases along one spatial dimension. Before cropping, output position stride * q + phase is position q of the convolution
// for `phase`. The convolution pads its input by `before` and `after` and has `count` positions. Positions at the beginning that
// padding removes entirely are not counted.
struct Phases {
  std::uint32_t stride = 1, taps = 1, before = 0, after = 0, count = 1;
  std::uint32_t cropped = 0;  // number of output positions that are cropped at the beginning

  // Returns the convolution's tap for the filter tap at `offset` (index * dilation), which belongs to phase offset % stride.
  std::uint32_t tapOf(std::uint32_t offset) const { return taps - 1 - offset / stride; }
};

// Returns the phases along a dimension of size `output`; nullopt if there would be too many taps, or if a size is too large.
std::optional<Phases> phasesOf(const ops::WindowAxis& axis, std::uint64_t output) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  const std::uint64_t stride = axis.stride, padding = axis.beginningPadding;
  if (stride > kMost || padding > kMost || output > kMost || axis.effectiveWindowSize() > kMost) return std::nullopt;
  const std::uint64_t taps = (axis.effectiveWindowSize() - 1) / stride + 1;
  if (taps * stride > kMostTaps * axis.windowSize) return std::nullopt;
  const std::uint64_t skipped = std::min(padding / stride, taps - 1), end = (output + padding + stride - 1) / stride;
  const auto size = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
  return Phases{.stride = size(stride),
                .taps = size(taps),
                .before = size(taps - 1 - skipped),
                .after = size(end - std::min(end, axis.inputSize)),
                .count = size(std::max(end, axis.inputSize) - skipped),
                .cropped = size(padding - skipped * stride)};
}

// The filter and other constants, rearranged for the convolution. The output channels of the convolution are [groups, phases,
// channels of a group].
class PhasedFilter {
 public:
  PhasedFilter(const ops::ConvTranspose2d& op, const ops::DequantizeLinear& filter, const Phases& y, const Phases& x)
      : op_(op), filter_(filter), y_(y), x_(x), axes_(ops::axesOf(op.options.filterLayout)) {
    const Shape& shape = filter.input.shape();
    groups_ = op.options.groups;
    inputs_ = shape[axes_.input] / groups_;
    outputs_ = shape[axes_.output];
    phases_ = y.stride * x.stride;
  }
  std::uint32_t channels() const { return groups_ * phases_ * outputs_; }
  std::uint32_t groups() const { return groups_; }
  std::uint32_t channelsOfGroup() const { return outputs_; }

  // Returns the rearranged filter: [channels, taps, taps, inputs].
  Operand numbers(Module& module) const {
    const Shape &from = filter_.input.shape(), to{channels(), y_.taps, x_.taps, inputs_};
    const std::span<const std::byte> source = filter_.input.record().bytes, zeros = filter_.zeroPoint.record().bytes;
    std::vector<std::byte> bytes(elementCount({DataType::uint8, to}));
    for (std::size_t i = 0, each = bytes.size() / channels(); i < bytes.size(); ++i) {
      bytes[i] = zeros[zeros.size() == 1 ? 0 : i / each % outputs_];
    }
    const std::vector<std::uint32_t>& dilations = *op_.options.dilations;
    std::array<std::uint32_t, 4> at{};
    for (const std::byte number : source) {
      const std::uint32_t input = at[axes_.input], dy = at[axes_.height] * dilations[0], dx = at[axes_.width] * dilations[1];
      const std::uint32_t phase = dy % y_.stride * x_.stride + dx % x_.stride;
      const std::size_t channel = (std::size_t{input / inputs_} * phases_ + phase) * outputs_ + at[axes_.output];
      bytes[((channel * y_.taps + y_.tapOf(dy)) * x_.taps + x_.tapOf(dx)) * inputs_ + input % inputs_] = number;
      for (std::size_t d = 4; d-- > 0 && ++at[d] == from[d];) at[d] = 0;
    }
    return module.constant({filter_.input.dataType(), to}, std::move(bytes));
  }
  // Repeats a constant for all phases. The constant has one element, one per output channel of a group, or one per output
  // channel.
  Operand perChannel(Module& module, const Operand& constant, const Shape& ones) const {
    const std::size_t count = elementCount(constant.descriptor()), size = bitsPerElement(constant.dataType()) / 8;
    if (count == 1 && ones.size() > 1) return module.reshaped(constant, ones);
    const std::span<const std::byte> source = constant.record().bytes;
    std::vector<std::byte> bytes;
    bytes.reserve(channels() * size);
    for (std::size_t i = 0; i < channels(); ++i) {
      const std::size_t from = i / outputs_ / phases_ * outputs_ + i % outputs_;
      const auto number = source.subspan(from % count * size, size);
      bytes.insert(bytes.end(), number.begin(), number.end());
    }
    Shape shape = ones;
    shape[0] = channels();
    return module.constant({constant.dataType(), shape}, std::move(bytes));
  }

 private:
  const ops::ConvTranspose2d& op_;
  const ops::DequantizeLinear& filter_;
  const Phases &y_, &x_;
  ops::FilterAxes axes_;
  std::uint32_t groups_ = 1, inputs_ = 1, outputs_ = 1, phases_ = 1;
};

class ConvTransposeLowering : ChainFusion {
 public:
  using ChainFusion::ChainFusion;

  void run() {
    fuseAll([this](std::size_t index) {
      if (const auto* op = as<ops::ConvTranspose2d>(module_.nodes[index].operation)) lower(index, *op);
    });
  }

 private:
  void lower(std::size_t index, const ops::ConvTranspose2d& op) {
    const auto* input = made<ops::DequantizeLinear>(op.input);
    const auto* filter = made<ops::DequantizeLinear>(op.filter);
    if (!input || !filter || !faithfulQuantizationOf(input->scale, input->zeroPoint) || !suits(op, *filter)) return;
    std::vector<std::size_t> taken{index};
    auto next = follower(index);
    while (next && isActivation(module_.nodes[*next].operation)) {
      taken.push_back(*next);
      next = follower(*next);
    }
    const auto* quantize = next ? as<ops::QuantizeLinear>(module_.nodes[*next].operation) : nullptr;
    const auto to = quantize ? faithfulQuantizationOf(quantize->scale, quantize->zeroPoint) : std::nullopt;
    if (!to) return;

    const ops::ImageAxes image = ops::axesOf(op.options.inputLayout);
    const Shape& output = module_.nodes[index].outputs[0].shape();
    const std::array<ops::WindowAxis, 2> window = ops::convolutionAxes(op);
    const std::optional<Phases> y = phasesOf(window[0], output[image.height]), x = phasesOf(window[1], output[image.width]);
    if (!y || !x) return;
    if (std::size_t{y->taps} * y->stride * x->taps * x->stride > kMostTaps * window[0].windowSize * window[1].windowSize) return;
    const PhasedFilter phased(op, *filter, *y, *x);
    std::vector<ModuleNode> nodes;
    Operand value = convolved(op, *input, *filter, phased, {*y, *x}, nodes);
    for (std::size_t i = 1; i < taken.size(); ++i) {
      EngineOperation activation = module_.nodes[taken[i]].operation;
      mapOperands(activation, [&](const Operand&) { return value; });
      const Operand result = module_.intermediate(value.descriptor());
      nodes.push_back({std::move(activation), {result}});
      value = result;
    }
    value = module_.append(nodes, quantizing(module_, value, *to));
    taken.push_back(*next);
    join(value, phased, {*y, *x}, module_.nodes[*next].outputs[0], image, nodes);
    replace(taken, std::move(nodes));
  }

  static bool isActivation(const EngineOperation& operation) {
    const auto* activation = as<ops::Activation>(operation);
    return (activation && activation->kind == ops::ActivationKind::relu) || as<ops::Clamp>(operation);
  }

  // Returns whether pass fuseQuantizedConv will accept this filter and bias.
  static bool suits(const ops::ConvTranspose2d& op, const ops::DequantizeLinear& filter) {
    if (filter.input.rank() != 4 || !isByte(filter.input.dataType()) || filter.scale.dataType() != DataType::float32)
      return false;
    if (!isConstant(filter.input) || !isConstant(filter.scale) || !isConstant(filter.zeroPoint)) return false;
    if (!std::ranges::all_of(constantNumbers(filter.scale), isFaithful)) return false;
    const ops::FilterAxes axes = ops::axesOf(op.options.filterLayout);
    const std::size_t outputs = filter.input.shape()[axes.output], scales = elementCount(filter.scale.descriptor());
    if (scales != 1 && (scales != outputs || filter.scale.shape()[axes.output] != outputs)) return false;
    if (elementCount(filter.input.descriptor()) / outputs > kMostTerms / kMostTaps) return false;
    const std::optional<Operand>& bias = op.options.bias;
    return !bias || (isConstant(*bias) && bias->dataType() == DataType::float32 &&
                     std::ranges::all_of(constantNumbers(*bias), [](double number) { return std::abs(number) <= 0x1p80; }));
  }

  // Appends the convolution, with channels last and all phases as output channels.
  Operand convolved(const ops::ConvTranspose2d& op, const ops::DequantizeLinear& input, const ops::DequantizeLinear& filter,
                    const PhasedFilter& phased, const std::array<Phases, 2>& phases, std::vector<ModuleNode>& nodes) {
    Operand numbers = input.input;
    if (op.options.inputLayout == InputOperandLayout::nchw) numbers = transposed(numbers, {0, 2, 3, 1}, nodes);
    const Quantization quantization = *faithfulQuantizationOf(input.scale, input.zeroPoint);
    ops::Conv2d conv{module_.append(nodes, dequantizing(module_, numbers, quantization)), {}, {}};
    const Shape ones(4, 1);
    conv.filter = module_.append(nodes, ops::DequantizeLinear{phased.numbers(module_),
                                                              phased.perChannel(module_, filter.scale, ones),
                                                              phased.perChannel(module_, filter.zeroPoint, ones),
                                                              {}});
    Conv2dOptions& options = conv.options;
    options.padding = {phases[0].before, phases[0].after, phases[1].before, phases[1].after};
    options.strides = options.dilations = {1, 1};
    options.groups = op.options.groups;
    options.inputLayout = InputOperandLayout::nhwc;
    options.filterLayout = Conv2dFilterOperandLayout::ohwi;
    options.label = op.options.label;
    if (op.options.bias) options.bias = phased.perChannel(module_, *op.options.bias, {1});
    return module_.append(nodes, std::move(conv));
  }

  // Interleaves the phases, crops the result, and changes its layout to the layout of `output`.
  void join(Operand value, const PhasedFilter& phased, const std::array<Phases, 2>& phases, const Operand& output,
            const ops::ImageAxes& image, std::vector<ModuleNode>& nodes) {
    const auto& [y, x] = phases;
    const std::uint32_t batch = value.shape()[0], groups = phased.groups(), channels = phased.channelsOfGroup();
    const auto reshaped = [&](const Operand& of, const Shape& shape) {
      return module_.append(nodes, ops::Reshape{of, shape, {}});
    };
    if (y.stride * x.stride > 1) {
      value = reshaped(value, {batch, y.count, x.count, groups, y.stride, x.stride, channels});
      value = transposed(value, {0, 1, 4, 2, 5, 3, 6}, nodes);
      value = reshaped(value, {batch, y.count * y.stride, x.count * x.stride, groups * channels});
    }
    const Shape& shape = output.shape();
    const Shape cropped{batch, shape[image.height], shape[image.width], groups * channels};
    if (value.shape() != cropped) value = module_.append(nodes, ops::Slice{value, {0, y.cropped, x.cropped, 0}, cropped, {}});
    if (image.channel == 1) value = transposed(value, {0, 3, 1, 2}, nodes);
    nodes.back().outputs = {output};
  }

  Operand transposed(const Operand& x, const std::vector<std::uint32_t>& permutation, std::vector<ModuleNode>& nodes) {
    ops::Transpose op{x, {}};
    op.options.permutation = permutation;
    return module_.append(nodes, std::move(op));
  }
};

}  // namespace

void lowerQuantizedConvTranspose(Module& module, const PassOptions&) {
  ConvTransposeLowering(module).run();
  removeUnused(module);
}

}  // namespace webnn::compiler
