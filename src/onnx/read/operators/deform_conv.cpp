// DeformConv: interpolates each tap of each window from its four neighbours, then convolves with a 1x1 kernel. Gathers pixels
// with all channels of an offset group, because these have the same offsets.
#include <array>
#include <limits>

#include "onnx/read/formula.h"
#include "onnx/read/operators/convolution.h"

namespace webnn::formats::onnx {

namespace {

struct Sampling {
  std::uint32_t images, groups, taps, windows;  // groups: offset groups; taps: kernel taps; windows: kernel positions
  std::array<WindowAttributes, 2> axes;         // height, width
  std::array<std::uint32_t, 2> counts;          // the number of windows along each axis
  std::uint32_t places() const { return windows * groups * taps; }  // number of sampled positions per image
};

// Returns number(window, group, tap) for each sampled position of an image.
std::vector<double> atPlaces(const Sampling& sampling, auto number) {
  std::vector<double> numbers;
  numbers.reserve(sampling.places());
  for (std::uint32_t window = 0; window < sampling.windows; ++window) {
    for (std::uint32_t group = 0; group < sampling.groups; ++group) {
      for (std::uint32_t tap = 0; tap < sampling.taps; ++tap) numbers.push_back(number(window, group, tap));
    }
  }
  return numbers;
}

// Returns the positions of all taps along a dimension, before offsets are added: [1, 1, 1, places].
Term regularPositions(NodeContext& node, const Sampling& sampling, std::size_t dimension) {
  const WindowAttributes& axis = sampling.axes[dimension];
  const auto columns = static_cast<std::uint32_t>(sampling.axes[1].kernel);
  const std::vector<double> positions = atPlaces(sampling, [&](std::uint32_t window, std::uint32_t, std::uint32_t tap) {
    const std::int64_t t = dimension == 0 ? tap / columns : tap % columns;
    const std::int64_t w = dimension == 0 ? window / sampling.counts[1] : window % sampling.counts[1];
    return static_cast<double>(w * axis.stride + t * axis.dilation - axis.begin);
  });
  return {node, node.constant(DataType::float32, {1, 1, 1, sampling.places()}, positions)};
}

// The two neighbours of each sampled position along a dimension: [images, 2, 1, places] for rows, [images, 1, 2, places] for
// columns. A neighbour outside of the input has the weight 0 and the index of the nearest element in it.
struct Neighbours {
  Term indices, weights;
};

// Returns the two neighbours of each sampled position along `dimension`. `offsets` has the shape [images, places, 2].
Neighbours neighboursOf(NodeContext& node, const Sampling& sampling, const Operand& offsets, std::uint32_t dimension,
                        DataType indexType) {
  const Operand own = node.builder.slice(offsets, {0, 0, dimension}, {sampling.images, sampling.places(), 1});
  const Term offset{node, node.reshape(own, {sampling.images, 1, 1, sampling.places()})};
  const Term at = offset + regularPositions(node, sampling, dimension), lower = floor(at), fraction = at - lower;
  const Term step{node, counting(node, DataType::float32, 2, dimension + 1, 4)};  // 0, 1
  const Term position = lower + step;
  const Term inside = min(max(position, 0), static_cast<double>(sampling.axes[dimension].size - 1));
  const Term weight = where(step == 0, 1 - fraction, fraction);
  return {cast(inside, indexType), weight * cast(position == inside, DataType::float32)};
}

// Interpolates `input` [images, channels, height, width] at all sampled positions, and multiplies by `mask` (one number per
// image and position) if present. Returns [images, places, channels of an offset group].
Operand sample(NodeContext& node, const Sampling& sampling, const Operand& input, const Operand& offsets,
               const std::optional<Operand>& mask) {
  const Shape& shape = input.shape();
  const std::uint32_t channels = shape[1] / sampling.groups;
  const std::uint64_t pixels = elementCount(input.descriptor()) / channels, perImage = std::uint64_t{shape[2]} * shape[3];
  const DataType indexType = pixels <= std::numeric_limits<std::int32_t>::max() ? DataType::int32 : DataType::int64;
  const Operand split = node.reshape(input, {shape[0] * sampling.groups, channels, shape[2], shape[3]});
  const Operand rows =
      node.reshape(node.transpose(split, {0, 2, 3, 1}), {dimensionOf(static_cast<std::int64_t>(pixels)), channels});
  const Neighbours y = neighboursOf(node, sampling, offsets, 0, indexType);
  const Neighbours x = neighboursOf(node, sampling, offsets, 1, indexType);
  Term index = y.indices * Number(shape[3]) + x.indices, weight = y.weights * x.weights;
  if (sampling.groups > 1) {
    const std::vector<double> starts = atPlaces(sampling, [&](std::uint32_t, std::uint32_t group, std::uint32_t) {
      return static_cast<double>(group) * static_cast<double>(perImage);
    });
    index = index + Term(node, node.constant(indexType, {1, 1, 1, sampling.places()}, starts));
  }
  if (sampling.images > 1) {
    const Term image{node, counting(node, indexType, sampling.images, 0, 4)};
    index = index + image * Number(static_cast<std::int64_t>(perImage * sampling.groups));
  }
  if (mask) weight = weight * Term(node, node.reshape(*mask, {sampling.images, 1, 1, sampling.places()}));
  const Operand values = node.builder.gather(rows, index, {.axis = 0, .label = {}});
  const Operand factors = node.reshape(weight, {sampling.images, 2, 2, sampling.places(), 1});
  return node.builder.reduceSum(node.builder.mul(values, factors), {.axes = {1, 2}, .keepDimensions = false, .label = {}});
}

void importDeformConv(NodeContext& node) {
  const Operand input = node.operand(0), filter = node.operand(1), offset = node.operand(2);
  node.require(input.rank() == 4 && filter.rank() == 4,
               "an input of rank {}: WebNN would have to gather in more than two dimensions", input.rank());
  const Shape &shape = input.shape(), &kernel = filter.shape();
  const std::uint32_t groups = positiveAttribute(node, "group", 1), offsetGroups = positiveAttribute(node, "offset_group", 1);
  if (shape[1] % offsetGroups != 0) {
    fail(ErrorKind::dataError, "the channels ({}) are not a multiple of offset_group ({}).", shape[1], offsetGroups);
  }
  const Window window = readWindow(node, std::span(shape).subspan(2), std::span(kernel).subspan(2));
  Sampling sampling{shape[0], offsetGroups, kernel[2] * kernel[3], 1, {window[0], window[1]}, {}};
  for (std::size_t i = 0; i < 2; ++i) sampling.counts[i] = dimensionOf(window[i].count());
  const std::int64_t windows = std::int64_t{sampling.counts[0]} * sampling.counts[1];
  node.require(
      windows <= kMaxIndices && windows * sampling.taps <= kMaxIndices && windows * sampling.taps * offsetGroups <= kMaxIndices,
      "{} windows, each tap of which WebNN would have to gather", windows);
  sampling.windows = static_cast<std::uint32_t>(windows);
  const std::uint32_t channels = shape[1] / offsetGroups, taps = sampling.taps;
  // Moves the windows before the offset groups and taps.
  const auto atPlace = [&](const Operand& operand, std::uint32_t each) {
    const Shape split{shape[0], offsetGroups, taps, each, sampling.windows};
    const Operand wide = node.transpose(node.reshape(node.cast(operand, DataType::float32), split), {0, 4, 1, 2, 3});
    return node.reshape(wide, {shape[0], sampling.places(), each});
  };
  const std::optional<Operand> mask = node.has(4) ? std::optional(atPlace(node.operand(4), 1)) : std::nullopt;
  Operand columns = sample(node, sampling, node.cast(input, DataType::float32), atPlace(offset, 2), mask);
  // The columns have the order [offset group, tap, channel], and the filter has [channel, tap].
  Operand weights = filter;
  if (offsetGroups % groups == 0 && kernel[1] * groups == shape[1]) {
    weights = node.transpose(node.reshape(weights, {kernel[0], offsetGroups / groups, channels, taps}), {0, 1, 3, 2});
  } else {
    columns = node.transpose(node.reshape(columns, {shape[0], sampling.windows, offsetGroups, taps, channels}), {0, 1, 2, 4, 3});
  }
  weights = node.reshape(weights, {kernel[0], kernel[1] * taps, 1, 1});
  columns = node.reshape(columns, {shape[0], sampling.counts[0], sampling.counts[1], shape[1] * taps});
  columns = node.transpose(node.cast(columns, input.dataType()), {0, 3, 1, 2});
  Conv2dOptions options{.groups = groups, .bias = node.optionalOperand(3), .label = {}};
  node.set(0, node.builder.conv2d(columns, weights, options));
}

}  // namespace

std::span<const OperatorImport> deformConvOperators() {
  static constexpr OperatorImport kOperators[]{{"", "DeformConv", importDeformConv}};
  return kOperators;
}

}  // namespace webnn::formats::onnx
