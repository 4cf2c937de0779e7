#include <limits>
#include <numeric>

#include "onnx/read/compose.h"
#include "onnx/read/formula.h"
#include "onnx/read/operators/window.h"

namespace webnn::formats::onnx {

namespace {

// For each point, the input elements along one spatial axis from which it is interpolated. Each member has the shape [batch,
// taps, points]. `indices` are whole numbers in the input (float32). `weights` are float32, or the number 1 for mode "nearest".
// `isInside` (uint8) is 0 where the index before clamping was outside the input.
struct GridTaps {
  Term indices, weights, isInside;
};

Term within(const Term& x, double low, double high) { return min(max(x, low), high); }

// ---- GridSample ----

enum class Interpolation { nearest, linear, cubic };
enum class Padding { zeros, border, reflection };

struct GridSettings {
  Interpolation interpolation{};
  Padding padding{};
  bool alignsCorners = false;
};

GridSettings gridSettingsOf(const NodeContext& node) {
  GridSettings settings;
  const std::string_view mode = node.text("mode", "linear"), padding = node.text("padding_mode", "zeros");
  if (mode == "nearest") {
    settings.interpolation = Interpolation::nearest;
  } else if (mode == "linear" || mode == "bilinear") {
    settings.interpolation = Interpolation::linear;
  } else if (mode == "cubic" || mode == "bicubic") {
    settings.interpolation = Interpolation::cubic;
  } else {
    fail(ErrorKind::dataError, "the mode {} is not known.", webnn::quoted(mode));
  }
  if (padding == "border") {
    settings.padding = Padding::border;
  } else if (padding == "reflection") {
    settings.padding = Padding::reflection;
  } else if (padding != "zeros") {
    fail(ErrorKind::dataError, "the padding mode {} is not known.", webnn::quoted(padding));
  }
  settings.alignsCorners = node.flag("align_corners");
  return settings;
}

// Reflects x at `low` and `high` until it lies between them.
Term reflected(const Term& x, double low, double high) {
  if (low == high) return within(x, low, high);
  const Term distance = abs(x - low), turns = floor(distance / (high - low));
  const Term rest = distance - turns * (high - low), isOdd = turns - floor(turns / 2) * 2;
  return where(isOdd == 0, rest + low, high - rest);
}

// Computes the cubic convolution kernel of Keys with the coefficient a = -0.75, for distances from 0 to 2.
Term cubicWeights(const Term& distance) {
  constexpr double a = -0.75;
  const Term near = ((a + 2) * distance - (a + 3)) * distance * distance + 1;
  const Term far = ((distance - 5) * distance + 8) * distance * a - 4 * a;
  return where(distance <= 1, near, far);
}

// Returns the taps of `points`, coordinates from -1 to 1 of shape [batch, 1, points], along an axis with `size` elements.
GridTaps tapsOf(NodeContext& node, const GridSettings& settings, const Term& points, std::uint32_t size) {
  const double low = settings.alignsCorners ? 0 : -0.5, high = settings.alignsCorners ? size - 1.0 : size - 0.5;
  Term at = (points + 1) / 2 * (high - low) + low;
  if (settings.interpolation == Interpolation::nearest) at = {node, node.builder.roundEven(at)};
  if (settings.padding == Padding::border && settings.interpolation != Interpolation::cubic) at = within(at, 0, size - 1.0);
  if (settings.padding == Padding::reflection) at = where((at < low) | (at > high), reflected(at, low, high), at);
  Term indices = at, weights = 1;
  if (settings.interpolation != Interpolation::nearest) {
    const bool isCubic = settings.interpolation == Interpolation::cubic;
    const Term offsets{node, counting(node, DataType::float32, isCubic ? 4 : 2, 1, 3)};
    indices = floor(at) + (isCubic ? offsets - 1 : offsets);
    const Term distance = abs(indices - at);
    weights = isCubic ? cubicWeights(distance) : 1 - distance;
  }
  const Term isInside = (indices >= 0) & (indices <= size - 1.0);
  if (settings.padding == Padding::reflection) indices = where(isInside, indices, floor(reflected(indices, low, high)));
  return {within(indices, 0, size - 1.0), weights, isInside};
}

// Reshapes the taps [batch, taps, points] of spatial axis `axis` so that they broadcast over the taps of all `axes` spatial axes:
// [batch, taps of axis 0, taps of axis 1, ..., points].
Term spread(NodeContext& node, const Term& taps, std::size_t axis, std::size_t axes) {
  const Shape& shape = static_cast<const Operand&>(taps).shape();
  Shape wide(axes + 2, 1);
  wide.front() = shape[0];
  wide[axis + 1] = shape[1];
  wide.back() = shape[2];
  return {node, node.reshape(taps, wide)};
}

// Returns the permutation that moves axis 1 of an image after its spatial axes.
std::vector<std::uint32_t> channelsLast(std::size_t rank) {
  std::vector<std::uint32_t> permutation(rank);
  std::iota(permutation.begin() + 1, permutation.end() - 1, 2u);
  permutation.back() = 1;
  return permutation;
}

// Returns the inverse of channelsLast().
std::vector<std::uint32_t> channelsFirst(std::size_t rank) {
  std::vector<std::uint32_t> permutation(rank);
  permutation[1] = static_cast<std::uint32_t>(rank - 1);
  std::iota(permutation.begin() + 2, permutation.end(), 1u);
  return permutation;
}

// Gathers the taps of all points, replaces those outside the input by 0 (padding mode "zeros"), and returns their weighted sums
// [batch, points, channels]. Gathers pixels with all channels, because each channel has the same taps.
Operand sampleGrid(NodeContext& node, const GridSettings& settings, const Operand& input, const std::vector<GridTaps>& axes) {
  const std::uint32_t batch = input.shape()[0], channels = input.shape()[1];
  const std::uint64_t pixels = elementCount(input.descriptor()) / channels;
  const DataType indexType = pixels <= std::numeric_limits<std::int32_t>::max() ? DataType::int32 : DataType::int64;
  Term index{node, counting(node, indexType, batch, 0, axes.size() + 2)};  // index of a tap among the pixels of all images
  Term isInside = 1, weight = 1;
  for (std::size_t d = 0; d < axes.size(); ++d) {
    const Term part = cast(spread(node, axes[d].indices, d, axes.size()), indexType);
    const Term exists = spread(node, axes[d].isInside, d, axes.size());
    index = index * Number(input.shape()[d + 2]) + part;
    isInside = d == 0 ? exists : isInside & exists;
    if (settings.interpolation == Interpolation::nearest) continue;
    const Term factor = spread(node, axes[d].weights, d, axes.size());
    weight = d == 0 ? factor : weight * factor;
  }
  const Shape all = static_cast<const Operand&>(index).shape();
  const std::uint32_t points = all.back(), taps = std::accumulate(all.begin() + 1, all.end() - 1, 1u, std::multiplies<>());
  const Operand flat =
      node.reshape(node.transpose(input, channelsLast(input.rank())), {dimensionOf(static_cast<std::int64_t>(pixels)), channels});
  const Shape each{batch, taps, points, 1};
  Term values{node, node.builder.gather(flat, node.reshape(index, {batch, taps, points}), {.axis = 0})};
  if (settings.padding == Padding::zeros) values = where(Term(node, node.reshape(isInside, each)), values, 0);
  if (settings.interpolation == Interpolation::nearest) return values;
  return node.builder.reduceSum(values * Term(node, node.reshape(weight, each)), {.axes = {1}});
}

void importGridSample(NodeContext& node) {
  const GridSettings settings = gridSettingsOf(node);
  const Operand input = node.operand(0), grid = node.cast(node.operand(1), DataType::float32);
  const std::size_t rank = input.rank();
  if (rank < 3 || grid.rank() != rank || grid.shape()[0] != input.shape()[0] || grid.shape().back() != rank - 2) {
    fail(ErrorKind::dataError, "the grid {} does not fit the input {}.", toString(grid.shape()), toString(input.shape()));
  }
  node.require(rank <= 5, "more than three spatial dimensions ({}): WebNN's ranks do not suffice", rank - 2);
  const DataType type = input.dataType();
  const bool isNearest = settings.interpolation == Interpolation::nearest;
  node.require(isNearest || isFloat(type), "WebNN interpolates no {}", name(type));
  const std::uint32_t batch = input.shape()[0];
  const auto axes = static_cast<std::uint32_t>(rank - 2);
  const auto points = static_cast<std::uint32_t>(elementCount(grid.descriptor()) / batch / axes);
  const Operand coordinates = node.reshape(grid, {batch, points, axes});
  std::vector<GridTaps> taps;
  for (std::uint32_t d = 0; d < axes; ++d) {  // the grid stores the last axis first
    const Operand own = node.reshape(sliceAxis(node, coordinates, 2, axes - 1 - d, 1), {batch, 1, points});
    taps.push_back(tapsOf(node, settings, {node, own}, input.shape()[d + 2]));
  }
  const Operand result = sampleGrid(node, settings, isNearest ? input : node.cast(input, DataType::float32), taps);
  Shape shape = grid.shape();
  shape.back() = input.shape()[1];
  setLike(node, 0, node.cast(node.transpose(node.reshape(result, std::move(shape)), channelsFirst(rank)), type));
}

// ---- AffineGrid ----

// Returns the coordinate, from -1 to 1, of element `at` on an axis with `size` elements.
double normalized(std::int64_t at, std::int64_t size, bool alignsCorners) {
  const auto k = static_cast<double>(at), n = static_cast<double>(size);
  if (alignsCorners) return size == 1 ? -1 : 2 * k / (n - 1) - 1;
  return (2 * k + 1) / n - 1;
}

// Multiplies theta by (x, y, 1) or (x, y, z, 1) for each point of the grid.
void importAffineGrid(NodeContext& node) {
  const Operand theta = node.operand(0);
  const Dims size = node.integers(1);
  const std::size_t axes = size.size() < 2 ? 0 : size.size() - 2;
  const Dims sizes = axes == 0 ? Dims{} : Dims(size.begin() + 2, size.end());
  if ((axes != 2 && axes != 3) || theta.rank() != 3 ||
      theta.shape() != Shape{theta.shape()[0], static_cast<std::uint32_t>(axes), static_cast<std::uint32_t>(axes + 1)}) {
    fail(ErrorKind::dataError, "a transformation {} does not fit the size [{}].", toString(theta.shape()), textOf(size));
  }
  const Shape grid = shapeOf(node, sizes);
  const std::int64_t points = countOf(sizes).value_or(std::numeric_limits<std::int64_t>::max());
  node.spend(static_cast<std::uint64_t>(points));
  std::vector<double> coordinates;  // [axes + 1, points]; the last axis comes first, the last row is 1
  std::int64_t inner = 1;
  for (std::size_t d = axes; d-- > 0; inner *= sizes[d]) {
    for (std::int64_t i = 0; i < points; ++i)
      coordinates.push_back(normalized(i / inner % sizes[d], sizes[d], node.flag("align_corners")));
  }
  coordinates.resize(coordinates.size() + static_cast<std::size_t>(points), 1.0);
  const Shape shape{static_cast<std::uint32_t>(axes + 1), static_cast<std::uint32_t>(points)};
  const Operand base = node.constant(DataType::float32, shape, coordinates);
  const Operand product = node.builder.matmul(node.cast(theta, DataType::float32), base);
  Shape result = grid;
  result.insert(result.begin(), theta.shape()[0]);
  result.push_back(static_cast<std::uint32_t>(axes));
  node.set(0, node.cast(node.reshape(node.transpose(product, {0, 2, 1}), std::move(result)), theta.dataType()));
}

}  // namespace

std::span<const OperatorImport> samplingOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "AffineGrid", importAffineGrid},
      {"", "GridSample", importGridSample},
      {"com.microsoft", "GridSample", importGridSample},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
