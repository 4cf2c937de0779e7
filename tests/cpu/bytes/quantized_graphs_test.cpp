// Tests random graphs with 8-bit and 4-bit values. In the first kind, sums fit in a float32's significand, and are quantized only
// with scales that are powers of two. In the second kind, scales have any size, and finite products and sums are exact. So
// results must be bit-identical for every backend, instruction set and number of threads, fused or not.
//
// The environment variable WEBNN_QUANTIZED_GRAPHS=<first seed>,<count> selects other seeds.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <random>

#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

constexpr double kMostUnits = 0x1p23;

// A value with elements up to about `most` * 2^unit.
struct Value {
  Operand operand;
  int unit = 0;
  double most = 0;
  bool isExact = true;   // elements are multiples of 2^unit, whose sums are exact
  bool isSum = false;    // the value is a sum, so quantizing it is exact only if scales are powers of two
  bool isBytes = false;  // the value was dequantized with a single scale; functions of it become lookup tables, which are exact
};

class ExactGraph {
 public:
  explicit ExactGraph(std::uint32_t seed) : random_(seed) {}

  void run();

 private:
  int from(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }
  std::uint32_t size(std::uint32_t low, std::uint32_t high);
  bool oneIn(int count) { return from(1, count) == 1; }
  template <typename T>
  T of(std::initializer_list<T> values) {
    return values.begin()[random_() % values.size()];
  }
  template <typename T>
  const T& of(const std::vector<T>& values) {
    return values[random_() % values.size()];
  }

  // --- Quantization

  static int lowest(DataType type) { return type == DataType::int8 ? -128 : type == DataType::int4 ? -8 : 0; }
  static int codes(DataType type) { return bitsPerElement(type) == 4 ? 15 : 255; }
  int zeroPoint(DataType type);
  std::vector<Number> numbers(std::size_t count, int low, int high);
  std::vector<Number> powers(std::size_t count, int low, int high);
  DataType byte() { return of({DataType::int8, DataType::uint8}); }
  Shape ones(const Operand& x) { return Shape(x.rank(), 1); }

  Operand dequantized(const Operand& x, double scale, int zero);
  Value keep(Value value);
  // Quantizes `x` and dequantizes the result. With `isSame`, repeats the last quantization unless that would be inexact.
  Value quantized(const Value& x, bool isSame = false);
  // The type, zero point and scale (2^unit) of the last quantization.
  DataType type_ = DataType::uint8;
  int zero_ = 128, unit_ = 0;
  double scale_ = 1;

  Value fresh();
  Value fresh(const Shape& shape);
  Value any() { return of(values_); }
  Value image();

  // --- Operations

  void step();

  Value activated(Value x);
  // Adds the operations that may follow a sum.
  void finish(Value x);

  // Applies any functions and quantizes the result.
  void tabulate(Value x);
  Operand applied(const Operand& x);
  Operand requantized(const Operand& x);

  void convolve(const Value& x);
  void place(const std::array<std::uint32_t, 2>& window, const std::array<std::uint32_t, 2>& sizes, Conv2dOptions& options);
  // Returns a filter whose `most` bounds the sums of its products with `x`, or nullopt if these sums would not be exact or the
  // filter would be too large.
  std::optional<Value> filterOf(const Value& x, std::uint32_t inputs, std::uint32_t outputs,
                                const std::array<std::uint32_t, 2>& window, Conv2dOptions& options);
  std::optional<Operand> biasOf(std::uint32_t outputs, int unit);

  void convolveTransposed(const Value& x);

  void add(const Value& a, Value b);

  void multiply();

  void pool(const Value& x);

  void move(const Value& x);
  // moved() and resized() return nullopt if `x` does not suit the operation.
  std::optional<Value> moved(const Value& x, int kind, std::uint32_t axis);
  std::optional<Value> resized(const Value& x, int kind, std::uint32_t axis);

  std::mt19937 random_;
  Fixture f_;
  std::size_t mostElements_ = 6000;
  std::vector<Value> values_;
  std::vector<Operand> outputs_;
};

void ExactGraph::run() {
  if (oneIn(40)) mostElements_ = 60000;
  fresh();
  for (int i = mostElements_ > 6000 ? 2 : from(3, 12); i > 0; --i) step();
  std::vector<Operand> outputs = outputs_;
  for (const Value& value : values_) {
    if (oneIn(10)) outputs.push_back(value.operand);
  }
  outputs.push_back(oneIn(2) ? quantized(values_.back()).operand : values_.back().operand);
  expectCpuAgrees(f_, outputs, {.low = -128, .high = 255, .relative = 0, .absolute = 0});
}

std::uint32_t ExactGraph::size(std::uint32_t low, std::uint32_t high) {
  return low + static_cast<std::uint32_t>(random_()) % (high - low + 1);
}

int ExactGraph::zeroPoint(DataType type) {
  const int low = lowest(type), count = codes(type);
  return of({low, low + count, low + (count + 1) / 2, low + from(0, count)});
}

std::vector<Number> ExactGraph::numbers(std::size_t count, int low, int high) {
  std::vector<Number> result;
  for (; count > 0; --count) result.emplace_back(from(low, high));
  return result;
}

std::vector<Number> ExactGraph::powers(std::size_t count, int low, int high) {
  std::vector<Number> result;
  for (; count > 0; --count) result.emplace_back(std::ldexp(1, from(low, high)));
  return result;
}

Operand ExactGraph::dequantized(const Operand& x, double scale, int zero) {
  return f_.builder.dequantizeLinear(x, f_.constant(ones(x), {scale}), f_.constant(x.dataType(), ones(x), {zero}));
}

Value ExactGraph::keep(Value value) {
  if (elementCount(value.operand.descriptor()) > mostElements_) return value;
  values_.push_back(value);
  return value;
}

Value ExactGraph::quantized(const Value& x, bool isSame) {
  if (!isSame || (x.isSum && std::abs(scale_) != std::ldexp(1, unit_))) {
    type_ = oneIn(12) ? of({DataType::int4, DataType::uint4, DataType::int32}) : byte();
    zero_ = type_ == DataType::int32 ? from(-999, 999) : zeroPoint(type_);
    unit_ = std::max(-20, x.unit + from(0, std::max(0, std::ilogb(std::max(1.0, x.most)) - 5)));
    scale_ = std::ldexp(oneIn(15) ? -1 : !x.isSum && oneIn(3) ? from(500000, 999999) * 1e-6 : 1, unit_);
  }
  Shape blocks = ones(x.operand);
  if (!blocks.empty() && oneIn(10)) {
    const std::size_t axis = random_() % blocks.size();
    blocks[axis] = x.operand.shape()[axis];
  }
  std::vector<Number> scales(elementCount({DataType::float32, blocks}), scale_);
  const int spread = oneIn(2) ? 0 : 2;
  for (std::size_t i = 1; i < scales.size(); ++i) scales[i] = std::ldexp(scale_, from(0, spread));
  const Operand scale = f_.constant(blocks, scales), zero = f_.constant(type_, blocks, {zero_});
  const Operand bytes = f_.builder.quantizeLinear(x.operand, scale, zero);
  if (oneIn(12)) outputs_.push_back(bytes);
  if (bitsPerElement(type_) == 8 && oneIn(6)) {  // the codes as numbers
    outputs_.push_back(f_.builder.cast(bytes, of({DataType::float32, DataType::float16, DataType::int32})));
    if (oneIn(2)) keep({f_.builder.cast(bytes, DataType::float32), 0, 255});
  }
  const bool isWhole = scales.size() == 1 && bitsPerElement(type_) == 8;
  const double codes = type_ == DataType::int32 ? std::ldexp(x.most, std::max(0, x.unit - unit_)) + 999 : 255;
  const double most = scales.size() > 1 ? std::ldexp(codes, spread) : codes;
  const bool isExact = std::abs(scale_) == std::ldexp(1, unit_) && (codes == 255 || (x.isExact && most < kMostUnits));
  return keep({f_.builder.dequantizeLinear(bytes, scale, zero), unit_, most, isExact, false, isWhole});
}

Value ExactGraph::fresh() {
  const std::uint32_t channels = of({1U, 2U, 3U, 4U, 5U, 7U, 8U, 16U, 17U, 32U, 33U, 63U, 64U, 65U, 130U, 257U});
  const std::uint32_t most = mostElements_ > 6000 ? (channels > 60 ? 12 : 30) : channels > 60 ? 3 : 7;
  Shape shape{size(1, 2), channels, size(1, most), size(1, most)};
  if (oneIn(2)) std::swap(shape[1], shape[3]);
  return fresh(shape);
}

Value ExactGraph::fresh(const Shape& shape) {
  if (oneIn(12))
    return keep({f_.builder.identity(f_.constant(shape, numbers(elementCount({DataType::float32, shape}), -9, 9))), 0, 9});
  if (oneIn(3) || bitsPerElement(type_) != 8) {
    type_ = byte(), zero_ = zeroPoint(type_), unit_ = from(-3, 1);
    scale_ = std::ldexp(1, unit_);
  }
  const int low = lowest(type_);
  const bool isConstant = oneIn(12);
  const Operand bytes =
      isConstant ? f_.constant(type_, shape, numbers(elementCount({type_, shape}), low, low + 255)) : f_.input(type_, shape);
  return keep({dequantized(bytes, scale_, zero_), unit_, 255, std::abs(scale_) == std::ldexp(1, unit_), false, !isConstant});
}

Value ExactGraph::image() {
  for (int i = 0; i < 8; ++i) {
    const Value x = oneIn(3) ? any() : values_.back();
    if (x.operand.rank() == 4 && x.isExact) return x;
  }
  scale_ = std::ldexp(1, unit_);
  return fresh();
}

void ExactGraph::step() {
  switch (from(0, 17)) {
    case 15:
    case 16:
    case 17: return tabulate(any());
    case 12:
    case 13:
    case 14:
    case 0:
    case 1:
    case 2:
    case 3: return convolve(image());
    case 4: return oneIn(3) ? convolveTransposed(image()) : void(quantized(values_.back()));
    case 5:
    case 6: return add(any(), any());
    case 7: return multiply();
    case 8: return pool(image());
    default: return move(any());
  }
}

Value ExactGraph::activated(Value x) {
  GraphBuilder& b = f_.builder;
  switch (from(0, 7)) {
    case 0: x.operand = b.relu(x.operand); break;
    case 1: x.operand = b.clamp(x.operand, {.minValue = 0, .maxValue = 6}), x.isExact = x.isExact && x.unit <= 0; break;
    case 2: x.operand = b.clamp(x.operand, {.minValue = -3.3, .maxValue = 20.7}), x.isExact = false; break;
    case 3: x.operand = b.clamp(x.operand, {.minValue = of({-1e30, 3.0, 1e9})}), x.isExact = false; break;
    default: break;
  }
  return x;
}

void ExactGraph::finish(Value x) {
  x = activated(x);
  oneIn(5) ? keep(x) : quantized(x, oneIn(3));
}

Operand ExactGraph::applied(const Operand& x) {
  GraphBuilder& b = f_.builder;
  switch (from(0, 17)) {
    case 0: return b.sigmoid(x);
    case 1: return b.tanh(x);
    case 2: return b.gelu(x);
    case 3: return b.hardSwish(x);
    case 4: return b.exp(x);
    case 5: return b.log(x);
    case 6: return b.elu(x, {.alpha = 0.7});
    case 7: return b.softplus(x);
    case 8: return b.div(f_.constant({}, {of({1.0, 0.0, -3.0})}), x);
    case 9: return b.pow(x, f_.constant({1}, {of({2.0, 0.5, -1.0})}));
    case 10: return b.prelu(x, f_.constant({1}, {0.3}));
    case 11: return b.where(b.lesser(x, f_.constant({}, {1.5})), x, b.neg(x));
    case 12: return b.linear(x, {.alpha = 1.7, .beta = -0.3});
    case 13: return b.hardSigmoid(x);
    case 14: return b.erf(x);
    case 15: return b.cast(b.cast(x, DataType::float16), DataType::float32);
    default: return activated({x}).operand;
  }
}

Operand ExactGraph::requantized(const Operand& x) {
  type_ = byte(), zero_ = zeroPoint(type_), unit_ = from(-9, 2);
  scale_ = oneIn(2) ? std::ldexp(1, unit_) : from(1, 999999) * 1e-5;
  return dequantized(f_.builder.quantizeLinear(x, f_.constant(ones(x), {scale_}), f_.constant(type_, ones(x), {zero_})), scale_,
                     zero_);
}

void ExactGraph::tabulate(Value x) {
  if (!x.isBytes) x = fresh();
  Operand y = x.operand;
  for (int i = from(0, 3); i > 0; --i) {
    const Operand last = y;
    y = applied(y);
    if (oneIn(2)) y = requantized(y);
    GraphBuilder& b = f_.builder;
    if (oneIn(4)) y = oneIn(2) ? b.mul(oneIn(2) ? last : x.operand, y) : b.add(y, oneIn(2) ? last : x.operand);
  }
  y = requantized(y);
  keep({y, unit_, 255, scale_ == std::ldexp(1, unit_), false, true});
}

void ExactGraph::convolve(const Value& x) {
  Conv2dOptions options;
  options.inputLayout = of({InputOperandLayout::nchw, InputOperandLayout::nhwc});
  const bool isLast = options.inputLayout == InputOperandLayout::nhwc;
  const Shape& s = x.operand.shape();
  const std::uint32_t channels = s[isLast ? 3 : 1];
  std::uint32_t groups = 1;
  if (oneIn(3)) groups = channels;
  for (const std::uint32_t divisor : {2U, 3U, 5U}) {
    if (groups == 1 && channels % divisor == 0 && oneIn(4)) groups = divisor;
  }
  options.groups = groups;
  const std::uint32_t outputs = groups > 9                           ? groups * of({1U, 1U, 2U, 3U})
                                : oneIn(3) && channels % groups == 0 ? channels
                                                                     : groups * of({1U, 3U, 4U, 5U, 16U, 17U, 33U, 65U});
  const std::array<std::uint32_t, 2> window{of({1U, 1U, 2U, 3U, 4U, 5U}), of({1U, 2U, 3U, 5U})};
  place(window, {s[isLast ? 1 : 2], s[isLast ? 2 : 3]}, options);
  const std::optional<Value> filter = filterOf(x, channels / groups, outputs, window, options);
  if (!filter) return;
  const int unit = x.unit + filter->unit;
  options.bias = biasOf(outputs, unit);
  const Operand y = f_.builder.conv2d(x.operand, filter->operand, options);
  if (elementCount(y.descriptor()) > mostElements_) return;
  const Value sum{y, unit, filter->most * 4 + 8080, true, true};
  if (oneIn(2)) {
    const Value a = quantized(activated(sum), oneIn(3));
    add(a, oneIn(3) ? any() : fresh(y.shape()));
  } else {
    finish(sum);
  }
  if (oneIn(8)) finish({f_.builder.conv2d(x.operand, filter->operand, options), sum.unit, sum.most, true, true});
}

void ExactGraph::place(const std::array<std::uint32_t, 2>& window, const std::array<std::uint32_t, 2>& sizes,
                       Conv2dOptions& options) {
  std::vector<std::uint32_t> padding, strides, dilations;
  for (const std::size_t i : {0U, 1U}) {
    strides.push_back(of({1U, 1U, 2U, 3U, 9U}));
    dilations.push_back(of({1U, 1U, 1U, 2U, 5U}));
    const std::uint32_t extent = (window[i] - 1) * dilations[i] + 1;
    std::uint32_t before = size(0, 3), after = size(0, 3);
    while (sizes[i] + before + after < extent) oneIn(2) ? ++before : ++after;
    padding.push_back(before), padding.push_back(after);
  }
  options.padding = padding, options.strides = strides, options.dilations = dilations;
}

std::optional<Value> ExactGraph::filterOf(const Value& x, std::uint32_t inputs, std::uint32_t outputs,
                                          const std::array<std::uint32_t, 2>& window, Conv2dOptions& options) {
  options.filterLayout = of({Conv2dFilterOperandLayout::oihw, Conv2dFilterOperandLayout::hwio, Conv2dFilterOperandLayout::ohwi,
                             Conv2dFilterOperandLayout::ihwo});
  const bool isDynamic = oneIn(12);
  // Winograd's transforms are computed in floats and are not exact.
  if (window[0] == 3 && window[1] == 3 && options.groups == 1 && (isDynamic || x.most > 255)) return std::nullopt;
  const double terms = static_cast<double>(inputs) * window[0] * window[1];
  int least = 255;  // the maximum magnitude of weights minus their zero points
  while (least > 1 && terms * x.most * least > kMostUnits) least /= 2;
  const double most = terms * x.most * least;
  if (most > kMostUnits) return std::nullopt;

  const DataType type = oneIn(8) && least >= 15 ? of({DataType::int4, DataType::uint4}) : byte();
  Shape shape, blocks(4, 1);
  std::size_t axis = 0;
  switch (options.filterLayout) {
    case Conv2dFilterOperandLayout::oihw: shape = {outputs, inputs, window[0], window[1]}; break;
    case Conv2dFilterOperandLayout::hwio: shape = {window[0], window[1], inputs, outputs}, axis = 3; break;
    case Conv2dFilterOperandLayout::ohwi: shape = {outputs, window[0], window[1], inputs}; break;
    case Conv2dFilterOperandLayout::ihwo: shape = {inputs, window[0], window[1], outputs}, axis = 3; break;
  }
  const std::size_t count = elementCount({DataType::float32, shape});
  if (count > 3 * mostElements_) return std::nullopt;
  if (oneIn(2)) blocks[axis] = outputs;
  if (oneIn(10)) blocks = Shape(shape.begin(), shape.end());
  const std::size_t scales = elementCount({DataType::float32, blocks});
  const bool isUniform = least < 255 || oneIn(2), isNarrow = least < 255 && bitsPerElement(type) == 8;
  const int zero = isNarrow ? lowest(type) + 128 : zeroPoint(type);
  std::vector<Number> zeros(scales, zero);
  if (!isUniform)
    for (Number& number : zeros) number = zeroPoint(type);
  const int low = isNarrow ? zero - least / 2 : lowest(type), high = isNarrow ? zero + least / 2 : lowest(type) + codes(type);
  if (isDynamic && least < 255) return std::nullopt;
  const Operand weights = isDynamic ? f_.input(type, shape) : f_.constant(type, shape, numbers(count, low, high));
  // also the unit of biases, which must not be too small
  const int unit = from(-4, 0), spread = scales > outputs || most * 4 > kMostUnits ? 0 : 2;
  const Operand filter = f_.builder.dequantizeLinear(weights, f_.constant(blocks, powers(scales, unit, unit + spread)),
                                                     f_.constant(type, blocks, zeros));
  return Value{filter, unit, most};
}

std::optional<Operand> ExactGraph::biasOf(std::uint32_t outputs, int unit) {
  const int kind = from(0, 5);
  if (kind == 0) return std::nullopt;
  std::vector<Number> biases = numbers(outputs, -2000, 2000);
  if (kind == 1) {
    for (Number& number : biases) number = std::ldexp(number.toDouble(), unit);
    return f_.constant({outputs}, biases);
  }
  if (kind == 5) return std::nullopt;
  const Shape one = oneIn(2) ? Shape{1} : Shape{outputs};
  const int biasUnit = kind == 2 ? unit + from(0, 2) : unit;
  return f_.builder.dequantizeLinear(
      oneIn(12) ? f_.input(DataType::int32, {outputs}) : f_.constant(DataType::int32, {outputs}, biases),
      f_.constant(one, {std::ldexp(1, biasUnit)}), f_.constant(DataType::int32, one, {oneIn(3) ? from(-9, 9) : 0}));
}

void ExactGraph::convolveTransposed(const Value& x) {
  const Shape& s = x.operand.shape();
  const std::uint32_t outputs = of({1U, 3U, 17U}), window = of({1U, 2U, 4U});
  if (s[1] * x.most * window * window * 255 > kMostUnits) return;
  const DataType type = byte();
  const Operand filter =
      dequantized(f_.constant(type, {s[1], outputs, window, window},
                              numbers(std::size_t{s[1]} * outputs * window * window, lowest(type), lowest(type) + 255)),
                  0.5, zeroPoint(type));
  const Operand y = f_.builder.convTranspose2d(x.operand, filter, {.strides = {{of({1U, 2U}), 2}}});
  if (elementCount(y.descriptor()) <= mostElements_) finish({y, x.unit - 1, s[1] * x.most * window * window * 255, true, true});
}

void ExactGraph::add(const Value& a, Value b) {
  for (int i = 0; i < 10 && b.operand.shape() != a.operand.shape(); ++i) b = any();
  if (b.operand.shape() != a.operand.shape()) {
    Shape shape = a.operand.shape();
    for (std::uint32_t& d : shape) {
      if (oneIn(4)) d = 1;
    }
    b = fresh(shape);
  }
  const int unit = std::min(a.unit, b.unit);
  const double most = std::ldexp(a.most, a.unit - unit) + std::ldexp(b.most, b.unit - unit);
  const bool isExact = a.isExact && b.isExact && most <= kMostUnits;
  const bool swaps = oneIn(2);
  const Operand &x = swaps ? b.operand : a.operand, &y = swaps ? a.operand : b.operand;
  GraphBuilder& g = f_.builder;
  const int kind = from(0, 15);
  finish({kind == 0   ? g.sub(x, y)
          : kind == 1 ? g.max(x, y)
          : kind == 2 ? g.min(x, y)
                      : g.add(x, y),
          unit, most, isExact, a.isSum || b.isSum});
}

void ExactGraph::multiply() {
  Value x = any();
  if (!x.isExact || x.most > 255) return;
  const auto count = static_cast<std::uint32_t>(elementCount(x.operand.descriptor()));
  const std::uint32_t k = x.operand.rank() > 0 ? x.operand.shape().back() : 1, n = of({1U, 3U, 16U, 17U, 65U});
  if (k > 250 || count / k * n > mostElements_) return;
  const Operand a = f_.builder.reshape(x.operand, {count / k, k});
  const bool isTransposed = oneIn(2);
  const Shape shape = isTransposed ? Shape{n, k} : Shape{k, n};
  Shape blocks{1, 1};
  if (oneIn(2)) blocks[isTransposed ? 0 : 1] = n;
  const std::size_t scales = elementCount({DataType::float32, blocks});
  const DataType type = oneIn(4) ? of({DataType::int4, DataType::uint4}) : byte();
  const int unit = from(-4, 0), spread = 4 * k * x.most * 255 > kMostUnits ? 0 : 2;
  const Operand b = f_.builder.dequantizeLinear(
      f_.constant(type, shape, numbers(std::size_t{k} * n, lowest(type), lowest(type) + codes(type))),
      f_.constant(blocks, powers(scales, unit, unit + spread)), f_.constant(type, blocks, {zeroPoint(type)}));
  GemmOptions options{.bTranspose = isTransposed};
  if (oneIn(2)) {
    std::vector<Number> biases = numbers(n, -2000, 2000);
    for (Number& number : biases) number = std::ldexp(number.toDouble(), x.unit + unit);
    options.c = f_.constant({n}, biases);
  }
  finish({f_.builder.gemm(a, b, options), x.unit + unit, 4.0 * k * x.most * 255 + 2000, true, true});
  if (oneIn(8)) finish({f_.builder.gemm(a, b, options), x.unit + unit, 4.0 * k * x.most * 255 + 2000, true, true});
}

void ExactGraph::pool(const Value& x) {
  Pool2dOptions options;
  options.layout = of({InputOperandLayout::nchw, InputOperandLayout::nhwc});
  const bool isLast = options.layout == InputOperandLayout::nhwc;
  const Shape& s = x.operand.shape();
  std::vector<std::uint32_t> window, padding, strides, dilations;
  for (const std::uint32_t i : {0U, 1U}) {
    const std::uint32_t size = s[i + (isLast ? 1 : 2)];
    window.push_back(of({1U, 2U, 3U}));
    strides.push_back(of({1U, 2U, 3U})), dilations.push_back(of({1U, 1U, 2U}));
    std::uint32_t before = of({0U, 1U, 2U}), after = of({0U, 1U, 2U});
    while (size + before + after < (window[i] - 1) * dilations[i] + 1) ++after;
    padding.push_back(before), padding.push_back(after);
  }
  options.windowDimensions = window, options.padding = padding, options.strides = strides, options.dilations = dilations;
  options.outputShapeRounding = of({RoundingType::floor, RoundingType::ceil});
  // Windows that contain only padding give -infinity.
  finish({f_.builder.maxPool2d(x.operand, options), x.unit, x.most, false, x.isSum});
}

void ExactGraph::move(const Value& x) {
  const auto axis = static_cast<std::uint32_t>(random_() % std::max<std::size_t>(1, x.operand.rank()));
  const int kind = from(0, 15);
  const std::optional<Value> y = kind < 7 ? moved(x, kind, axis) : resized(x, kind, axis);
  if (!y || elementCount(y->operand.descriptor()) > mostElements_) return;
  if (oneIn(3))
    quantized(*y, !oneIn(3));
  else
    keep(*y);
}

std::optional<Value> ExactGraph::moved(const Value& x, int kind, std::uint32_t axis) {
  Value y = x;
  y.isBytes = false;
  const Operand& a = x.operand;
  const Shape& s = a.shape();
  GraphBuilder& b = f_.builder;
  switch (kind) {
    case 0: {
      std::vector<std::uint32_t> order(s.size());
      for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
      std::shuffle(order.begin(), order.end(), random_);
      y.operand = b.transpose(a, {.permutation = order});
      break;
    }
    case 1: {
      Shape shape = s;
      std::shuffle(shape.begin(), shape.end(), random_);
      y.operand = b.reshape(a, shape);
      break;
    }
    case 2: {
      const auto count = static_cast<std::uint32_t>(elementCount(a.descriptor()));
      y.operand = b.reshape(a, oneIn(2) ? Shape{1, count, 1, 1} : Shape{count});
      break;
    }
    case 3: {
      std::vector<std::uint32_t> starts, sizes, strides;
      for (const std::uint32_t d : s) {
        starts.push_back(size(0, d - 1) / 2), sizes.push_back(size(1, d - starts.back())),
            strides.push_back(of({1U, 1U, 2U, 3U}));
      }
      y.operand = b.slice(a, starts, sizes, {.strides = strides});
      break;
    }
    case 4: {
      if (s.size() != 4) return std::nullopt;
      std::vector<std::uint32_t> before, after;
      for (const std::uint32_t d : s) {
        const std::uint32_t most = d > 1 && d < 20 ? 1 : 0;
        before.push_back(size(0, most)), after.push_back(size(0, most));
      }
      const PaddingMode mode = of({PaddingMode::constant, PaddingMode::constant, PaddingMode::edge, PaddingMode::reflection});
      y.operand = b.pad(a, before, after, {.mode = mode, .value = oneIn(4) ? Number(7) : oneIn(4) ? Number(-0.0) : Number(0)});
      y.isExact = y.isExact && x.unit <= 0;
      break;
    }
    case 5: {
      if (s.empty()) return std::nullopt;
      std::vector<Operand> parts{a};
      for (int i = from(1, 2); i > 0; --i)
        parts.insert(parts.begin() + from(0, static_cast<int>(parts.size())), oneIn(2) ? a : fresh(s).operand);
      y = {b.concat(parts, axis), x.unit, x.most, false, x.isSum};
      break;
    }
    case 6: {
      if (s.empty() || s[axis] < 2) return std::nullopt;
      const std::vector<Operand> parts = b.split(a, std::vector<std::uint32_t>{1, s[axis] - 1}, {.axis = axis});
      y.operand = parts[1];
      if (oneIn(2)) keep({parts[0], x.unit, x.most, x.isExact, x.isSum});
      break;
    }
    default: break;
  }
  return y;
}

std::optional<Value> ExactGraph::resized(const Value& x, int kind, std::uint32_t axis) {
  Value y = x;
  y.isBytes = false;
  const Operand& a = x.operand;
  const Shape& s = a.shape();
  GraphBuilder& b = f_.builder;
  switch (kind) {
    case 7: {
      if (s.size() != 4 || s[3] < 2 || elementCount(a.descriptor()) > mostElements_ / 8) return std::nullopt;
      y.operand = b.resample2d(a, {.scales = {{of({1.0F, 2.0F, 1.5F}), of({2.0F, 0.5F})}}, .axes = {{2, 3}}});
      break;
    }
    case 8: y.operand = b.reverse(a); break;
    case 9: {
      if (s.empty() || elementCount(a.descriptor()) > mostElements_ / 2) return std::nullopt;
      Shape repeats(s.size(), 1);
      repeats[axis] = 2;
      y.operand = b.tile(a, repeats);
      break;
    }
    case 10: {
      if (s.empty()) return std::nullopt;
      y.operand =
          b.gather(a, f_.constant(DataType::int32, {2}, numbers(2, -static_cast<int>(s[axis]), static_cast<int>(s[axis]) - 1)),
                   {.axis = axis});
      break;
    }
    case 11: y.operand = b.identity(a); break;
    case 12: y.operand = oneIn(2) ? b.neg(a) : b.abs(a); break;
    case 13: y.operand = b.leakyRelu(a, {.alpha = 0.25}), y.unit -= 2, y.most *= 4; break;
    case 14: {
      if (s.size() != 4 || s[2] < 2 || s[3] < 2) return std::nullopt;
      y.operand = b.averagePool2d(a, {.windowDimensions = {{2, 2}}}), y.unit -= 2, y.most *= 4;
      y.isExact = y.isExact && y.most < kMostUnits;
      if (!y.isExact) return std::nullopt;
      break;
    }
    default: y = activated(x);
  }
  return y;
}

// Graphs with scales of any size and sign, including 0, infinity and NaN. In the original graph, finite products and sums are
// exact. Products, sums and quotients may be infinite or NaN.
class AnyScaleGraph {
 public:
  explicit AnyScaleGraph(std::uint32_t seed) : random_(seed) {}

  void run() {
    const bool isGemm = oneIn(2), isByteOutput = !oneIn(3);
    const std::uint32_t k = of({1U, 3U, 4U, 17U}), n = of({1U, 3U, 16U, 17U, 35U}), m = of({1U, 2U, 5U, 13U});
    int size = 0;  // the exponent of the input's scale
    const double a = scale(size);
    std::vector<Number> scales;
    for (std::uint32_t i = oneIn(2) ? 1 : n; i > 0; --i) {
      int both = size;  // the exponent of the product of the two scales
      double b = scale(both);
      while (both < -110 || both > 90) b = scale(both = size);
      scales.emplace_back(b);
    }
    Operand x = isGemm ? f_.input(type(), {m, k}) : f_.input(type(), {1, m, 1, k});
    x = f_.builder.dequantizeLinear(x, f_.constant(Shape(x.rank(), 1), {a}), zero(x));
    const auto count = static_cast<std::uint32_t>(scales.size());
    const Shape shape = isGemm ? Shape{n, k} : Shape{n, 1, 1, k}, blocks = isGemm ? Shape{count, 1} : Shape{count, 1, 1, 1};
    std::vector<Number> numbers;
    for (std::uint32_t i = 0; i < n * k; ++i) numbers.emplace_back(from(0, 127));
    const DataType weightType = type();
    const Operand b = f_.builder.dequantizeLinear(f_.constant(weightType, shape, numbers), f_.constant(blocks, scales),
                                                  f_.constant(weightType, blocks, {from(0, 127)}));
    std::optional<Operand> bias;
    if (oneIn(2)) {
      std::vector<Number> biases;
      for (std::uint32_t i = 0; i < n; ++i) biases.emplace_back(oneIn(3) ? scale() : 0.0);
      bias = f_.constant({n}, biases);
    }
    Operand y;
    if (isGemm) {
      GemmOptions options{.c = bias, .bTranspose = true};
      // With a bias, the engine rounds alpha times the product to float32 before it adds the bias. The reference backend rounds
      // only the sum.
      if (!bias && oneIn(3)) options.alpha = of({-1.0, 0.5, 4.0, 0.0});
      if (oneIn(3)) options.beta = of({-1.0, 0.5, 4.0, 0.0});
      y = f_.builder.gemm(x, b, options);
    } else {
      y = f_.builder.conv2d(
          x, b, {.inputLayout = InputOperandLayout::nhwc, .filterLayout = Conv2dFilterOperandLayout::ohwi, .bias = bias});
    }
    if (oneIn(3)) y = f_.builder.relu(y);
    if (oneIn(4)) y = f_.builder.clamp(y, {.minValue = of({-3.0, -1e30, 1e-38}), .maxValue = of({7.0, 1e30, 1e38})});
    if (isByteOutput) {
      const double back = scale();
      const Operand s = f_.constant(Shape(y.rank(), 1), {back}),
                    zeroPoint = f_.constant(type(), Shape(y.rank(), 1), {from(0, 127)});
      y = f_.builder.quantizeLinear(y, s, zeroPoint);
      if (oneIn(2)) y = f_.builder.dequantizeLinear(y, s, zeroPoint);
    }
    expectCpuAgrees(f_, {y}, {.low = 0, .high = 127, .relative = 0, .absolute = 0});
  }

 private:
  int from(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }
  bool oneIn(int count) { return from(1, count) == 1; }
  template <typename T>
  T of(std::initializer_list<T> values) {
    return values.begin()[random_() % values.size()];
  }
  DataType type() { return of({DataType::int8, DataType::uint8}); }
  Operand zero(const Operand& x) { return f_.constant(x.dataType(), Shape(x.rank(), 1), {from(0, 127)}); }
  double scale() {
    int size = 0;
    return scale(size);
  }
  double scale(int& size) {
    if (oneIn(15)) return of({0.0, -0.0, kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()});
    const int power = of({-149, -130, -126, -100, -96, -60, -41, -40, -39, -2, 0, 1, 39, 40, 41, 60, 95, 96, 97, 119, 127});
    size += power;
    return std::ldexp(oneIn(4) ? -1 : 1, power);
  }
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  std::mt19937 random_;
  Fixture f_;
};

template <typename Maker>
void runSeeds() {
  unsigned first = 1, count = 60;
  if (const char* const variable = std::getenv("WEBNN_QUANTIZED_GRAPHS")) std::sscanf(variable, "%u,%u", &first, &count);
  for (unsigned seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Maker(seed).run();
  }
}

TEST(QuantizedGraphs, AreExact) { runSeeds<ExactGraph>(); }
TEST(QuantizedGraphs, MayHaveAnyScale) { runSeeds<AnyScaleGraph>(); }

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
