#include "onnx/read/operators/pool.h"

#include <algorithm>

#include "onnx/read/compose.h"
#include "onnx/read/node_context.h"
#include "onnx/read/operators/convolution.h"
#include "onnx/read/operators/quantized/quantization.h"
#include "onnx/read/operators/window.h"

namespace webnn::formats::onnx {

namespace {

using PoolSizes = std::vector<std::uint32_t>;
using Pool = Operand (GraphBuilder::*)(Operand, Pool2dOptions);

// Adjusts the end padding so that the number of windows is rounded as ceil_mode requests. Valid for pools that ignore padding.
// With ceil_mode, a last window that would start in the end padding is dropped.
void fitWindows(const NodeContext& node, Window& window) {
  const bool ceil = node.flag("ceil_mode");
  for (WindowAttributes& axis : window) {
    std::int64_t count = axis.count();
    if (ceil) {
      const std::int64_t slack = axis.size + axis.begin + axis.end - axis.reach();
      count = slack > -axis.stride ? (slack + axis.stride - 1) / axis.stride + 1 : 0;
      if ((count - 1) * axis.stride >= axis.size + axis.begin) --count;
    }
    dimensionOf(count);
    axis.end = std::max<std::int64_t>(0, axis.paddingFor(count) - axis.begin);
  }
}

// Returns the windows over [N, C, ...] from the node's attributes.
Window readPool(const NodeContext& node, const Operand& input) {
  if (input.rank() < 3) fail(ErrorKind::dataError, "its input of rank {} has no spatial dimensions.", input.rank());
  Window window = readWindow(node, std::span(input.shape()).subspan(2));
  for (const WindowAttributes& axis : window) {
    if (axis.begin < 0 || axis.end < 0) {
      fail(ErrorKind::dataError, "pads has a negative number ({}).", std::min(axis.begin, axis.end));
    }
  }
  padAutomatically(node, window, true);
  return window;
}

// Removes the elements before the first window, which a negative padding of auto_pad skips. Makes the padding in `window`
// positive.
Operand cropped(NodeContext& node, Operand input, Window& window) {
  for (std::size_t i = 0; i < window.size(); ++i) {
    WindowAttributes& axis = window[i];
    axis.end = std::max<std::int64_t>(0, axis.end);
    if (axis.begin >= 0) continue;
    axis.size += axis.begin;
    input = sliceAxis(node, input, static_cast<std::uint32_t>(i + 2), static_cast<std::uint32_t>(-axis.begin),
                      static_cast<std::uint32_t>(axis.size));
    axis.begin = 0;
  }
  return input;
}

// Pools dimension 2 of a 4-D input, or dimensions 2 and 3 if `window` has two axes.
Operand poolPlanes(NodeContext& node, const Operand& input, std::span<const WindowAttributes> window, Pool pool) {
  Pool2dOptions options;
  const auto set = [&](OptionalSizes& option, std::uint32_t absent, auto... value) {
    option.emplace();
    for (const WindowAttributes& axis : window) (option->push_back(static_cast<std::uint32_t>(axis.*value)), ...);
    option->resize(2 * sizeof...(value), absent);
  };
  set(options.windowDimensions, 1, &WindowAttributes::kernel);
  set(options.strides, 1, &WindowAttributes::stride);
  set(options.dilations, 1, &WindowAttributes::dilation);
  set(options.padding, 0, &WindowAttributes::begin, &WindowAttributes::end);
  return (node.builder.*pool)(input, options);
}

// Pools the last two of three or more spatial dimensions.
Operand poolFrames(NodeContext& node, const Operand& input, std::span<const WindowAttributes> axes, Pool pool) {
  Shape shape = input.shape();
  const std::uint32_t batch = shape[0], outer = product(std::span(shape).subspan(2, shape.size() - 4));
  const Operand volume = node.reshape(input, {batch, shape[1], outer, shape[shape.size() - 2], shape.back()});
  const Operand pooled = volumeOf(node, poolPlanes(node, framesOf(node, volume), axes, pool), batch);
  std::ranges::copy(std::span(pooled.shape()).last(2), shape.end() - 2);
  return node.reshape(pooled, shape);
}

// Pools all dimensions with WebNN's 2-D pools: first the last two, then one at a time. Padded elements are ignored, so one pool
// over all dimensions would have the same result.
Operand poolAll(NodeContext& node, Operand input, const Window& window, Pool pool) {
  const std::span<const WindowAttributes> axes(window);
  if (window.size() <= 2) {
    const Shape& shape = input.shape();
    const Operand pooled =
        poolPlanes(node, window.size() == 2 ? input : node.reshape(input, {shape[0], shape[1], shape[2], 1}), axes, pool);
    return window.size() == 2 ? pooled : node.reshape(pooled, {shape[0], shape[1], pooled.shape()[2]});
  }
  input = poolFrames(node, input, axes.last(2), pool);
  for (std::size_t end = window.size() - 2; end-- > 0;) {
    if (axes[end].isUnit()) continue;
    Shape shape = input.shape();
    const std::span<const std::uint32_t> sizes(shape);
    const Shape planes{sizes[0], product(sizes.subspan(1, end + 1)), sizes[end + 2], product(sizes.subspan(end + 3))};
    const Operand pooled = poolPlanes(node, node.reshape(input, planes), axes.subspan(end, 1), pool);
    shape[end + 2] = pooled.shape()[2];
    input = node.reshape(pooled, shape);
  }
  return input;
}

// Pads the input with explicit zeros, which take part in the pool, and removes the padding from `window`.
Operand padded(NodeContext& node, const Operand& input, Window& window) {
  PoolSizes begin(2), end(2);
  for (WindowAttributes& axis : window) {
    begin.push_back(static_cast<std::uint32_t>(axis.begin));
    end.push_back(static_cast<std::uint32_t>(dimensionOf(axis.end + 1) - 1));
    axis.size = dimensionOf(axis.size + axis.begin + axis.end);
    axis.begin = axis.end = 0;
  }
  const PoolSizes none(begin.size());
  return begin == none && end == none ? input : node.builder.pad(input, begin, end);
}

void importAveragePool(NodeContext& node) { node.set(0, averagePool(node, node.operand(0))); }

// Computes the position of each window's taps in a plane, stored row-major or column-major.
class WindowTaps {
 public:
  WindowTaps(const Window& window, bool columnMajor) : window_(window), steps_(window.size(), 1) {
    for (std::size_t i = 1; i < window.size(); ++i) {
      const std::size_t axis = columnMajor ? i : window.size() - 1 - i, inner = columnMajor ? i - 1 : axis + 1;
      steps_[axis] = steps_[inner] * window[inner].size;
    }
  }

  // Returns the position of tap `tap` of window `windowIndex` (both counted in row-major order); nullopt if it is outside of the
  // input.
  std::optional<std::int32_t> position(std::int64_t windowIndex, std::int64_t tap) const {
    std::int64_t position = 0;
    for (std::size_t i = window_.size(); i-- > 0;) {
      const WindowAttributes& axis = window_[i];
      const std::int64_t at = windowIndex % axis.count() * axis.stride + tap % axis.kernel * axis.dilation - axis.begin;
      if (at < 0 || at >= axis.size) return std::nullopt;
      position += at * steps_[i];
      windowIndex /= axis.count();
      tap /= axis.kernel;
    }
    return static_cast<std::int32_t>(position);
  }

 private:
  const Window& window_;
  std::vector<std::int64_t> steps_;
};

// Returns the positions of all taps of all windows. Taps outside of the input are replaced by the window's first tap inside. This
// does not change argMax, because the first of equal maxima wins.
std::vector<std::int32_t> positionsOf(NodeContext& node, const Window& window, bool columnMajor) {
  std::int64_t windows = 1, taps = 1;
  for (const WindowAttributes& axis : window) {
    windows *= axis.count();
    taps *= axis.kernel;  // factors are below 2^31 and products are checked in each step, so nothing overflows
    node.require(std::max(windows, taps) <= kMaxIndices && windows * taps <= kMaxIndices,
                 "windows that have more than {} elements, which WebNN would have to gather", kMaxIndices);
  }
  node.spend(static_cast<std::uint64_t>(windows * taps));  // charge the budget before allocating the positions
  const WindowTaps where(window, columnMajor);
  std::vector<std::int32_t> positions;
  positions.reserve(static_cast<std::size_t>(windows * taps));
  for (std::int64_t w = 0; w < windows; ++w) {
    const auto begin = static_cast<std::ptrdiff_t>(positions.size());
    std::optional<std::int32_t> first;
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      const auto position = where.position(w, tap);
      if (!first) first = position;
      positions.push_back(position.value_or(-1));
    }
    node.require(first.has_value(), "the index of the greatest element of a window without elements");
    std::replace(positions.begin() + begin, positions.end(), -1, *first);
  }
  return positions;
}

// Returns the index, in the whole input, of each window's maximum. Gathers the windows' elements and applies argMax.
Operand indicesOf(NodeContext& node, const Operand& input, const Window& window, const Shape& result) {
  GraphBuilder& builder = node.builder;
  const std::uint32_t planes = input.shape()[0] * input.shape()[1], size = product(std::span(input.shape()).subspan(2));
  const std::uint32_t windows = product(std::span(result).subspan(2));
  const std::vector<std::int32_t> rows = positionsOf(node, window, false);
  const std::vector<std::int32_t> stored = node.flag("storage_order") ? positionsOf(node, window, true) : rows;
  const auto taps = static_cast<std::uint32_t>(rows.size() / windows);
  const Operand elements = builder.gather(builder.reshape(input, {planes, size}), indexConstant(node, {windows, taps}, rows),
                                          {.axis = 1, .label = {}});
  const Operand greatest = builder.argMax(elements, 2);  // [planes, windows]
  std::vector<std::int32_t> firsts;
  for (std::uint32_t i = 0; i < windows; ++i) firsts.push_back(static_cast<std::int32_t>(i * taps));
  const Operand chosen = builder.add(greatest, indexConstant(node, {1, windows}, firsts));
  const Operand inPlane = builder.cast(builder.gather(indexConstant(node, {windows * taps}, stored), chosen), DataType::int64);
  node.require(planes <= kMaxIndices, "indices in {} planes, which WebNN would have to list", planes);
  std::vector<double> starts;
  // no overflow: element counts are below 2^31
  for (std::uint32_t i = 0; i < planes; ++i) starts.push_back(static_cast<double>(i) * size);
  return builder.reshape(builder.add(inPlane, node.constant(DataType::int64, {planes, 1}, starts)), result);
}

Operand maxPool(NodeContext& node, const Operand& input, Window& window) {
  window = readPool(node, input);
  fitWindows(node, window);
  Window own = window;
  const Operand used = cropped(node, input, own);
  return poolAll(node, used, own, &GraphBuilder::maxPool2d);
}

void importMaxPool(NodeContext& node) {
  const Operand input = node.operand(0);
  Window window;
  const Operand result = maxPool(node, input, window);
  node.set(0, result);
  if (node.wants(1)) node.set(1, indicesOf(node, input, window, result.shape()));
}

// Imports NhwcMaxPool of com.microsoft, whose input has channels last.
void importNhwcMaxPool(NodeContext& node) {
  Window window;
  node.set(0, channelsLast(node, maxPool(node, channelsFirst(node, node.operand(0)), window)));
}

// Computes sum(|x|^p)^(1/p). `sum` adds the elements of each window. float16 is computed in float32, because powers may overflow.
Operand powerNorm(NodeContext& node, const Operand& input, std::int64_t p, auto sum) {
  if (p < 1) fail(ErrorKind::dataError, "p ({}) is less than 1.", p);
  GraphBuilder& builder = node.builder;
  if (input.dataType() == DataType::float16 && p > 1) {
    return builder.cast(powerNorm(node, builder.cast(input, DataType::float32), p, sum), DataType::float16);
  }
  const auto exponent = [&](double value) { return node.scalar(input.dataType(), value); };
  const Operand magnitudes = builder.abs(input);
  if (p == 1) return sum(magnitudes);
  return builder.pow(sum(builder.pow(magnitudes, exponent(static_cast<double>(p)))), exponent(1 / static_cast<double>(p)));
}

// Version 1 stores p as a float.
std::int64_t powerOf(const NodeContext& node) {
  return node.version < 2 ? static_cast<std::int64_t>(std::clamp(node.number("p", 2), 0.0, 0x1p31)) : node.integer("p", 2);
}

void importLpPool(NodeContext& node) {
  Operand input = node.operand(0);
  const std::int64_t p = powerOf(node);
  Window window = readPool(node, input);
  fitWindows(node, window);
  input = cropped(node, input, window);
  if (p == 2) return node.set(0, poolAll(node, input, window, &GraphBuilder::l2Pool2d));
  double elements = 1;
  for (const WindowAttributes& axis : window) elements *= static_cast<double>(axis.kernel);
  const auto sum = [&](const Operand& powers) {
    const Operand means = poolAll(node, padded(node, powers, window), window, &GraphBuilder::averagePool2d);
    return node.builder.mul(means, node.scalar(means.dataType(), elements));
  };
  node.set(0, powerNorm(node, input, p, sum));
}

ReduceOptions spatialAxes(const Operand& input) {
  if (input.rank() < 2) fail(ErrorKind::dataError, "its input of rank {} has no channels.", input.rank());
  OptionalSizes axes{std::vector<std::uint32_t>{}};
  for (std::uint32_t i = 2; i < input.rank(); ++i) axes->push_back(i);
  return {.axes = axes, .keepDimensions = true, .label = {}};
}

void importGlobalAveragePool(NodeContext& node) { node.set(0, globalAveragePool(node, node.operand(0))); }

void importGlobalMaxPool(NodeContext& node) {
  const Operand input = node.operand(0);
  node.set(0, node.builder.reduceMax(input, spatialAxes(input)));
}

void importGlobalLpPool(NodeContext& node) {
  const Operand input = node.operand(0);
  const std::int64_t p = powerOf(node);
  const ReduceOptions axes = spatialAxes(input);
  if (p == 2) return node.set(0, node.builder.reduceL2(input, axes));
  node.set(0, powerNorm(node, input, p, [&](const Operand& powers) { return node.builder.reduceSum(powers, axes); }));
}

// Scatters each element to its index in a zero tensor. A larger output_shape appends zeros to each dimension.
void importMaxUnpool(NodeContext& node) {
  const Operand input = node.operand(0), indices = node.operand(1);
  if (indices.shape() != input.shape()) fail(ErrorKind::dataError, "the indices are not of the input's shape.");
  Window window = readPool(node, input);
  Shape shape{input.shape()[0], input.shape()[1]};
  for (const WindowAttributes& axis : window) {
    shape.push_back(dimensionOf((axis.size - 1) * axis.stride + axis.kernel - axis.begin - axis.end));
  }
  const std::uint32_t count = product(input.shape());
  const auto size = static_cast<std::uint32_t>(elementCount({input.dataType(), shape}));
  const Operand zeros = node.expand(node.scalar(input.dataType(), 0), {size});
  const Operand written = node.builder.scatterElements(zeros, node.reshape(indices, {count}), node.reshape(input, {count}));
  Operand result = node.reshape(written, shape);
  if (node.has(2)) {
    const std::vector<std::int64_t> wanted = node.integers(2);
    if (wanted.size() != shape.size()) {
      fail(ErrorKind::dataError, "output_shape has {} numbers where {} are expected.", wanted.size(), shape.size());
    }
    PoolSizes more;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const std::uint32_t dimension = dimensionOf(wanted[i]);
      if (dimension < shape[i]) {
        fail(ErrorKind::dataError, "output_shape[{}] ({}) is less than the size of the unpooled values ({}).", i, dimension,
             shape[i]);
      }
      more.push_back(dimension - shape[i]);
    }
    if (more != PoolSizes(shape.size())) result = node.builder.pad(result, PoolSizes(shape.size()), more);
  }
  node.set(0, result);
}

}  // namespace

Operand averagePool(NodeContext& node, const Operand& input) {
  Window window = readPool(node, input);
  Operand all = input;
  if (node.flag("count_include_pad")) {
    // Even with count_include_pad, elements that ceil_mode adds past the padding are not counted.
    Window fitted = window;
    fitWindows(node, fitted);
    all = padded(node, cropped(node, input, window), window);
    for (std::size_t i = 0; i < window.size(); ++i) {
      window[i].end = std::max<std::int64_t>(0, window[i].paddingFor(fitted[i].count()));
    }
  } else {
    fitWindows(node, window);
    all = cropped(node, input, window);
  }
  return poolAll(node, all, window, &GraphBuilder::averagePool2d);
}

Operand globalAveragePool(NodeContext& node, const Operand& input) { return node.builder.reduceMean(input, spatialAxes(input)); }

std::span<const OperatorImport> poolOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "AveragePool", importAveragePool},
      {"", "GlobalAveragePool", importGlobalAveragePool},
      {"", "GlobalLpPool", importGlobalLpPool},
      {"", "GlobalMaxPool", importGlobalMaxPool},
      {"", "LpPool", importLpPool},
      {"", "MaxPool", importMaxPool},
      {"", "MaxUnpool", importMaxUnpool},
      {"com.microsoft", "NhwcMaxPool", importNhwcMaxPool},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
