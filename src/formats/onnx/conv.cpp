#include "formats/onnx/convolution.h"
#include "formats/onnx/fused_activation.h"
#include "formats/onnx/node_context.h"
#include "formats/onnx/quantization.h"

namespace webnn::formats::onnx {

namespace {

using Sizes = std::span<const std::uint32_t>;

Sizes spatial(const Operand& operand) {
  if (operand.rank() < 2) fail(ErrorKind::dataError, "an input of rank {} has no spatial dimensions.", operand.rank());
  return Sizes(operand.shape()).subspan(2);
}

std::uint32_t groupsOf(const NodeContext& node) { return positiveAttribute(node, "group", 1); }

// The convolution that the attributes describe.
Convolution readConvolution(const NodeContext& node, const Operand& input, const Operand& filter, std::optional<Operand> bias) {
  Convolution convolution{input, filter, std::move(bias), groupsOf(node), readWindow(node, spatial(input), spatial(filter))};
  padAutomatically(node, convolution.window);
  return convolution;
}

void importConv(NodeContext& node) {
  node.set(0, convolve(node, readConvolution(node, node.operand(0), node.operand(1), node.optionalOperand(2))));
}

// com.microsoft: activation(Conv(X, W, B) + Z)
void importFusedConv(NodeContext& node) {
  Operand result = convolve(node, readConvolution(node, node.operand(0), node.operand(1), node.optionalOperand(2)));
  if (node.has(3)) result = node.builder.add(result, node.operand(3));
  node.set(0,
           activate(node, result, node.text("activation", ""), node.floats("activation_params").value_or(std::vector<float>{})));
}

// com.microsoft: channels last, in the filter too.
void importNhwcConv(NodeContext& node) {
  const Operand input = channelsFirst(node, node.operand(0)), filter = channelsFirst(node, node.operand(1));
  node.set(0, channelsLast(node, convolve(node, readConvolution(node, input, filter, node.optionalOperand(2)))));
}

// The padding of a transposed convolution that has an output of the given sizes, or auto_pad. An output that is larger
// than all that the input reaches grows at its end.
void padForOutput(const NodeContext& node, Window& window, std::span<const std::int64_t> outputPadding) {
  const AutoPad mode = autoPadOf(node);
  std::vector<std::int64_t> sizes;
  if (const auto given = node.integers("output_shape"); given && !given->empty()) {
    // Some models list batch and channels too.
    const std::size_t skipped = given->size() == window.size() + 2 ? 2 : 0;
    if (given->size() - skipped != window.size()) {
      fail(ErrorKind::dataError, "output_shape has {} numbers where {} are expected.", given->size(), window.size());
    }
    for (std::size_t i = 0; i < window.size(); ++i) sizes.push_back(dimensionOf((*given)[i + skipped]));
  } else if (mode == AutoPad::sameUpper || mode == AutoPad::sameLower) {
    for (const WindowAxis& axis : window) sizes.push_back(dimensionOf(axis.size * axis.stride));
  }
  for (std::size_t i = 0; i < window.size(); ++i) {
    WindowAxis& axis = window[i];
    if (!sizes.empty()) {
      const std::int64_t total = (axis.size - 1) * axis.stride + axis.reach() + outputPadding[i] - sizes[i];
      if (total > 0) {
        axis.pad(total, mode);
      } else {
        axis.begin = 0;
        axis.end = total;
      }
    }
    axis.end -= outputPadding[i];
    dimensionOf((axis.size - 1) * axis.stride + axis.reach() - axis.begin - axis.end);
  }
}

void importConvTranspose(NodeContext& node) {
  const Operand input = node.operand(0), filter = node.operand(1);
  Convolution convolution{input, filter, node.optionalOperand(2), groupsOf(node),
                          readWindow(node, spatial(input), spatial(filter))};
  padForOutput(node, convolution.window, spatialAttribute(node, "output_padding", convolution.window.size(), 0, 0));
  node.set(0, convolveTransposed(node, convolution));
}

// A zero point of the filter: one, or one for each output channel.
std::optional<Operand> filterZeroPoint(NodeContext& node, std::size_t index, std::size_t rank) {
  if (!node.has(index)) return std::nullopt;
  const Operand zeroPoint = node.operand(index);
  if (product(zeroPoint.shape()) == 1) return node.reshape(zeroPoint, {});
  Shape shape(rank, 1);
  shape[0] = product(zeroPoint.shape());
  return node.reshape(zeroPoint, shape);
}

void importConvInteger(NodeContext& node) {
  auto zeroPoint = node.optionalOperand(2);
  if (zeroPoint) zeroPoint = node.reshape(*zeroPoint, {});
  const Operand input = centered(node, node.operand(0), zeroPoint);
  const Operand filter = centered(node, node.operand(1), filterZeroPoint(node, 3, node.rank(1)));
  Convolution convolution = readConvolution(node, input, filter, {});
  const auto multiply = [&](const Operand& a, const Operand& b) {
    convolution.input = a;
    convolution.filter = b;
    return convolve(node, convolution);
  };
  node.set(0, integerProduct(node, input, filter, product(Sizes(filter.shape()).subspan(1)), multiply));
}

// Dequantized, convolved and quantized. The bias is quantized by the product of the scales of input and filter.
void importQLinearConv(NodeContext& node) {
  const bool isChannelsLast = node.flag("channels_last");
  const Operand input = dequantizedInput(node, 0), filter = dequantizedInput(node, 3);
  std::optional<Operand> bias;
  if (node.has(8)) {
    bias = dequantize(node, node.operand(8), node.builder.mul(node.reshape(node.operand(1), {}), node.operand(4)), {});
  }
  const Operand first = isChannelsLast ? channelsFirst(node, input) : input;
  const Operand result = convolve(node, readConvolution(node, first, filter, bias));
  setQuantized(node, isChannelsLast ? channelsLast(node, result) : result, 6, 0);
}

// A depthwise convolution of what came before and the input, and the last of both. A state has at least one element here:
// WebNN has no empty tensors, so that of a kernel of one tap is refused if somebody wants it.
void importCausalConvWithState(NodeContext& node) {
  for (std::string_view name : {"state_window", "channels_last"}) {
    node.require(!node.flag(name), "{} ({})", name, node.integer(name, 0));
  }
  node.require(node.integer("ndim", 1) == 1 && node.integer("dilation", 1) == 1,
               "a causal convolution of {} dimensions with a dilation of {}", node.integer("ndim", 1),
               node.integer("dilation", 1));
  const Operand input = node.operand(0), filter = node.operand(1);
  if (input.rank() != 3 || filter.rank() != 3) {
    fail(ErrorKind::dataError, "its inputs have the ranks {} and {}, not 3.", input.rank(), filter.rank());
  }
  const std::uint32_t taps = filter.shape()[2], before = taps - 1, channels = input.shape()[1];
  Operand all = input;
  if (before > 0) {
    all = node.has(3) ? node.builder.concat({node.operand(3), input}, 2) : node.builder.pad(input, {0, 0, before}, {0, 0, 0});
  }
  const WindowAxis axis{.size = all.shape()[2], .kernel = taps};
  Operand result = convolve(node, {all, filter, node.optionalOperand(2), channels, {axis}});
  const std::string_view activation = node.text("activation", "none");
  if (activation == "silu" || activation == "swish") {
    const Operand wide = node.cast(result, DataType::float32);
    result = node.cast(node.builder.mul(wide, node.builder.sigmoid(wide)), input.dataType());
  } else if (activation != "none") {
    node.unsupported("WebNN has no activation {}", webnn::quoted(activation));
  }
  node.set(0, result);
  if (!node.wants(1)) return;
  if (before == 0) return node.set(1, Value{node.value(0).type, {input.shape()[0], channels, 0}, {}, ExternalBytes{}});
  node.set(1, node.builder.slice(all, {0, 0, all.shape()[2] - before}, {all.shape()[0], channels, before}));
}

// The sum of overlapping blocks is a transposed convolution: input channel i is tap i of the filter.
void importCol2Im(NodeContext& node) {
  const Operand input = node.operand(0);
  const std::vector<std::int64_t> image = node.integers(1), block = node.integers(2);
  if (image.size() != block.size() || image.empty() || input.rank() != 3) {
    fail(ErrorKind::dataError, "an input of rank {}, an image of {} and blocks of {} dimensions do not fit.", input.rank(),
         image.size(), block.size());
  }
  node.require(isFloat(input.dataType()), "type {}: WebNN's convolutions take floats only", name(input.dataType()));
  Shape images, kernel;
  for (std::int64_t size : image) images.push_back(dimensionOf(size));
  const std::uint64_t channels = input.shape()[1];
  std::uint64_t taps = 1;
  for (std::int64_t size : block) {
    kernel.push_back(dimensionOf(size));
    taps *= kernel.back();  // at most 2^62, as it is at most the channels before
    if (taps > channels) fail(ErrorKind::dataError, "the blocks have more elements than the input has channels ({}).", channels);
  }
  if (channels % taps != 0) {
    fail(ErrorKind::dataError, "the channels ({}) are not a multiple of the blocks' elements ({}).", channels, taps);
  }
  node.require(static_cast<std::int64_t>(taps * taps) <= kMaxIndices,
               "blocks of {} elements, each of which WebNN would need a filter for", taps);
  Window window = readWindow(node, images, kernel);
  Shape columns{static_cast<std::uint32_t>(input.shape()[0] * channels / taps), static_cast<std::uint32_t>(taps)};
  for (WindowAxis& axis : window) {
    columns.push_back(dimensionOf(axis.count()));
    axis.end =
        (columns.back() - 1) * axis.stride + axis.reach() - axis.size - axis.begin;  // the last elements may be in no block
    axis.size = columns.back();
  }
  std::vector<double> identity(taps * taps);
  for (std::size_t i = 0; i < taps; ++i) identity[i * taps + i] = 1;
  Shape filterShape{static_cast<std::uint32_t>(taps), 1}, result{input.shape()[0], static_cast<std::uint32_t>(channels / taps)};
  filterShape.insert(filterShape.end(), kernel.begin(), kernel.end());
  result.insert(result.end(), images.begin(), images.end());
  const Operand filter = node.constant(input.dataType(), filterShape, identity);
  node.set(0, node.reshape(convolveTransposed(node, {node.builder.reshape(input, columns), filter, {}, 1, window}), result));
}

}  // namespace

std::span<const OperatorImport> convOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "CausalConvWithState", importCausalConvWithState},
      {"", "Col2Im", importCol2Im},
      {"", "Conv", importConv},
      {"", "ConvInteger", importConvInteger},
      {"", "ConvTranspose", importConvTranspose},
      {"", "DeformConv", importDeformConv},
      {"", "QLinearConv", importQLinearConv},
      {"com.microsoft", "CausalConvWithState", importCausalConvWithState},
      {"com.microsoft", "FusedConv", importFusedConv},
      {"com.microsoft", "NhwcConv", importNhwcConv},
      {"com.microsoft", "QLinearConv", importQLinearConv},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
