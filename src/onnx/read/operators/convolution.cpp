#include "onnx/read/operators/convolution.h"

#include <algorithm>

namespace webnn::formats::onnx {

namespace {

using SpatialSizes = std::vector<std::uint32_t>;

std::uint32_t nonNegative(std::int64_t padding) { return static_cast<std::uint32_t>(std::max<std::int64_t>(0, padding)); }

// Applies negative padding by slicing the input, so that the remaining padding is non-negative.
void crop(NodeContext& node, ConvAttributes& convolution) {
  const Shape& shape = convolution.input.shape();
  SpatialSizes starts(shape.size()), sizes = shape;
  for (std::size_t i = 0; i < convolution.window.size(); ++i) {
    WindowAttributes& axis = convolution.window[i];
    const std::uint32_t begin = nonNegative(-axis.begin), end = nonNegative(-axis.end);
    starts[i + 2] = begin;
    sizes[i + 2] = dimensionOf(axis.size - begin - end);
    axis.size = sizes[i + 2];
    axis.begin = nonNegative(axis.begin);
    axis.end = nonNegative(axis.end);
  }
  if (sizes != shape) convolution.input = node.builder.slice(convolution.input, starts, sizes);
}

// Gathers the elements of dimension 2 under each tap of each window: [..., taps, windows, ...].
Operand gatherWindows(NodeContext& node, Operand input, const WindowAttributes& axis, std::uint32_t count) {
  const std::int64_t indexCount = axis.kernel * count;  // below 2^62
  node.require(indexCount <= kMaxIndices, "a window in a third dimension with {} elements, which WebNN would have to gather",
               indexCount);
  std::vector<std::int32_t> indices;
  for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
    for (std::int64_t i = 0; i < count; ++i) indices.push_back(static_cast<std::int32_t>(tap * axis.dilation + i * axis.stride));
  }
  return node.builder.gather(input, indexConstant(node, {static_cast<std::uint32_t>(axis.kernel), count}, indices),
                             {.axis = 2, .label = {}});
}

// Removes the first spatial dimension: its taps become channels, and its windows become images. [N, C, D, ...] becomes [N *
// windows, C * taps, ...]. Returns the number of windows.
std::uint32_t unfoldFirst(NodeContext& node, ConvAttributes& convolution) {
  const WindowAttributes axis = convolution.window.front();
  const std::uint32_t count = dimensionOf(axis.count());
  Operand input = convolution.input;
  if (axis.begin > 0 || axis.end > 0) {
    SpatialSizes begin(input.rank()), end(input.rank());
    begin[2] = static_cast<std::uint32_t>(axis.begin);
    end[2] = static_cast<std::uint32_t>(axis.end);
    input = node.builder.pad(input, begin, end);
  }
  input = gatherWindows(node, input, axis, count);  // [N, C, taps, windows, ...]
  std::vector<std::uint32_t> permutation{0, 3, 1, 2};
  for (std::uint32_t i = 4; i < input.rank(); ++i) permutation.push_back(i);
  input = node.builder.transpose(input, {.permutation = permutation, .label = {}});
  const Shape& split = input.shape();
  Shape images{split[0] * split[1], split[2] * split[3]};
  images.insert(images.end(), split.begin() + 4, split.end());
  const Shape& kernels = convolution.filter.shape();
  Shape merged{kernels[0], kernels[1] * kernels[2]};
  merged.insert(merged.end(), kernels.begin() + 3, kernels.end());
  convolution.input = node.builder.reshape(input, images);
  convolution.filter = node.builder.reshape(convolution.filter, merged);
  convolution.window.erase(convolution.window.begin());
  return count;
}

// Turns a 1-D convolution into a 2-D one with images of height 1.
void addRow(NodeContext& node, ConvAttributes& convolution) {
  const auto withRow = [&](const Operand& operand) {
    Shape shape = operand.shape();
    shape.insert(shape.begin() + 2, 1);
    return node.builder.reshape(operand, shape);
  };
  convolution.input = withRow(convolution.input);
  convolution.filter = withRow(convolution.filter);
  convolution.window.insert(convolution.window.begin(), WindowAttributes{.size = 1, .kernel = 1});
}

// Returns the options that conv2d and convTranspose2d have in common.
template <typename Options>
Options optionsOf(const ConvAttributes& convolution) {
  Options options;
  options.groups = convolution.groups;
  options.bias = convolution.bias;
  const auto set = [&](OptionalSizes& option, auto... value) {
    option.emplace().reserve(convolution.window.size() * sizeof...(value));
    for (const WindowAttributes& axis : convolution.window) (option->push_back(static_cast<std::uint32_t>(axis.*value)), ...);
  };
  set(options.strides, &WindowAttributes::stride);
  set(options.dilations, &WindowAttributes::dilation);
  set(options.padding, &WindowAttributes::begin, &WindowAttributes::end);
  return options;
}

Operand withoutRow(NodeContext& node, const Operand& operand) {
  Shape shape = operand.shape();
  shape.erase(shape.begin() + 2);
  return node.builder.reshape(operand, shape);
}

// Inserts stride - 1 zeros between the elements of a spatial dimension.
Operand spread(NodeContext& node, Operand input, std::size_t dimension, std::int64_t stride) {
  if (stride == 1) return input;
  const Shape shape = input.shape();
  Shape split = shape;
  split.insert(split.begin() + static_cast<std::ptrdiff_t>(dimension) + 1, 1);
  SpatialSizes begin(split.size()), end(split.size());
  end[dimension + 1] = static_cast<std::uint32_t>(stride - 1);
  Shape joined = shape, cut = shape;
  joined[dimension] = dimensionOf(shape[dimension] * stride);
  cut[dimension] = static_cast<std::uint32_t>((shape[dimension] - 1) * stride + 1);
  const Operand padded = node.builder.pad(node.builder.reshape(input, split), begin, end);
  return node.builder.slice(node.builder.reshape(padded, joined), SpatialSizes(shape.size()), cut);
}

// Returns the mirrored filter. A plain convolution of the input that spread() returns with this filter equals the transposed
// convolution.
Operand mirrored(NodeContext& node, const ConvAttributes& convolution) {
  const Operand& filter = convolution.filter;
  const Shape& shape = filter.shape();
  const std::uint32_t groups = convolution.groups;
  Shape split{groups, shape[0] / groups, shape[1]}, joined{shape[1] * groups, shape[0] / groups};
  std::vector<std::uint32_t> permutation{0, 2, 1}, axes;
  for (std::uint32_t i = 2; i < shape.size(); ++i) {
    split.push_back(shape[i]);
    joined.push_back(shape[i]);
    permutation.push_back(i + 1);
    axes.push_back(i);
  }
  const Operand swapped = node.transpose(node.builder.reshape(filter, split), permutation);
  return node.builder.reverse(node.builder.reshape(swapped, joined), {.axes = axes, .label = {}});
}

// Computes a transposed convolution as a convolution of the input with zeros inserted between its elements.
Operand convolveSpread(NodeContext& node, ConvAttributes convolution) {
  const std::uint32_t channels = convolution.input.shape()[1], groups = convolution.groups;
  if (groups == 0 || channels % groups != 0) {
    fail(ErrorKind::dataError, "the channels ({}) are not a multiple of group ({}).", channels, groups);
  }
  convolution.filter = mirrored(node, convolution);
  for (std::size_t i = 0; i < convolution.window.size(); ++i) {
    WindowAttributes& axis = convolution.window[i];
    convolution.input = spread(node, convolution.input, i + 2, axis.stride);
    axis.size = convolution.input.shape()[i + 2];
    axis.begin = axis.reach() - 1 - axis.begin;
    axis.end = axis.reach() - 1 - axis.end;
    axis.stride = 1;
    dimensionOf(std::max<std::int64_t>({0, axis.begin, axis.end}) + 1);  // throws if the padding is too large for a dimension
  }
  return convolve(node, std::move(convolution));
}

}  // namespace

Operand convolve(NodeContext& node, ConvAttributes convolution) {
  crop(node, convolution);
  const std::uint32_t batch = convolution.input.shape()[0];
  const bool isLine = convolution.window.size() == 1;
  Shape unfolded;
  while (convolution.window.size() > 2) unfolded.push_back(unfoldFirst(node, convolution));
  if (isLine) addRow(node, convolution);
  const Operand result = node.builder.conv2d(convolution.input, convolution.filter, optionsOf<Conv2dOptions>(convolution));
  if (isLine) return withoutRow(node, result);
  if (unfolded.empty()) return result;
  // [N * windows..., M, H, W] to [N, M, windows..., H, W]
  const Shape& image = result.shape();
  Shape split{batch};
  split.insert(split.end(), unfolded.begin(), unfolded.end());
  split.insert(split.end(), image.begin() + 1, image.end());
  const auto channelAxis = static_cast<std::uint32_t>(unfolded.size() + 1);
  std::vector<std::uint32_t> permutation{0, channelAxis};
  for (std::uint32_t i = 1; i < split.size(); ++i) {
    if (i != channelAxis) permutation.push_back(i);
  }
  return node.transpose(node.builder.reshape(result, split), permutation);
}

Operand convolveTransposed(NodeContext& node, const ConvAttributes& convolution) {
  const bool fits = std::ranges::all_of(convolution.window,
                                        [](const WindowAttributes& axis) { return axis.begin >= 0 && -axis.end < axis.stride; });
  if (convolution.window.size() > 2 || !fits) return convolveSpread(node, convolution);
  ConvAttributes plane = convolution;
  const bool isLine = plane.window.size() == 1;
  if (isLine) addRow(node, plane);
  OptionalSizes outputPadding{std::vector<std::uint32_t>{}};
  for (WindowAttributes& axis : plane.window) {
    outputPadding->push_back(nonNegative(-axis.end));
    axis.end = nonNegative(axis.end);
  }
  auto options = optionsOf<ConvTranspose2dOptions>(plane);
  options.outputPadding = outputPadding;
  const Operand result = node.builder.convTranspose2d(plane.input, plane.filter, options);
  return isLine ? withoutRow(node, result) : result;
}

}  // namespace webnn::formats::onnx
