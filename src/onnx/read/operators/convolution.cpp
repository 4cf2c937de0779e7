#include "onnx/read/operators/convolution.h"

#include <algorithm>
#include <numeric>

namespace webnn::formats::onnx {

namespace {

using SpatialSizes = std::vector<std::uint32_t>;

std::uint32_t nonNegative(std::int64_t padding) { return static_cast<std::uint32_t>(std::max<std::int64_t>(0, padding)); }

// Returns the permutation that exchanges axes 1 and 2.
std::vector<std::uint32_t> axesExchanged(std::size_t rank) {
  std::vector<std::uint32_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0U);
  std::swap(axes[1], axes[2]);
  return axes;
}

Operand padAxis(NodeContext& node, const Operand& input, std::size_t axis, std::int64_t begin, std::int64_t end) {
  if (begin == 0 && end == 0) return input;
  SpatialSizes before(input.rank()), after(input.rank());
  before[axis] = static_cast<std::uint32_t>(begin);
  after[axis] = static_cast<std::uint32_t>(end);
  dimensionOf(input.shape()[axis] + begin + end);
  return node.builder.pad(input, before, after);
}

// Applies negative padding by slicing the input, so that the remaining padding is non-negative.
void crop(NodeContext& node, ConvAttributes& convolution) {
  for (std::size_t i = 0; i < convolution.window.size(); ++i) {  // pads first if only padding would remain
    WindowAttributes& axis = convolution.window[i];
    const std::uint32_t begin = nonNegative(axis.begin), end = nonNegative(axis.end);
    if (axis.size + axis.begin - begin + axis.end - end > 0) continue;
    convolution.input = padAxis(node, convolution.input, i + 2, begin, end);
    axis.size += std::int64_t{begin} + end;
    axis.begin -= begin;
    axis.end -= end;
  }
  const Shape shape = convolution.input.shape();
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

Operand withoutRow(NodeContext& node, const Operand& operand) {
  Shape shape = operand.shape();
  shape.erase(shape.begin() + 2);
  return node.builder.reshape(operand, shape);
}

// Removes the first spatial dimension of a convolution whose kernel has the size 1 in this dimension. `frames` is the input
// without it.
ConvAttributes withoutFirst(NodeContext& node, ConvAttributes convolution, const Operand& frames) {
  Shape kernel = convolution.filter.shape();
  kernel.erase(kernel.begin() + 2);
  convolution.input = frames;
  convolution.filter = node.reshape(convolution.filter, kernel);
  convolution.window.erase(convolution.window.begin());
  return convolution;
}

// Returns `count` elements of a spatial dimension, from `start`, each `stride` after the one before.
Operand sliceAxis(NodeContext& node, const Operand& input, std::size_t axis, std::int64_t start, std::int64_t count,
                  std::int64_t stride = 1) {
  const std::int64_t size = (count - 1) * stride + 1;
  if (start == 0 && stride == 1 && size == input.shape()[axis]) return input;
  SpatialSizes starts(input.rank()), sizes = input.shape(), strides(input.rank(), 1);
  starts[axis] = static_cast<std::uint32_t>(start);
  sizes[axis] = static_cast<std::uint32_t>(size);
  strides[axis] = static_cast<std::uint32_t>(stride);
  return node.builder.slice(input, starts, sizes, {.strides = strides, .label = {}});
}

// Returns the convolution's part for one tap of the kernel's first dimension. `frames` has the tap's input [N * D, C, ...].
ConvAttributes tapOf(NodeContext& node, const ConvAttributes& convolution, std::int64_t tap, const Operand& frames,
                     bool hasBias) {
  ConvAttributes part = convolution;
  part.filter = sliceAxis(node, convolution.filter, 2, tap, 1);
  if (!hasBias) part.bias.reset();
  return withoutFirst(node, std::move(part), frames);
}

// The maximum number of taps of the first dimension, or its maximum stride, for which one convolution is replaced by several of
// lower rank.
constexpr std::int64_t kMaxTaps = 16;

// Returns whether to compute a convolution as a sum of one convolution per tap of the kernel's first dimension, instead of moving
// these taps to the channels. The sum reads and writes partial results once per tap; moving taps copies the input once per tap.
bool sumsTaps(const ConvAttributes& convolution) {
  const std::int64_t taps = convolution.window.front().kernel;
  if (taps == 1) return true;
  // Each sum of float16 values would be rounded.
  if (taps > kMaxTaps || convolution.input.dataType() != DataType::float32) return false;
  double sums = 2 * static_cast<double>(taps - 1) * convolution.filter.shape()[0];
  double copies = 3 * static_cast<double>(taps) * convolution.input.shape()[1];
  for (const WindowAttributes& axis : std::span(convolution.window).subspan(1)) {
    sums *= static_cast<double>(axis.count());
    copies *= static_cast<double>(axis.size);
  }
  return convolution.groups > 1 || sums <= copies;
}

// Removes the first spatial dimension: moves its kernel taps to the channels and its windows to the batch. [N, C, D, ...] becomes
// [N * windows, C * taps, ...].
void unfoldFirst(NodeContext& node, ConvAttributes& convolution) {
  const WindowAttributes axis = convolution.window.front();
  const Operand padded = padAxis(node, convolution.input, 2, axis.begin, axis.end);
  const Operand input = gatherWindows(node, padded, axis, dimensionOf(axis.count()));  // [N, C, taps, windows, ...]
  std::vector<std::uint32_t> permutation{0, 3, 1, 2};
  for (std::uint32_t i = 4; i < input.rank(); ++i) permutation.push_back(i);
  const Operand taps = node.transpose(input, permutation);
  const Shape &split = taps.shape(), &kernels = convolution.filter.shape();
  Shape images{split[0] * split[1], split[2] * split[3]}, merged{kernels[0], kernels[1] * kernels[2]};
  images.insert(images.end(), split.begin() + 4, split.end());
  merged.insert(merged.end(), kernels.begin() + 3, kernels.end());
  convolution.input = node.reshape(taps, images);
  convolution.filter = node.reshape(convolution.filter, merged);
  convolution.window.erase(convolution.window.begin());
}

// Computes a convolution with three or more spatial dimensions.
Operand convolveVolume(NodeContext& node, ConvAttributes convolution) {
  const Window& window = convolution.window;
  for (const WindowAttributes& axis : window) dimensionOf(axis.count());
  // Merge adjacent dimensions in which each window is one element (see WindowAttributes::isUnit).
  for (std::size_t i = window.size() - 1; i > 0; --i) {
    if (!window[i - 1].isUnit() || !window[i].isUnit()) continue;
    const std::size_t axis = i + 1;
    const auto merged = [&](const Operand& operand) {
      Shape shape = operand.shape();
      shape[axis] *= shape[axis + 1];
      shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1);
      return node.reshape(operand, shape);
    };
    const std::uint32_t outer = convolution.input.shape()[axis], inner = convolution.input.shape()[axis + 1];
    convolution.input = merged(convolution.input);
    convolution.filter = merged(convolution.filter);
    convolution.window[i - 1].size *= convolution.window[i].size;
    convolution.window.erase(convolution.window.begin() + static_cast<std::ptrdiff_t>(i));
    const Operand result = convolve(node, std::move(convolution));
    Shape shape = result.shape();
    shape[axis] = outer;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, inner);
    return node.reshape(result, shape);
  }
  const std::uint32_t batch = convolution.input.shape()[0];
  const WindowAttributes axis = window.front();
  if (!sumsTaps(convolution)) {
    unfoldFirst(node, convolution);
    return volumeOf(node, convolve(node, std::move(convolution)), batch);
  }
  const Operand input = padAxis(node, convolution.input, 2, axis.begin, axis.end);
  std::optional<Operand> sum;
  for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
    const Operand frames = framesOf(node, sliceAxis(node, input, 2, tap * axis.dilation, axis.count(), axis.stride));
    const Operand part = convolve(node, tapOf(node, convolution, tap, frames, !sum));
    sum = sum ? node.builder.add(*sum, part) : part;
  }
  return volumeOf(node, *sum, batch);
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

// Returns whether the first dimension suits convolveInterleaved(): few taps and a small stride. For float16, each result must
// also have at most one tap of this dimension, because convolveInterleaved() would round the sum after each tap.
bool mayInterleave(const ConvAttributes& convolution) {
  const WindowAttributes& axis = convolution.window.front();
  return axis.kernel <= kMaxTaps && axis.stride <= kMaxTaps &&
         (convolution.input.dataType() == DataType::float32 || axis.reach() <= axis.stride);
}

// Computes a transposed convolution as sums of transposed convolutions without the first dimension, one for each tap of the
// kernel's first dimension. With stride s, the elements i of the result with equal i % s are sums over the same taps; those with
// i % s = 0, 1, ... are computed one after the other and then interleaved. Pads the parts of a sum rather than the input, because
// zeros times infinite weights would be NaN.
Operand convolveInterleaved(NodeContext& node, const ConvAttributes& convolution) {
  const WindowAttributes axis = convolution.window.front();
  const std::uint32_t batch = convolution.input.shape()[0];
  const std::int64_t most = (axis.reach() - 1) / axis.stride;  // element j contributes to elements j to j + most of a sum
  const std::int64_t size = (axis.size - 1) * axis.stride + axis.reach() - axis.begin - axis.end;
  dimensionOf(size);
  // Adds the bias last if an output element may be the sum of several parts, or of none.
  const bool addsBias = convolution.bias && (most > 0 || axis.kernel < axis.stride || axis.end < 0);
  const Operand frames = framesOf(node, convolution.input);
  std::vector<std::optional<Operand>> sums(static_cast<std::size_t>(axis.stride));
  for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
    const std::int64_t shift = tap * axis.dilation / axis.stride;
    const Operand part = convolveTransposed(node, tapOf(node, convolution, tap, frames, !addsBias));
    const Operand padded = padAxis(node, volumeOf(node, part, batch), 2, shift, most - shift);
    std::optional<Operand>& sum = sums[static_cast<std::size_t>(tap * axis.dilation % axis.stride)];
    sum = sum ? node.builder.add(*sum, padded) : padded;
  }
  std::vector<Operand> phases;
  for (const std::optional<Operand>& sum : sums) {
    // Phase 0 always has a tap. The elements of a phase without taps are 0, because they lie between the taps of the kernel.
    const Operand phase = sum ? framesOf(node, *sum) : node.scalar(convolution.input.dataType(), 0);
    Shape shape = phases.empty() ? phase.shape() : phases.front().shape();
    if (phases.empty()) shape.insert(shape.begin() + 1, 1);
    phases.push_back(sum ? node.reshape(phase, shape) : node.expand(phase, shape));
  }
  const Operand joined = phases.size() == 1 ? phases.front() : node.builder.concat(phases, 1);
  Shape shape = joined.shape();
  shape[0] *= shape[1];
  shape.erase(shape.begin() + 1);
  const Operand all = volumeOf(node, node.reshape(joined, shape), batch);
  const std::int64_t missing = std::max<std::int64_t>(0, axis.begin + size - (axis.size + most) * axis.stride);
  const Operand result = sliceAxis(node, padAxis(node, all, 2, 0, missing), 2, axis.begin, size);
  if (!addsBias) return result;
  Shape channels(result.rank() - 1, 1);
  channels[0] = result.shape()[1];
  return node.builder.add(result, node.reshape(*convolution.bias, channels));
}

}  // namespace

Operand framesOf(NodeContext& node, const Operand& volume) {
  Shape shape = volume.shape();
  shape.erase(shape.begin() + 2);
  shape[0] *= volume.shape()[2];
  return node.reshape(node.transpose(volume, axesExchanged(volume.rank())), shape);
}

Operand volumeOf(NodeContext& node, const Operand& frames, std::uint32_t batch) {
  Shape shape = frames.shape();
  shape.insert(shape.begin() + 1, shape[0] / batch);
  shape[0] = batch;
  return node.transpose(node.reshape(frames, shape), axesExchanged(shape.size()));
}

Operand convolve(NodeContext& node, ConvAttributes convolution) {
  crop(node, convolution);
  if (convolution.window.size() > 2) return convolveVolume(node, std::move(convolution));
  const bool isLine = convolution.window.size() == 1;
  if (isLine) addRow(node, convolution);
  const Operand result = node.builder.conv2d(convolution.input, convolution.filter, optionsOf<Conv2dOptions>(convolution));
  return isLine ? withoutRow(node, result) : result;
}

Operand convolveTransposed(NodeContext& node, const ConvAttributes& convolution) {
  const bool fits = std::ranges::all_of(convolution.window,
                                        [](const WindowAttributes& axis) { return axis.begin >= 0 && -axis.end < axis.stride; });
  if (convolution.window.size() > 2 && convolution.window.front().begin >= 0 && mayInterleave(convolution))
    return convolveInterleaved(node, convolution);
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
