#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/checked.h"
#include "onnx/read/compose.h"

namespace webnn::formats::onnx {

namespace {

enum class Mode { nearest, linear, cubic };

// The attributes of Resize.
struct Settings {
  Mode mode{};
  std::string_view coordinates, rounding;  // coordinate_transformation_mode, nearest_mode
  bool antialias = false, excludesOutside = false;
  double cubicCoefficient = 0, extrapolationValue = 0;
};

// The resampling of one axis. The scale is kept as the fraction numerator / denominator, so that a scale given by two sizes loses
// no precision by a division.
struct AxisPlan {
  std::uint32_t axis = 0;
  std::int64_t inputSize = 0, outputSize = 0;
  double numerator = 1, denominator = 1;
  double start = 0, end = 1;  // the region of interest as fractions of the axis (tf_crop_and_resize)
  double aligned = 1;         // the output length for align_corners, which may be fractional

  double scale() const { return numerator / denominator; }
  // Returns the output size before rounding.
  double length() const { return static_cast<double>(inputSize) * numerator / denominator; }
};

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, text) != all.end();
}

Settings settingsOf(const NodeContext& node) {
  Settings settings;
  const std::string_view mode = node.text("mode", "nearest");
  if (!isOneOf(mode, {"nearest", "linear", "bilinear", "cubic"})) {
    fail(ErrorKind::dataError, "the mode {} is not known.", webnn::quoted(mode));
  }
  settings.mode = mode == "nearest" ? Mode::nearest : mode == "cubic" ? Mode::cubic : Mode::linear;
  const bool isOld = node.version < 11;
  settings.coordinates = isOld ? "asymmetric" : node.text("coordinate_transformation_mode", "half_pixel");
  settings.rounding = isOld ? "up_if_smaller" : node.text("nearest_mode", "round_prefer_floor");
  if (!isOneOf(settings.coordinates, {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
                                      "tf_half_pixel_for_nn", "tf_crop_and_resize"})) {
    fail(ErrorKind::dataError, "the coordinate transformation mode {} is not known.", webnn::quoted(settings.coordinates));
  }
  if (!isOld && !isOneOf(settings.rounding, {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"})) {
    fail(ErrorKind::dataError, "the nearest mode {} is not known.", webnn::quoted(settings.rounding));
  }
  settings.antialias = settings.mode != Mode::nearest && node.flag("antialias");
  settings.excludesOutside = node.flag("exclude_outside");
  settings.cubicCoefficient = node.number("cubic_coeff_a", -0.75);
  settings.extrapolationValue = node.number("extrapolation_value", 0);
  return settings;
}

// ---- Sizes and scales ----

std::vector<AxisPlan> emptyPlans(const NodeContext& node) {
  const Dims& dims = node.value(0).dims;
  Dims given(dims.size());
  std::iota(given.begin(), given.end(), 0);
  std::vector<AxisPlan> plans;
  for (const std::uint32_t axis : distinctAxes(node, node.integers("axes").value_or(given), dims.size())) {
    plans.push_back({.axis = axis, .inputSize = dims[axis], .outputSize = dims[axis]});
  }
  return plans;
}

void requireCount(std::string_view what, std::size_t count, std::size_t expected) {
  if (count != expected) fail(ErrorKind::dataError, "there are {} {}, not {}.", count, what, expected);
}

void planScales(std::vector<AxisPlan>& plans, std::span<const double> scales) {
  requireCount("scales", scales.size(), plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (!(scales[i] > 0) || !std::isfinite(scales[i])) fail(ErrorKind::dataError, "the scale {} is not positive.", scales[i]);
    const auto size = static_cast<double>(plans[i].inputSize);
    double floored = std::floor(size * scales[i]);
    if (std::fma(size, scales[i], -floored) < 0) floored -= 1;  // the product was rounded up to a whole number
    plans[i].numerator = scales[i];
    plans[i].outputSize = static_cast<std::int64_t>(std::min(floored, 0x1p62));
  }
}

void planSizes(const NodeContext& node, std::vector<AxisPlan>& plans, std::span<const std::int64_t> sizes) {
  requireCount("sizes", sizes.size(), plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (sizes[i] < 0) fail(ErrorKind::dataError, "the size {} is negative.", sizes[i]);
    plans[i].outputSize = sizes[i];
    plans[i].numerator = static_cast<double>(sizes[i]);
    plans[i].denominator = static_cast<double>(plans[i].inputSize);
  }
  const std::string_view policy = node.text("keep_aspect_ratio_policy", "stretch");
  const bool isOfNothing = std::ranges::any_of(plans, [](const AxisPlan& plan) { return plan.inputSize == 0; });
  if (policy == "stretch" || plans.empty() || isOfNothing) return;
  if (!isOneOf(policy, {"not_larger", "not_smaller"}))
    fail(ErrorKind::dataError, "the policy {} is not known.", webnn::quoted(policy));
  const auto byScale = [](const AxisPlan& a, const AxisPlan& b) { return a.scale() < b.scale(); };
  const AxisPlan chosen =
      policy == "not_larger" ? *std::ranges::min_element(plans, byScale) : *std::ranges::max_element(plans, byScale);
  for (AxisPlan& plan : plans) {
    plan.numerator = chosen.numerator;
    plan.denominator = chosen.denominator;
    plan.outputSize = static_cast<std::int64_t>(std::clamp(std::floor(plan.length() + 0.5), 0.0, 0x1p62));
  }
}

// Returns the scales for versions before 11, which are attributes of Upsample or input 1.
std::vector<double> oldScales(const NodeContext& node) {
  if (node.version < 7) return {1, 1, node.number("height_scale", 1), node.number("width_scale", 1)};
  const auto attribute = node.node.opType == "Upsample" && node.version < 9 ? node.floats("scales") : std::nullopt;
  return attribute ? std::vector<double>(attribute->begin(), attribute->end()) : node.numbers(1);
}

std::vector<AxisPlan> plansOf(const NodeContext& node, const Settings& settings) {
  std::vector<AxisPlan> plans = emptyPlans(node);
  if (node.version < 11) {
    planScales(plans, oldScales(node));
  } else if (node.has(3) && !node.value(3).isEmpty()) {
    planSizes(node, plans, node.integers(3));
  } else {
    planScales(plans, node.numbers(2));
  }
  // For align_corners, ONNX's specification and ONNX Runtime use the rounded output size. ONNX's test data for shrinking axes use
  // the size before rounding, so this code uses that size for all axes if one of them shrinks.
  const bool shrinks = std::ranges::any_of(plans, [](const AxisPlan& plan) { return plan.scale() < 1; });
  for (AxisPlan& plan : plans) plan.aligned = shrinks ? plan.length() : static_cast<double>(plan.outputSize);
  if (settings.coordinates != "tf_crop_and_resize") return plans;
  const std::vector<double> region = node.numbers(1);
  requireCount("coordinates of regions", region.size(), 2 * plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    plans[i].start = region[i];
    plans[i].end = region[plans.size() + i];
  }
  return plans;
}

// ---- Coordinates ----

double halfPixel(const AxisPlan& plan, double at) { return (at + 0.5) * plan.denominator / plan.numerator - 0.5; }

// Returns the position in the input, in elements, from which element `at` of the result is taken.
double positionOf(const Settings& settings, const AxisPlan& plan, double at) {
  const std::string_view mode = settings.coordinates;
  const double last = static_cast<double>(plan.inputSize) - 1, resized = static_cast<double>(plan.outputSize);
  if (mode == "asymmetric") return at * plan.denominator / plan.numerator;
  if (mode == "tf_half_pixel_for_nn") return halfPixel(plan, at) + 0.5;
  if (mode == "pytorch_half_pixel" && plan.outputSize == 1) return 0;
  if (mode == "align_corners") return plan.aligned == 1 ? 0 : at * last / (plan.aligned - 1);
  if (mode == "half_pixel_symmetric") {
    return (at + 0.5 - resized / 2) * plan.denominator / plan.numerator + static_cast<double>(plan.inputSize) / 2 - 0.5;
  }
  if (mode != "tf_crop_and_resize") return halfPixel(plan, at);
  if (resized == 1) return 0.5 * (plan.start + plan.end) * last;
  return plan.start * last + at * (plan.end - plan.start) * last / (resized - 1);
}

std::vector<double> positionsOf(const NodeContext& node, const Settings& settings, const AxisPlan& plan) {
  node.spend(static_cast<std::uint64_t>(plan.outputSize));
  std::vector<double> positions;
  for (std::int64_t k = 0; k < plan.outputSize; ++k) {
    const double position = positionOf(settings, plan, static_cast<double>(k));
    // All positions far outside the input mean the same border element. The clamp makes these positions convertible to int64.
    positions.push_back(std::isnan(position) ? 0 : std::clamp(position, -0x1p33, 0x1p33));
  }
  return positions;
}

bool isIdentity(const AxisPlan& plan, std::span<const double> positions) {
  if (plan.inputSize != plan.outputSize) return false;
  for (std::size_t k = 0; k < positions.size(); ++k) {
    if (positions[k] != static_cast<double>(k)) return false;
  }
  return true;
}

double rounded(std::string_view rounding, double position, double scale) {
  if (rounding == "round_prefer_floor") return std::ceil(position - 0.5);
  if (rounding == "round_prefer_ceil") return std::floor(position + 0.5);
  return rounding == "ceil" || (rounding == "up_if_smaller" && scale < 1) ? std::ceil(position) : std::floor(position);
}

Dims nearestOf(std::string_view rounding, const AxisPlan& plan, std::span<const double> positions) {
  Dims indices;
  for (const double position : positions) {
    const auto index = static_cast<std::int64_t>(rounded(rounding, position, plan.scale()));
    indices.push_back(std::clamp<std::int64_t>(index, 0, plan.inputSize - 1));
  }
  return indices;
}

// The input elements from which one axis is interpolated. Element k of the result is the sum of weights[i] * input[indices[i]]
// over i from k * count to k * count + count - 1.
struct Taps {
  std::uint32_t count = 0;
  Dims indices;
  std::vector<double> weights;
};

double kernel(const Settings& settings, double distance) {
  const double x = std::fabs(distance), a = settings.cubicCoefficient;
  if (settings.mode == Mode::linear) return std::max(0.0, 1 - x);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((x - 5) * x + 8) * x * a - 4 * a : 0;
}

Taps tapsOf(const NodeContext& node, const Settings& settings, const AxisPlan& plan, std::span<const double> positions) {
  // If the axis shrinks, the factor is below 1 and widens the kernel.
  const double stretch = settings.antialias ? std::min(plan.scale(), 1.0) : 1;
  const double reach = (settings.mode == Mode::linear ? 1 : 2) / stretch;
  node.spend(static_cast<std::uint64_t>(std::min(2 * std::ceil(reach) * static_cast<double>(positions.size()), 0x1p62)));
  Taps taps;
  taps.count = 2 * static_cast<std::uint32_t>(std::ceil(reach));
  for (const double position : positions) {
    const auto first = static_cast<std::int64_t>(std::floor(position - reach)) + 1;
    const auto nearest = static_cast<std::int64_t>(std::floor(position + 0.5));
    std::vector<double> weights;
    for (std::int64_t at = first; at < first + taps.count; ++at) {
      const bool counts = !settings.excludesOutside || (at >= 0 && at < plan.inputSize);
      weights.push_back(counts ? kernel(settings, stretch * (static_cast<double>(at) - position)) : 0);
      // Taps with weight 0 read the nearest element, because 0 times infinity would be NaN.
      taps.indices.push_back(std::clamp<std::int64_t>(weights.back() == 0 ? nearest : at, 0, plan.inputSize - 1));
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    const bool normalizes = (settings.antialias || settings.excludesOutside) && sum != 0;
    for (const double weight : weights) taps.weights.push_back(normalizes ? weight / sum : weight);
  }
  return taps;
}

Operand interpolate(NodeContext& node, const Operand& input, std::uint32_t axis, const Taps& taps) {
  const auto outputSize = static_cast<std::uint32_t>(taps.indices.size() / taps.count);
  const Operand values = node.builder.gather(input, indexConstant(node, {outputSize, taps.count}, taps.indices), {.axis = axis});
  Shape shape(input.rank() - axis + 1, 1);
  shape[0] = outputSize;
  shape[1] = taps.count;
  const Operand weights = node.constant(DataType::float32, std::move(shape), taps.weights);
  return node.builder.reduceSum(node.builder.mul(values, weights), {.axes = {axis + 1}});
}

// Replaces the elements whose positions are outside the input by the extrapolation value.
Operand extrapolate(NodeContext& node, const Settings& settings, const AxisPlan& plan, std::span<const double> positions,
                    const Operand& result) {
  std::vector<double> isOutside;
  for (const double position : positions) isOutside.push_back(position < 0 || position > static_cast<double>(plan.inputSize - 1));
  if (std::ranges::find(isOutside, 1.0) == isOutside.end()) return result;
  Shape shape(result.rank() - plan.axis, 1);
  shape[0] = static_cast<std::uint32_t>(isOutside.size());
  const Operand value = node.scalar(result.dataType(), settings.extrapolationValue);
  return node.builder.where(node.constant(DataType::uint8, std::move(shape), isOutside), value, result);
}

// ---- resample2d ----

// Returns whether resample2d would compute the same result for this axis. resample2d interpolates linearly or takes the nearest
// element, with half-pixel coordinates whose scale is outputSize / inputSize.
bool isHalfPixel(const Settings& settings, AxisPlan plan, std::span<const double> positions) {
  const double last = static_cast<double>(plan.inputSize) - 1;
  plan.numerator = static_cast<double>(plan.outputSize);
  plan.denominator = static_cast<double>(plan.inputSize);
  std::vector<double> own;
  for (std::size_t k = 0; k < positions.size(); ++k) own.push_back(halfPixel(plan, static_cast<double>(k)));
  if (settings.mode == Mode::nearest) {
    return nearestOf("round_prefer_floor", plan, own) == nearestOf(settings.rounding, plan, positions);
  }
  const auto isSame = [last](double a, double b) { return std::clamp(a, 0.0, last) == std::clamp(b, 0.0, last); };
  return std::ranges::equal(own, positions, isSame);
}

// Resizes with WebNN's resample2d. Returns nullopt if resample2d would give another result or does not take the type, if more
// than two axes change, or if the rank is above 4.
std::optional<Operand> resample2d(NodeContext& node, const Settings& settings, std::span<const AxisPlan> plans,
                                  std::span<const std::vector<double>> positions) {
  const Operand input = node.operand(0);
  const DataType type = input.dataType();
  const bool takesType = isFloat(type) || type == DataType::int8 || type == DataType::uint8;
  if (plans.size() > 2 || input.rank() > 4 || !takesType || settings.mode == Mode::cubic || settings.antialias ||
      settings.coordinates == "tf_crop_and_resize") {
    return std::nullopt;
  }
  const auto added = static_cast<std::uint32_t>(4 - input.rank());
  Resample2dOptions options;
  options.mode = settings.mode == Mode::linear ? InterpolationMode::linear : InterpolationMode::nearestNeighbor;
  options.axes.emplace();
  options.sizes.emplace();
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (!isHalfPixel(settings, plans[i], positions[i])) return std::nullopt;
    options.axes->push_back(plans[i].axis + added);
    options.sizes->push_back(static_cast<std::uint32_t>(plans[i].outputSize));
  }
  Shape shape = input.shape();
  shape.insert(shape.begin(), added, 1);
  if (plans.size() == 1) {  // resample2d needs two axes: adds one of unchanged size
    const std::uint32_t other = options.axes->front() == 3 ? 2 : 3;
    options.axes->push_back(other);
    options.sizes->push_back(shape[other]);
  }
  const Operand result = node.builder.resample2d(node.reshape(input, shape), std::move(options));
  return node.reshape(result, Shape(result.shape().begin() + added, result.shape().end()));
}

// ---- Resize ----

// Casts interpolated values to the input's type; integers are rounded.
Operand castBack(NodeContext& node, const Operand& result, DataType type) {
  return node.cast(isFloat(type) ? result : node.builder.roundEven(result), type);
}

Operand resizeByAxis(NodeContext& node, const Settings& settings, std::span<const AxisPlan> plans,
                     std::span<const std::vector<double>> positions) {
  Operand result = node.operand(0);
  const DataType type = result.dataType();
  if (settings.mode != Mode::nearest) {
    node.require(isFloat(type) || type == DataType::int8 || type == DataType::uint8, "WebNN interpolates no {}", name(type));
    result = node.cast(result, DataType::float32);
  }
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const AxisPlan& plan = plans[i];
    if (settings.mode == Mode::nearest) {
      const Dims indices = nearestOf(settings.rounding, plan, positions[i]);
      result = node.builder.gather(result, indexConstant(node, {static_cast<std::uint32_t>(indices.size())}, indices),
                                   {.axis = plan.axis});
    } else {
      result = interpolate(node, result, plan.axis, tapsOf(node, settings, plan, positions[i]));
    }
    if (settings.coordinates == "tf_crop_and_resize") result = extrapolate(node, settings, plan, positions[i], result);
  }
  return settings.mode == Mode::nearest ? result : castBack(node, result, type);
}

void importResize(NodeContext& node) {
  const ImportedValue& value = node.value(0);
  const Settings settings = settingsOf(node);
  std::vector<AxisPlan> plans = plansOf(node, settings);
  Dims dims = value.dims;
  for (const AxisPlan& plan : plans) dims[plan.axis] = plan.outputSize;
  if (isEmpty(dims) || value.isEmpty()) {
    node.require(isEmpty(dims), "elements of an empty tensor");
    return node.set(0, emptyValue(value.type, std::move(dims)));
  }
  shapeOf(node, dims);
  std::vector<AxisPlan> changed;
  std::vector<std::vector<double>> positions;
  for (const AxisPlan& plan : plans) {
    // An axis of scale 1 stays as it is, even if the coordinate mode would shift its positions.
    if (plan.inputSize == plan.outputSize && plan.scale() == 1 && settings.coordinates != "tf_crop_and_resize") continue;
    std::vector<double> all = positionsOf(node, settings, plan);
    if (isIdentity(plan, all)) continue;
    changed.push_back(plan);
    positions.push_back(std::move(all));
  }
  if (changed.empty()) return setSame(node);
  const std::optional<Operand> whole = resample2d(node, settings, changed, positions);
  setLike(node, 0, whole ? *whole : resizeByAxis(node, settings, changed, positions));
}

}  // namespace

std::span<const OperatorImport> resampleOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "Resize", importResize},
      {"", "Upsample", importResize},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
