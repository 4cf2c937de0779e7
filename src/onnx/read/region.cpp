// Operators that pool rectangular regions of interest (RoI) of a feature map.
#include <algorithm>
#include <cmath>
#include <limits>

#include "onnx/read/compose.h"
#include "onnx/read/formula.h"

namespace webnn::formats::onnx {

namespace {

Term clamped(const Term& x, double low, double high) { return min(max(x, low), high); }

ReduceOptions along(std::vector<std::uint32_t> axes) { return {.axes = std::move(axes), .keepDimensions = false, .label = {}}; }

// ---- RoiAlign ----

struct RoiSettings {
  std::uint32_t samples = 1;  // sampling points per bin and axis; 0: the bin's length in elements, rounded up
  double scale = 1, offset = 0;
  bool keepsSmall = false;  // false: regions are at least 1 element long
  bool takesMax = false;
};

RoiSettings roiSettingsOf(const NodeContext& node) {
  const std::string_view mode =
      node.text("coordinate_transformation_mode", node.version < 16 ? "output_half_pixel" : "half_pixel");
  const std::int64_t samples = node.integer("sampling_ratio", 0);
  RoiSettings settings;
  settings.samples = samples == 0 ? 0 : shapeOf(node, Dims{samples})[0];
  settings.scale = node.number("spatial_scale", 1);
  settings.keepsSmall = mode == "half_pixel";
  settings.offset = settings.keepsSmall ? 0.5 : 0;
  settings.takesMax = node.text("mode", "avg") == "max";
  return settings;
}

// The start of each region along one axis, and the length of its bins, in elements: [regions, 1, 1].
struct Bins {
  Term start, length;
};

Bins binsOf(const RoiSettings& settings, const Term& begin, const Term& end, std::uint32_t bins) {
  const Term start = begin * settings.scale - settings.offset;
  const Term whole = end * settings.scale - settings.offset - start;
  return {start, (settings.keepsSmall ? whole : max(whole, 1)) / Number(bins)};
}

// For each sample along one axis, the two neighboring elements and their weights in linear interpolation: [regions, 2, samples].
// `isInside` tells whether the sample lies in the input: [regions, 1, samples].
struct AxisTaps {
  Term indices, weights, isInside;
};

AxisTaps roiTaps(NodeContext& node, const RoiSettings& settings, const Bins& of, std::uint32_t bins, std::uint32_t size) {
  const Term step{node, counting(node, DataType::float32, bins * settings.samples, 2, 3)};
  const Term position = of.start + (step + 0.5) * (of.length / Number(settings.samples));
  const Term isInside = (position >= -1) & (position <= Number(size));
  const Term at = clamped(position, 0, size - 1.0), lower = floor(at);
  const Term offsets{node, counting(node, DataType::float32, 2, 1, 3)};
  const Term indices = lower + offsets;
  return {min(indices, size - 1.0), 1 - abs(indices - at), isInside};
}

// Returns the elements around each sample times their weights, which are 0 for samples outside the input: [regions, 2, 2, samples
// along y, samples along x, channels].
Term roiValues(NodeContext& node, const Operand& input, const Term& image, const AxisTaps& y, const AxisTaps& x) {
  const auto along = [&](const Term& taps, bool isY) {
    const Shape& shape = static_cast<const Operand&>(taps).shape();
    const std::uint32_t count = shape[1], samples = shape[2];
    return Term(node, node.reshape(taps, isY ? Shape{shape[0], count, 1, samples, 1} : Shape{shape[0], 1, count, 1, samples}));
  };
  const Shape& shape = input.shape();
  const Term row = image * Number(shape[2]) + cast(along(y.indices, true), DataType::int64);
  const Term index = row * Number(shape[3]) + cast(along(x.indices, false), DataType::int64);
  const Operand pixels = node.reshape(node.transpose(input, {0, 2, 3, 1}), {shape[0] * shape[2] * shape[3], shape[1]});
  const Term weight = along(y.weights, true) * along(x.weights, false);
  const Term factor = where(along(y.isInside, true) & along(x.isInside, false), weight, 0);
  Shape wide = static_cast<const Operand&>(factor).shape();
  wide.push_back(1);
  return Term(node, node.builder.gather(pixels, index, {.axis = 0})) * Term(node, node.reshape(factor, wide));
}

// Pools with the same number of samples in every bin.
Operand poolSamples(NodeContext& node, const RoiSettings& settings, const Operand& input, const Term& image, const Bins& y,
                    const Bins& x, const Shape& bins) {
  const auto samples = countOf(Dims{std::max(bins[0], bins[1]), settings.samples});
  node.spend(static_cast<std::uint64_t>(samples.value_or(std::numeric_limits<std::int64_t>::max())));
  const Shape& shape = input.shape();
  const Term values =
      roiValues(node, input, image, roiTaps(node, settings, y, bins[0], shape[2]), roiTaps(node, settings, x, bins[1], shape[3]));
  // Splits the sample axes into bins and samples of a bin, and merges the two axes of neighbors.
  const std::uint32_t count = static_cast<const Operand&>(image).shape()[0], n = settings.samples;
  const Operand split = node.reshape(values, {count, 4, bins[0], n, bins[1], n, shape[1]});
  // As ONNX Runtime does, takes the maximum over all weighted neighbors, not over the sums of a sample's four neighbors.
  const Operand pooled = settings.takesMax ? node.builder.reduceMax(split, along({1, 3, 5}))
                                           : node.builder.reduceMean(node.builder.reduceSum(split, along({1})), along({2, 4}));
  return node.transpose(pooled, {0, 3, 1, 2});
}

// Holds, for each element along one axis and each bin, the samples of the bin near the element. A bin has as many samples as its
// length in elements, rounded up, so its samples are more than half an element apart. A sample uses the elements less than 1 away
// (linear interpolation). Samples before the input are moved to element 0, and use element 1 with weight 0. So at most 7 samples
// of a bin, including the one before the first, are near one element.
struct NearSamples {
  Term distance;   // sample's position, clamped to the input, minus element's: [regions, bins, size, 7]
  Term counts;     // whether the sample exists and lies in the input; same shape as `distance`
  Term number;     // number of samples per bin: [regions, 1, 1, 1]
  Term isOutside;  // whether a sample of the bin is outside or the bin has none: [regions, bins, 1, 1]
};

NearSamples nearSamples(NodeContext& node, const Bins& of, std::uint32_t bins, std::uint32_t size) {
  constexpr std::uint32_t kNear = 7;
  const auto numbers = [&](std::uint32_t count, std::size_t axis) {
    return Term(node, counting(node, DataType::float32, count, axis, 4));
  };
  const auto widened = [&](const Term& x) {
    const std::uint32_t regions = static_cast<const Operand&>(x).shape()[0];
    return Term(node, node.reshape(x, {regions, 1, 1, 1}));
  };
  const Term length = widened(of.length), start = widened(of.start) + numbers(bins, 1) * length;
  const Term count{node, node.builder.ceil(length)}, step = length / max(count, 1);
  const auto isInside = [&](const Term& position) { return (position >= -1) & (position <= Number(size)); };
  const Term element = numbers(size, 2);
  const Term before = where(element == 1, -1.0, element - 1);  // no sample that uses the element lies before this position
  const Term first = max(floor((before - start) / step - 0.5), 0);
  const Term sample = first + numbers(kNear, 3), position = start + (sample + 0.5) * step;
  const Term areInside = isInside(start + step * 0.5) & isInside(start + (count - 0.5) * step) & (count > 0);
  return {clamped(position, 0, size - 1.0) - element, (sample < count) & isInside(position), count, !areInside};
}

// Returns the weight of each element along one axis in the mean of each bin: [regions, 1, bins, size].
Operand meanWeights(NodeContext& node, const NearSamples& samples) {
  const Term weight = max(1 - abs(samples.distance), 0);
  const Term sum{node, node.builder.reduceSum(where(samples.counts, weight, 0), along({3}))};
  const Shape& shape = static_cast<const Operand&>(sum).shape();
  const Term mean = sum / Term(node, node.reshape(max(samples.number, 1), {shape[0], 1, 1}));
  return node.reshape(mean, {shape[0], 1, shape[1], shape[2]});
}

// Computes the means of the bins as two products, because the weights of both axes are independent.
Operand meanOf(NodeContext& node, const Operand& elements, const NearSamples& y, const NearSamples& x) {
  const Operand columns = node.transpose(meanWeights(node, x), {0, 1, 3, 2});
  return node.builder.matmul(meanWeights(node, y), node.builder.matmul(elements, columns));
}

// Tells, for each bin and element along one axis, whether a sample of the bin uses the element, and the greatest and least
// weights of its uses: [regions, bins, size].
struct Taken {
  Term isTaken, greatest, least;
};

Taken takenBy(NodeContext& node, const NearSamples& samples) {
  const Shape& shape = static_cast<const Operand&>(samples.distance).shape();
  // A sample uses the element at or before its position and the next element, even if the next element has weight 0. A sample at
  // the last element uses that element twice, with the weights 1 and 0.
  const Term takes = samples.counts & (samples.distance >= -1) & (samples.distance < 1);
  const Term isLast = Term(node, counting(node, DataType::float32, shape[2], 2, 4)) == Number(shape[2] - 1);
  const Term weight = 1 - abs(samples.distance), lesser = where(isLast & (samples.distance == 0), 0, weight);
  const Term greatest{node, node.builder.reduceMax(where(takes, weight, -1), along({3}))};
  return {greatest >= 0, greatest, {node, node.builder.reduceMin(where(takes, lesser, 2), along({3}))}};
}

// Returns the maximum of element * row weight * column weight over the samples of each bin. Like poolSamples(), does not add the
// four terms of a sample. Weights are not negative. So if the bin uses an element above 0, the maximum is a positive element
// times its greatest weights; otherwise it is an element times its least weights.
Operand greatestOf(NodeContext& node, const Operand& elements, const NearSamples& y, const NearSamples& x) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const Taken rows = takenBy(node, y), columns = takenBy(node, x);
  const Shape& shape = elements.shape();
  const auto widened = [&](const Term& weights, bool isRows) {
    const Shape& own = static_cast<const Operand&>(weights).shape();
    return Term(node, node.reshape(weights, isRows ? Shape{own[0], 1, own[1], own[2], 1} : Shape{own[0], 1, 1, own[1], own[2]}));
  };
  const auto over = [&](const Term& values, std::uint32_t axis) {
    return Term(node, node.builder.reduceMax(values, along({axis})));
  };
  const auto pooled = [&](const Term& part, const Term& rowWeights, const Term& columnWeights) {
    const Term wide{node, node.reshape(part, {shape[0], shape[1], 1, shape[2], shape[3]})};
    const Term inRows = over(where(widened(rows.isTaken, true), wide * widened(rowWeights, true), kNone), 3);
    const Shape& half = static_cast<const Operand&>(inRows).shape();
    const Term narrow{node, node.reshape(inRows, {half[0], half[1], half[2], 1, half[3]})};
    return over(where(widened(columns.isTaken, false), narrow * widened(columnWeights, false), kNone), 4);
  };
  const Term all{node, elements};
  const Term above = pooled(max(all, 0), rows.greatest, columns.greatest), below = pooled(min(all, 0), rows.least, columns.least);
  const auto ofBins = [&](const Term& values, bool isRows) {
    const Shape& own = static_cast<const Operand&>(values).shape();
    return Term(node, node.reshape(values, isRows ? Shape{own[0], 1, own[1], 1} : Shape{own[0], 1, 1, own[1]}));
  };
  // Samples outside the input have the value 0. Bins without samples in the input are 0, too.
  const Term isOutside = ofBins(y.isOutside, true) | ofBins(x.isOutside, false);
  const Term least = where(above > 0, above, where(isOutside, max(below, 0), below));
  return where(ofBins(over(rows.isTaken, 2), true) & ofBins(over(columns.isTaken, 2), false), least, 0);
}

Operand poolAdaptively(NodeContext& node, const RoiSettings& settings, const Operand& input, const Term& image, const Bins& y,
                       const Bins& x, const Shape& bins) {
  const Shape& shape = input.shape();
  const std::uint32_t count = static_cast<const Operand&>(image).shape()[0];
  const bool isOne = shape[0] == 1 && node.isConstant(2);  // if batch indices are a graph input, the graph must use them
  const Operand wanted = isOne ? input : node.builder.gather(input, node.reshape(image, {count}), {.axis = 0, .label = {}});
  const NearSamples rows = nearSamples(node, y, bins[0], shape[2]), columns = nearSamples(node, x, bins[1], shape[3]);
  return settings.takesMax ? greatestOf(node, wanted, rows, columns) : meanOf(node, wanted, rows, columns);
}

void importRoiAlign(NodeContext& node) {
  const RoiSettings settings = roiSettingsOf(node);
  const Operand input = node.operand(0), regions = node.cast(node.operand(1), DataType::float32);
  if (input.rank() != 4 || regions.rank() != 2 || regions.shape()[1] != 4) {
    fail(ErrorKind::dataError, "regions {} do not fit the input {}.", toString(regions.shape()), toString(input.shape()));
  }
  const std::uint32_t count = regions.shape()[0];
  const Shape bins = shapeOf(node, Dims{node.integer("output_height", 1), node.integer("output_width", 1)});
  const auto border = [&](std::uint32_t i) { return Term(node, node.reshape(sliceAxis(node, regions, 1, i, 1), {count, 1, 1})); };
  const Bins y = binsOf(settings, border(1), border(3), bins[0]), x = binsOf(settings, border(0), border(2), bins[1]);
  const Term image{node, node.reshape(node.cast(node.operand(2), DataType::int64), {count, 1, 1, 1, 1})};
  const auto pool = settings.samples == 0 ? poolAdaptively : poolSamples;
  node.set(0, node.cast(pool(node, settings, node.cast(input, DataType::float32), image, y, x, bins), input.dataType()));
}

// ---- MaxRoiPool ----

// Returns for each bin of a region the indices of its elements along one axis. Bins may be empty.
std::vector<Dims> binElements(double begin, double end, std::int64_t bins, std::int64_t size) {
  const double first = std::round(begin), length = std::max(1.0, std::round(end) - first + 1);
  const float bin = static_cast<float>(length) / static_cast<float>(bins);  // computed in float32, like ONNX Runtime
  std::vector<Dims> elements(static_cast<std::size_t>(bins));
  for (std::int64_t i = 0; i < bins; ++i) {
    const auto border = [&](float at) { return std::clamp(first + static_cast<double>(at), 0.0, static_cast<double>(size)); };
    const double to = border(std::ceil(static_cast<float>(i + 1) * bin));
    for (double at = border(std::floor(static_cast<float>(i) * bin)); at < to; ++at)
      elements[static_cast<std::size_t>(i)].push_back(static_cast<std::int64_t>(at));
  }
  return elements;
}

// Returns the maximum of each bin along `axis` of an input [1, C, H, W]. Appends to `exists` for each bin whether it has
// elements.
Term poolAxis(NodeContext& node, const Operand& input, std::uint32_t axis, const std::vector<Dims>& bins,
              std::vector<double>& exists) {
  std::size_t most = 1;
  for (const Dims& bin : bins) most = std::max(most, bin.size());
  node.spend(bins.size() * most);
  Dims indices;
  for (const Dims& bin : bins) {
    exists.push_back(bin.empty() ? 0 : 1);
    for (std::size_t i = 0; i < most; ++i) indices.push_back(bin.empty() ? 0 : bin[std::min(i, bin.size() - 1)]);
  }
  const Shape shape{static_cast<std::uint32_t>(bins.size()), static_cast<std::uint32_t>(most)};
  const Operand elements = node.builder.gather(input, indexConstant(node, shape, indices), {.axis = axis, .label = {}});
  return {node, node.builder.reduceMax(elements, {.axes = {{axis + 1}}, .keepDimensions = false, .label = {}})};
}

void importMaxRoiPool(NodeContext& node) {
  const Operand input = node.operand(0);
  const Dims& dims = node.value(1).dims;
  const Dims bins = node.integers("pooled_shape").value_or(Dims{});
  if (input.rank() != 4 || dims.size() != 2 || dims[1] != 5 || bins.size() != 2 || bins[0] < 1 || bins[1] < 1) {
    fail(ErrorKind::dataError, "regions [{}] and a pooled shape [{}] do not fit the input {}.", textOf(dims), textOf(bins),
         toString(input.shape()));
  }
  shapeOf(node, bins);
  const std::vector<double> regions = node.numbers(1);
  const double scale = node.number("spatial_scale", 1);
  std::vector<Operand> results;
  for (std::size_t i = 0; i + 5 <= regions.size(); i += 5) {
    const double* region = &regions[i];
    node.require(std::all_of(region, region + 5, [](double number) { return std::fabs(number) < 0x1p31; }),
                 "a region has a border ({}) that is no place", region[1]);
    if (region[0] < 0 || region[0] >= input.shape()[0]) fail(ErrorKind::dataError, "there is no image {}.", region[0]);
    node.spend(8 * static_cast<std::uint64_t>(bins[0] + bins[1]));  // charges for the lists of binElements()
    const Operand image = sliceAxis(node, input, 0, static_cast<std::uint32_t>(region[0]), 1);
    std::vector<double> hasRows, hasColumns;
    const Term rows =
        poolAxis(node, image, 2, binElements(region[2] * scale, region[4] * scale, bins[0], input.shape()[2]), hasRows);
    const Term all =
        poolAxis(node, rows, 3, binElements(region[1] * scale, region[3] * scale, bins[1], input.shape()[3]), hasColumns);
    const Term exists = Term(node, node.constant(DataType::uint8, {static_cast<std::uint32_t>(bins[0]), 1}, hasRows)) &
                        Term(node, node.constant(DataType::uint8, {static_cast<std::uint32_t>(bins[1])}, hasColumns));
    const bool isWhole = std::ranges::count(hasRows, 0) + std::ranges::count(hasColumns, 0) == 0;
    results.push_back(isWhole ? all : where(exists, all, 0));
  }
  if (results.empty()) return node.set(0, emptyValue(node.value(0).type, {0, input.shape()[1], bins[0], bins[1]}));
  node.set(0, concat(node, std::move(results), 0));
}

}  // namespace

std::span<const OperatorImport> regionOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "MaxRoiPool", importMaxRoiPool},
      {"", "RoiAlign", importRoiAlign},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
