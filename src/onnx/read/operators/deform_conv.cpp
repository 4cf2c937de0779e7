// DeformConv: interpolates each tap of each window from its four neighbours, then convolves with a 1x1 kernel.
#include <array>

#include "onnx/read/operators/convolution.h"

namespace webnn::formats::onnx {

namespace {

// The positions to sample along one dimension, float32 [G, taps * windows]. G is Sampling::groups. `size` is the input's size.
struct Samples {
  Operand floor, fraction;
  std::uint32_t size;
};

struct Sampling {
  std::uint32_t groups, taps, windows;   // groups: images * offset groups; taps: kernel taps; windows: kernel positions
  std::array<WindowAttributes, 2> axes;  // height, width
  std::array<std::uint32_t, 2> counts;   // the number of windows along each axis
  std::uint32_t places() const { return taps * windows; }
};

// Returns the positions of all taps along a dimension, before offsets are added.
std::vector<double> regularPositions(const Sampling& sampling, std::size_t dimension) {
  const WindowAttributes& axis = sampling.axes[dimension];
  const auto columns = static_cast<std::uint32_t>(sampling.axes[1].kernel);
  std::vector<double> positions;
  for (std::uint32_t tap = 0; tap < sampling.taps; ++tap) {
    for (std::uint32_t window = 0; window < sampling.windows; ++window) {
      const std::int64_t t = dimension == 0 ? tap / columns : tap % columns;
      const std::int64_t w = dimension == 0 ? window / sampling.counts[1] : window % sampling.counts[1];
      positions.push_back(static_cast<double>(w * axis.stride + t * axis.dilation - axis.begin));
    }
  }
  return positions;
}

// Adds the offsets [G, taps, 2, windows] to the regular positions of a dimension.
Samples samplesOf(NodeContext& node, const Sampling& sampling, const Operand& offsets, std::uint32_t dimension) {
  GraphBuilder& builder = node.builder;
  const Operand offset = builder.slice(offsets, {0, 0, dimension, 0}, {sampling.groups, sampling.taps, 1, sampling.windows});
  const Operand regular = node.constant(DataType::float32, {1, sampling.places()}, regularPositions(sampling, dimension));
  const Operand position = builder.add(builder.reshape(offset, {sampling.groups, sampling.places()}), regular);
  const Operand floor = builder.floor(position);
  return {floor, builder.sub(position, floor), static_cast<std::uint32_t>(sampling.axes[dimension].size)};
}

// One of the two neighbours of a position along a dimension. The weight is 0 if the index is outside of the input.
struct Neighbour {
  Operand index, weight;
};

Neighbour neighbourOf(NodeContext& node, const Samples& samples, bool isUpper) {
  GraphBuilder& builder = node.builder;
  const auto number = [&](double value) { return node.scalar(DataType::float32, value); };
  const Operand position = isUpper ? builder.add(samples.floor, number(1)) : samples.floor;
  const Operand weight = isUpper ? samples.fraction : builder.sub(number(1), samples.fraction);
  const Operand inside = builder.clamp(position, {.minValue = 0, .maxValue = samples.size - 1, .label = {}});
  const Operand isInside = builder.cast(builder.equal(position, inside), DataType::float32);
  return {builder.cast(inside, DataType::int32), builder.mul(weight, isInside)};
}

// Interpolates `image` [G, channels, height * width] at all sampled positions; returns [G, channels, taps * windows].
Operand sample(NodeContext& node, const Sampling& sampling, const Operand& image, const Operand& offsets) {
  GraphBuilder& builder = node.builder;
  const Samples rows = samplesOf(node, sampling, offsets, 0), columns = samplesOf(node, sampling, offsets, 1);
  const Shape one{sampling.groups, 1, sampling.places()}, all{sampling.groups, image.shape()[1], sampling.places()};
  std::optional<Operand> sum;
  for (bool lower : {false, true}) {
    for (bool right : {false, true}) {
      const Neighbour row = neighbourOf(node, rows, lower), column = neighbourOf(node, columns, right);
      const Operand start = builder.mul(row.index, node.scalar(DataType::int32, columns.size));
      const Operand index = builder.reshape(builder.add(start, column.index), one);
      const Operand elements = builder.gatherElements(image, node.expand(index, all), {.axis = 2, .label = {}});
      const Operand term = builder.mul(elements, builder.reshape(builder.mul(row.weight, column.weight), one));
      sum = sum ? builder.add(*sum, term) : term;
    }
  }
  return *sum;
}

void importDeformConv(NodeContext& node) {
  GraphBuilder& builder = node.builder;
  const Operand input = node.operand(0), filter = node.operand(1), offset = node.operand(2);
  node.require(input.rank() == 4 && filter.rank() == 4,
               "an input of rank {}: WebNN would have to gather in more than two dimensions", input.rank());
  const Shape &shape = input.shape(), &kernel = filter.shape();
  const std::uint32_t groups = positiveAttribute(node, "group", 1), offsetGroups = positiveAttribute(node, "offset_group", 1);
  if (shape[1] % offsetGroups != 0) {
    fail(ErrorKind::dataError, "the channels ({}) are not a multiple of offset_group ({}).", shape[1], offsetGroups);
  }
  const Window window = readWindow(node, std::span(shape).subspan(2), std::span(kernel).subspan(2));
  Sampling sampling{shape[0] * offsetGroups, kernel[2] * kernel[3], 1, {window[0], window[1]}, {}};
  for (std::size_t i = 0; i < 2; ++i) sampling.counts[i] = dimensionOf(window[i].count());
  const std::int64_t windows = std::int64_t{sampling.counts[0]} * sampling.counts[1];
  node.require(windows <= kMaxIndices && windows * sampling.taps <= kMaxIndices,
               "{} windows, each tap of which WebNN would have to gather", windows);
  sampling.windows = static_cast<std::uint32_t>(windows);
  const auto wide = [&](const Operand& operand, Shape split) {
    return builder.reshape(node.cast(operand, DataType::float32), std::move(split));
  };
  const Operand image = wide(input, {sampling.groups, shape[1] / offsetGroups, shape[2] * shape[3]});
  Operand columns = sample(node, sampling, image, wide(offset, {sampling.groups, sampling.taps, 2, sampling.windows}));
  if (node.has(4)) columns = builder.mul(columns, wide(node.operand(4), {sampling.groups, 1, sampling.places()}));
  const Shape stacked{shape[0], shape[1] * sampling.taps, sampling.counts[0], sampling.counts[1]};
  const Operand weights = builder.reshape(filter, {kernel[0], kernel[1] * sampling.taps, 1, 1});
  Conv2dOptions options{.groups = groups, .bias = node.optionalOperand(3), .label = {}};
  node.set(0, builder.conv2d(node.cast(builder.reshape(columns, stacked), input.dataType()), weights, options));
}

}  // namespace

std::span<const OperatorImport> deformConvOperators() {
  static constexpr OperatorImport kOperators[]{{"", "DeformConv", importDeformConv}};
  return kOperators;
}

}  // namespace webnn::formats::onnx
