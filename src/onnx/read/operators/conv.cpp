#include <algorithm>

#include "onnx/read/compose.h"
#include "onnx/read/node_context.h"
#include "onnx/read/operators/convolution.h"
#include "onnx/read/operators/fused_activation.h"
#include "onnx/read/operators/quantized/quantization.h"

namespace webnn::formats::onnx {

namespace {

using ShapeView = std::span<const std::uint32_t>;

ShapeView spatial(const Operand& operand) {
  if (operand.rank() < 2) fail(ErrorKind::dataError, "an input of rank {} has no spatial dimensions.", operand.rank());
  return ShapeView(operand.shape()).subspan(2);
}

std::uint32_t groupsOf(const NodeContext& node) { return positiveAttribute(node, "group", 1); }

ConvAttributes readConvolution(const NodeContext& node, const Operand& input, const Operand& filter,
                               std::optional<Operand> bias) {
  ConvAttributes convolution{input, filter, std::move(bias), groupsOf(node), readWindow(node, spatial(input), spatial(filter))};
  padAutomatically(node, convolution.window);
  return convolution;
}

void importConv(NodeContext& node) {
  node.set(0, convolve(node, readConvolution(node, node.operand(0), node.operand(1), node.optionalOperand(2))));
}

// Imports FusedConv of com.microsoft: activation(Conv(X, W, B) + Z).
void importFusedConv(NodeContext& node) {
  Operand result = convolve(node, readConvolution(node, node.operand(0), node.operand(1), node.optionalOperand(2)));
  if (node.has(3)) result = node.builder.add(result, node.operand(3));
  node.set(0,
           activate(node, result, node.text("activation", ""), node.floats("activation_params").value_or(std::vector<float>{})));
}

// Imports NhwcConv of com.microsoft, whose input and filter have channels last.
void importNhwcConv(NodeContext& node) {
  const Operand input = channelsFirst(node, node.operand(0)), filter = channelsFirst(node, node.operand(1));
  node.set(0, channelsLast(node, convolve(node, readConvolution(node, input, filter, node.optionalOperand(2)))));
}

// Sets the padding of a transposed convolution from output_shape or auto_pad, and subtracts output_padding at the end. If the
// output is larger than the full transposed convolution, elements that no input reaches are appended at the end.
void padForOutput(const NodeContext& node, Window& window, std::span<const std::int64_t> outputPadding) {
  const AutoPad mode = autoPadOf(node);
  std::vector<std::int64_t> sizes;
  if (const auto given = node.integers("output_shape"); given && !given->empty()) {
    // Some models include batch and channels in output_shape.
    const std::size_t skipped = given->size() == window.size() + 2 ? 2 : 0;
    if (given->size() - skipped != window.size()) {
      fail(ErrorKind::dataError, "output_shape has {} numbers where {} are expected.", given->size(), window.size());
    }
    for (std::size_t i = 0; i < window.size(); ++i) sizes.push_back(dimensionOf((*given)[i + skipped]));
  } else if (mode == AutoPad::sameUpper || mode == AutoPad::sameLower) {
    for (const WindowAttributes& axis : window) sizes.push_back(dimensionOf(axis.size * axis.stride));
  }
  for (std::size_t i = 0; i < window.size(); ++i) {
    WindowAttributes& axis = window[i];
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
  ConvAttributes convolution{input, filter, node.optionalOperand(2), groupsOf(node),
                             readWindow(node, spatial(input), spatial(filter))};
  padForOutput(node, convolution.window, spatialAttribute(node, "output_padding", convolution.window.size(), 0, 0));
  node.set(0, convolveTransposed(node, convolution));
}

// Returns the filter's zero point, with one element or one per output channel; nullopt if the node has none.
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
  ConvAttributes convolution = readConvolution(node, input, filter, {});
  const auto multiply = [&](const Operand& a, const Operand& b) {
    convolution.input = a;
    convolution.filter = b;
    return convolve(node, convolution);
  };
  node.set(0, integerProduct(node, input, filter, product(ShapeView(filter.shape()).subspan(1)), multiply));
}

// Dequantizes, convolves and quantizes. The scale of the bias is (scale of the input) * (scale of the filter).
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

// ---- Col2Im ----
// Sums overlapping blocks axis by axis. Gathers and adds instead of multiplying by a matrix of zeros and ones, because 0 *
// infinity is NaN.

// Calls `each(at, source)` for each element `source` of the blocks [taps, windows] that falls on element `at` of the axis.
void eachBlockElement(const WindowAttributes& axis, auto each) {
  const std::int64_t windows = axis.count();
  for (std::int64_t source = 0; source < axis.kernel * windows; ++source) {
    const std::int64_t at = source / windows * axis.dilation + source % windows * axis.stride - axis.begin;
    if (at >= 0 && at < axis.size) each(static_cast<std::size_t>(at), static_cast<std::int32_t>(source));
  }
}

// Sums the block elements [rows, taps * windows] that fall on each element of an axis.
Operand foldAxis(NodeContext& node, const Operand& rows, const WindowAttributes& axis) {
  const std::uint32_t size = dimensionOf(axis.size), zero = rows.shape()[1];  // `zero`: index of the zero column that pad() adds
  node.spend(std::uint64_t{size} + zero);                                     // charge the budget before the loops
  std::vector<std::uint32_t> counts(size);
  eachBlockElement(axis, [&](std::size_t at, std::int32_t) { ++counts[at]; });
  const std::uint32_t most = std::max(1u, *std::ranges::max_element(counts));
  node.spend(std::uint64_t{size} * most);
  std::vector<std::int32_t> indices(std::size_t{size} * most, static_cast<std::int32_t>(zero));
  eachBlockElement(axis, [&](std::size_t at, std::int32_t source) { indices[at * most + --counts[at]] = source; });
  const Operand sources = node.builder.constant({DataType::int32, {size, most}}, std::as_bytes(std::span(indices)));
  const Operand summands = node.builder.gather(node.builder.pad(rows, {0, 0}, {0, 1}), sources, {.axis = 1, .label = {}});
  return node.builder.reduceSum(summands, {.axes = {{2}}, .keepDimensions = false, .label = {}});
}

// Sums the blocks [N * C, k1, k2, ..., l1, l2, ...] over all axes. k1, k2, ... are kernel sizes, l1, l2, ... window counts.
Operand foldWindow(NodeContext& node, Operand result, std::uint32_t outer, const Window& window) {
  std::uint32_t kernels = 1, counts = 1, done = 1;
  for (const WindowAttributes& axis : window) {
    kernels *= static_cast<std::uint32_t>(axis.kernel);
    counts *= dimensionOf(axis.count());
  }
  for (std::size_t i = window.size(); i-- > 0;) {
    const auto kernel = static_cast<std::uint32_t>(window[i].kernel), count = static_cast<std::uint32_t>(window[i].count());
    const std::uint32_t rows = outer * (kernels /= kernel) * (counts /= count) * done;
    const Operand parts = node.reshape(result, {outer * kernels, kernel, counts, count, done});
    result = foldAxis(node, node.reshape(node.transpose(parts, {0, 2, 4, 1, 3}), {rows, kernel * count}), window[i]);
    const auto size = static_cast<std::uint32_t>(window[i].size);
    result = node.transpose(node.reshape(result, {outer * kernels * counts, done, size}), {0, 2, 1});
    done *= size;
  }
  return result;
}

void importCol2Im(NodeContext& node) {
  const Operand input = node.operand(0);
  const std::vector<std::int64_t> image = node.integers(1), block = node.integers(2);
  if (image.size() != block.size() || image.empty() || input.rank() != 3) {
    fail(ErrorKind::dataError, "an input of rank {}, an image of {} and blocks of {} dimensions do not fit.", input.rank(),
         image.size(), block.size());
  }
  Shape images, kernel;
  for (std::int64_t size : image) images.push_back(dimensionOf(size));
  const std::uint64_t channels = input.shape()[1];
  std::uint64_t taps = 1, windows = 1;
  for (std::int64_t size : block) {
    kernel.push_back(dimensionOf(size));
    taps *= kernel.back();  // no overflow, because the product so far was at most `channels`
    if (taps > channels) fail(ErrorKind::dataError, "the blocks have more elements than the input has channels ({}).", channels);
  }
  if (channels % taps != 0) {
    fail(ErrorKind::dataError, "the channels ({}) are not a multiple of the blocks' elements ({}).", channels, taps);
  }
  const Window window = readWindow(node, images, kernel);
  for (const WindowAttributes& axis : window) {
    windows *= dimensionOf(axis.count());
    if (windows > input.shape()[2]) break;  // stop before the product overflows
  }
  if (windows != input.shape()[2]) {
    fail(ErrorKind::dataError, "the input has {} windows, not those of the image.", input.shape()[2]);
  }
  Shape result{input.shape()[0], static_cast<std::uint32_t>(channels / taps)};
  result.insert(result.end(), images.begin(), images.end());
  shapeOf(node, Dims(result.begin(), result.end()));
  const DataType type = input.dataType();
  const DataType computed = isFloat(type) ? DataType::float32 : bitsPerElement(type) < 32 ? DataType::int32 : type;
  const auto outer = static_cast<std::uint32_t>(result[0] * (channels / taps));
  const Operand sums = foldWindow(node, node.cast(input, computed), outer, window);
  node.set(0, node.cast(node.reshape(sums, result), type));
}

}  // namespace

std::span<const OperatorImport> convOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "Conv", importConv},
      {"", "ConvInteger", importConvInteger},
      {"", "ConvTranspose", importConvTranspose},
      {"", "QLinearConv", importQLinearConv},
      {"com.microsoft", "FusedConv", importFusedConv},
      {"com.microsoft", "NhwcConv", importNhwcConv},
      {"com.microsoft", "QLinearConv", importQLinearConv},
  };
  return kOperators;
}

std::span<const OperatorImport> columnOperators() {
  static constexpr OperatorImport kOperators[]{{"", "Col2Im", importCol2Im}};
  return kOperators;
}

}  // namespace webnn::formats::onnx
