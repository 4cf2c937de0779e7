// Tests random graphs, and some fixed ones, with 8-bit and 4-bit values. In all random graphs except those with huge windows,
// every step at which backends could differ is exact, so results must be bit-identical to the reference. The graphs contain
// special cases of passes and kernels: scales of any size, sub-graphs that are almost equal, NaN.
#include <algorithm>
#include <cmath>

#include "cpu/dice.h"
#include "support/bits.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

// --- Residual sums

// A convolution whose quantized results (codes) are exact: its scale is an odd multiple of the unit of its sums, so that no sum
// is near a tie. The residual and the output have any scales.
class ResidualGraph {
 public:
  explicit ResidualGraph(std::uint32_t seed) : dice_(seed) {}

  void run() {
    const std::uint32_t channels = dice_.of({1U, 2U, 3U, 4U, 5U, 8U, 16U, 31U});
    outputs_ = dice_.of({1U, 3U, 4U, 15U, 16U, 17U, 32U, 33U, 48U, 63U, 64U, 65U, 80U, 130U, channels, channels});
    shape_ = {dice_.size(1, 2), dice_.size(1, 5), dice_.size(1, 5), channels};
    inputScale_ = scale();
    const DataType type = dice_.byte();
    const Operand image = f_.input(type, shape_);
    const int zero = dice_.code(type);
    x_ = dequantized(image, inputScale_, zero);
    const Operand a = convolution();
    const double totalScale = dice_.oneIn(9) ? anyScale() : near(resultScale_);
    Operand total = f_.builder.add(a, a);
    if (!dice_.oneIn(20)) {
      const Operand b = addend(a.shape());
      total = dice_.oneIn(2) ? f_.builder.add(a, b) : f_.builder.add(b, a);
    }
    if (dice_.oneIn(3)) total = activated(total, totalScale);
    const Operand codes = quantized(total, totalScale);
    results_.push_back(dice_.oneIn(4) ? dequantized(codes, totalScale, zero_, true) : codes);
    if (dice_.oneIn(12)) results_.push_back(total);
    expectCpuAgrees(f_, results_, {.low = -128, .high = 255, .relative = 0, .absolute = 0});
  }

 private:
  double scale() {
    const double mantissa = dice_.oneIn(3) ? 1 : 1 + dice_.from(0, 8388607) * 0x1p-23;
    return std::ldexp(mantissa, dice_.oneIn(6) ? dice_.of({-39, -30, 30, 38}) : dice_.from(-8, 8));
  }
  double anyScale() {
    return dice_.of({0.0, -0.0, kInfinity, -kInfinity, kNaN, 0x1p-149, 0x1.8p-130, 0x1p-41, -0.5, -0.37, 0x1p41, 0x1p127, 3e38});
  }
  // Returns `scale` times a number for which sums may lie halfway between two codes, or times any number from 1/8 to 64.
  double near(double scale) {
    const double quotient = dice_.oneIn(2) ? dice_.of({1.0, 2.0, 0.5, 4.0, 3.0, 256.0})
                                           : std::ldexp(1 + dice_.from(0, 999999) * 1e-6, dice_.from(-3, 5));
    return static_cast<double>(static_cast<float>(scale * quotient));
  }
  Operand dequantized(const Operand& x, double scale, int zero, bool isSame = false) {
    const Shape ones(x.rank(), 1);
    const Shape shape = !isSame && dice_.oneIn(12) ? Shape{1, 1, 1, x.shape()[3]} : ones;
    return f_.builder.dequantizeLinear(x, f_.constant(shape, {scale}), f_.constant(x.dataType(), shape, {zero}));
  }
  Operand quantized(const Operand& x, double scale) {
    const DataType type = dice_.byte();
    const Shape ones(x.rank(), 1);
    zero_ = dice_.code(type);
    return f_.builder.quantizeLinear(x, f_.constant(ones, {scale}), f_.constant(type, ones, {zero_}));
  }
  Operand activated(const Operand& x, double scale) {
    if (dice_.oneIn(2)) return f_.builder.relu(x);
    const double low = dice_.from(-300, 300) * 0.5 * scale, high = low + dice_.from(0, 300) * 0.5 * std::abs(scale);
    if (!std::isfinite(low) || !std::isfinite(high)) return x;
    switch (dice_.from(0, 3)) {
      case 0: return f_.builder.clamp(x, {.minValue = low});
      case 1: return f_.builder.clamp(x, {.maxValue = high});
      default: return f_.builder.clamp(x, {.minValue = low, .maxValue = high});
    }
  }

  // Returns the result of a convolution as dequantized codes.
  Operand convolution() {
    const std::uint32_t channels = shape_[3];
    Conv2dOptions options{.inputLayout = InputOperandLayout::nhwc, .filterLayout = Conv2dFilterOperandLayout::ohwi};
    std::uint32_t window = dice_.of({1U, 1U, 2U, 3U});
    const bool isDepthwise = channels > 1 && outputs_ % channels == 0 && dice_.oneIn(3);
    if (isDepthwise) options.groups = channels;
    const std::uint32_t inputs = isDepthwise ? 1 : channels;
    options.padding = {window / 2, window / 2, window / 2, window / 2};
    const DataType type = dice_.byte();
    const Shape shape{outputs_, window, window, inputs};
    const int low = Dice::lowest(type), zero = dice_.oneIn(2) ? low + 128 : dice_.code(type);
    const bool isSmall = dice_.oneIn(2) && zero - 2 >= low && zero + 2 <= low + 255;
    const Operand weights =
        f_.constant(type, shape, dice_.numbers(countOf(shape), isSmall ? zero - 2 : low, isSmall ? zero + 2 : low + 255));
    const double unit = std::ldexp(1, dice_.from(-6, 0));
    const Operand filter =
        f_.builder.dequantizeLinear(weights, f_.constant({1, 1, 1, 1}, {unit}), f_.constant(type, {1, 1, 1, 1}, {zero}));
    resultScale_ = static_cast<double>(static_cast<float>(inputScale_ * unit * dice_.of({1, 3, 5, 101})));
    Operand y = f_.builder.conv2d(x_, filter, options);
    if (dice_.oneIn(4))
      y = dice_.oneIn(2) ? f_.builder.relu(y)
                         : f_.builder.clamp(y, {.minValue = -3 * resultScale_, .maxValue = 77 * resultScale_});
    const Operand codes = quantized(y, resultScale_);
    if (dice_.oneIn(12)) results_.push_back(codes);
    return dequantized(codes, resultScale_, zero_, true);
  }
  Operand addend(const Shape& shape) {
    if (dice_.oneIn(6)) {  // another convolution
      const Operand other = convolution();
      if (other.shape() == shape) return other;
    }
    if (shape == shape_ && dice_.oneIn(2)) return x_;
    Shape part = shape;
    if (dice_.oneIn(8)) part[static_cast<std::size_t>(dice_.from(0, 3))] = 1;
    const DataType type = dice_.oneIn(12) ? DataType::int32 : dice_.byte();
    const Operand codes = dice_.oneIn(12) ? f_.constant(type, part, dice_.numbers(countOf(part), 0, 127)) : f_.input(type, part);
    return dequantized(codes, dice_.oneIn(9) ? anyScale() : near(resultScale_), dice_.code(type));
  }

  Dice dice_;
  Fixture f_;
  Shape shape_;
  std::uint32_t outputs_ = 1;
  double inputScale_ = 1, resultScale_ = 1;
  int zero_ = 0;
  Operand x_;
  std::vector<Operand> results_;
};

// --- Almost equal sub-graphs

// Several chains of operations on the same two images or matrices. Each differs from a common pattern in at most two fields.
class TwinGraph {
 public:
  explicit TwinGraph(std::uint32_t seed) : dice_(seed) {}

  void run() {
    isGemm_ = dice_.oneIn(3);
    const std::uint32_t count = dice_.of({2U, 3U, 4U, 8U, 16U});  // the matrix is square, so that it may be transposed
    type_ = dice_.byte();
    const Shape shape = isGemm_ ? Shape{count, count} : Shape{1, count, count, count};
    const Operand image = f_.input(type_, shape), other = f_.input(type_, shape);
    const Chain first{.zero = dice_.code(type_), .weightZero = dice_.from(0, 127), .resultZero = dice_.from(0, 127)};
    weights_ = dice_.numbers(countOf(shape) * count, 0, 127);
    std::vector<Operand> results;
    for (int i = dice_.from(2, 6); i > 0; --i) {
      Chain chain = first;
      for (int fields = i == 1 ? 0 : dice_.from(0, 2); fields > 0; --fields) change(chain);
      results.push_back(build(chain, image, other, count));
    }
    expectCpuAgrees(f_, results, {.low = -128, .high = 255, .relative = 0, .absolute = 0});
  }

 private:
  struct Chain {
    double scale = 1, weightScale = 0.5, resultScale = 64, bias = 8, low = 0, high = 600;
    int zero = 0, weightZero = 0, resultZero = 0, activation = 0;
    DataType weightType = DataType::uint8, resultType = DataType::uint8;
    bool hasBias = true, isTransposed = false, isQuantized = true, isBack = false, hasAddend = false, isOther = false;
    std::uint32_t padding = 1, stride = 1, dilation = 1, groups = 1;
    double addendScale = 4, totalScale = 128;
    int addendZero = 3, totalZero = 5;
  };
  void change(Chain& c) {
    const int codes = dice_.from(0, 127);
    switch (dice_.from(0, 23)) {
      case 0: c.scale *= dice_.of({0.5, 2.0, -1.0}); break;
      case 1: c.weightScale *= dice_.of({0.5, 2.0, -1.0, 0.0}); break;
      case 2: c.resultScale *= dice_.of({0.5, 2.0, -1.0}); break;
      case 3: c.bias = dice_.of({0.0, -0.0, 9.0}); break;
      case 4: c.activation = dice_.from(0, 2); break;
      case 5: c.low = dice_.of({0.0, -0.0, -3.0}); break;
      case 6: c.high = dice_.of({6.0, 700.0, 0.0}); break;
      case 7: c.zero = codes; break;
      case 8: c.weightZero = codes; break;
      case 9: c.resultZero = codes; break;
      case 10: c.weightType = DataType::int8; break;
      case 11: c.resultType = DataType::int8; break;
      case 12: c.hasBias = !c.hasBias; break;
      case 13: c.isTransposed = !c.isTransposed; break;
      case 14: c.isQuantized = !c.isQuantized; break;
      case 15: c.isBack = !c.isBack; break;
      case 16: c.hasAddend = !c.hasAddend; break;
      case 17: c.padding = 2; break;
      case 18: c.stride = 2; break;
      case 19: c.dilation = 2; break;
      case 20: c.isOther = true; break;
      case 21: c.addendScale *= 2; break;
      case 22: c.totalScale *= 2; break;
      default: dice_.oneIn(2) ? c.addendZero = codes : c.totalZero = codes;
    }
  }
  Operand dequantized(const Operand& x, double scale, int zero) {
    const Shape ones(x.rank(), 1);
    return f_.builder.dequantizeLinear(x, f_.constant(ones, {scale}), f_.constant(x.dataType(), ones, {zero}));
  }
  Operand quantized(const Operand& x, double scale, DataType type, int zero) {
    const Shape ones(x.rank(), 1);
    return f_.builder.quantizeLinear(x, f_.constant(ones, {scale}), f_.constant(type, ones, {zero}));
  }
  Operand build(const Chain& c, const Operand& image, const Operand& other, std::uint32_t count) {
    const Operand x = dequantized(c.isOther ? other : image, c.scale, c.zero);
    const Shape shape = isGemm_ ? Shape{count, count} : Shape{count, 2, 2, count};
    const std::vector<Number> weights(weights_.begin(), weights_.begin() + static_cast<std::ptrdiff_t>(countOf(shape)));
    const Operand filter = dequantized(f_.constant(c.weightType, shape, weights), c.weightScale, c.weightZero);
    std::optional<Operand> bias;
    if (c.hasBias) bias = f_.constant({count}, {c.bias});
    Operand y;
    if (isGemm_) {
      y = f_.builder.gemm(x, filter, {.c = bias, .bTranspose = c.isTransposed});
    } else {
      Conv2dOptions options{.inputLayout = InputOperandLayout::nhwc, .bias = bias};
      options.padding = {c.padding, c.padding, 1, 1}, options.strides = {c.stride, 1}, options.dilations = {c.dilation, 1};
      options.filterLayout = c.isTransposed && count == 2 ? Conv2dFilterOperandLayout::hwio : Conv2dFilterOperandLayout::ohwi;
      y = f_.builder.conv2d(x, filter, options);
    }
    if (c.activation == 1) y = f_.builder.relu(y);
    if (c.activation == 2) y = f_.builder.clamp(y, {.minValue = c.low, .maxValue = c.high});
    if (!c.isQuantized) return c.isOther ? f_.builder.reciprocal(y) : y;
    y = quantized(y, c.resultScale, c.resultType, c.resultZero);
    if (!c.isBack && !c.hasAddend) return y;
    y = dequantized(y, c.resultScale, c.resultZero);
    if (!c.hasAddend) return f_.builder.reciprocal(y);
    const Operand addend =
        f_.builder.slice(f_.builder.tile(other, Shape(other.rank(), 3)), std::vector<std::uint32_t>(y.rank(), 0), y.shape());
    y = f_.builder.add(y, dequantized(addend, c.addendScale, c.addendZero));
    return c.isBack ? y : quantized(y, c.totalScale, DataType::uint8, c.totalZero);
  }

  Dice dice_;
  Fixture f_;
  bool isGemm_ = false;
  DataType type_ = DataType::uint8;
  std::vector<Number> weights_;
};

// --- NaN and infinity

// A product or convolution. Its inputs may contain NaN, infinities and huge numbers, and so may its bias.
class SpecialGraph {
 public:
  explicit SpecialGraph(std::uint32_t seed) : dice_(seed) {}

  void run() {
    const std::uint32_t channels = dice_.of({1U, 3U, 4U, 16U, 17U, 40U}), outputs = dice_.of({1U, 3U, 16U, 33U});
    const int kind = dice_.from(1, 2);
    const DataType type = dice_.byte();
    const Shape shape = kind == 1 ? Shape{3, channels} : Shape{1, 3, 4, channels};
    Operand x = quantized(f_.input(shape), type);
    const Shape filterShape = kind == 1 ? Shape{outputs, channels} : Shape{outputs, 2, 2, channels}, ones(filterShape.size(), 1);
    const DataType weightType = dice_.byte();
    const int low = Dice::lowest(weightType);
    const Operand filter =
        f_.builder.dequantizeLinear(f_.constant(weightType, filterShape, dice_.numbers(countOf(filterShape), low, low + 255)),
                                    f_.constant(ones, {1}), f_.constant(weightType, ones, {dice_.code(weightType)}));
    std::optional<Operand> bias;
    if (dice_.oneIn(2)) bias = f_.constant({outputs}, {dice_.of({0.5, kInfinity, -kInfinity, kNaN, 3e38, -3e38})});
    Operand y =
        kind == 1 ? f_.builder.gemm(x, filter, {.c = bias, .bTranspose = true})
                  : f_.builder.conv2d(
                        x, filter,
                        {.inputLayout = InputOperandLayout::nhwc, .filterLayout = Conv2dFilterOperandLayout::ohwi, .bias = bias});
    if (dice_.oneIn(3)) y = f_.builder.relu(y);
    if (dice_.oneIn(3)) y = f_.builder.add(y, f_.input(y.shape()));
    if (dice_.oneIn(3))
      y = f_.builder.clamp(y, {.minValue = dice_.of({-kInfinity, -4.5}), .maxValue = dice_.of({kInfinity, 99.0})});
    if (!dice_.oneIn(4)) y = quantized(y, dice_.byte());
    std::vector<Operand> results{y};
    if (dice_.oneIn(4)) results.push_back(x);
    if (dice_.oneIn(3)) results.push_back(quantized(f_.builder.add(y, f_.input(y.shape())), type));
    expectCpuAgrees(f_, results, {.low = -300, .high = 300, .specials = true, .relative = 0, .absolute = 0});
  }

 private:
  Operand quantized(const Operand& x, DataType type) {
    const Shape ones(x.rank(), 1);
    const Operand scale = f_.constant(ones, {std::ldexp(1, dice_.from(0, 6))}),
                  zero = f_.constant(type, ones, {dice_.code(type)});
    return f_.builder.dequantizeLinear(f_.builder.quantizeLinear(x, scale, zero), scale, zero);
  }

  Dice dice_;
  Fixture f_;
};

// --- Several products

// Several products of floats or 8-bit values with matrices of 4 or 8 bits. A product may have the matrix of the product before,
// and may read its result.
class ProductGraph {
 public:
  explicit ProductGraph(std::uint32_t seed) : dice_(seed) {}

  void run() {
    k_ = dice_.of({1U, 3U, 8U, 16U, 17U, 40U});
    matrix_ = matrix(k_);
    Operand x = rows();
    for (int i = dice_.from(1, 4); i > 0; --i) {
      Operand y = finished(product(x, matrix_));
      const bool isSquare = matrix_.shape().back() == k_ && isExact_;
      results_.push_back(y);
      if (dice_.oneIn(3)) matrix_ = matrix(k_);
      x = isSquare && dice_.oneIn(2) ? y : rows();
    }
    if (dice_.oneIn(2)) results_.push_back(f_.builder.identity(x));
    expectCpuAgrees(f_, results_, {.low = 0, .high = 255, .relative = 0, .absolute = 0, .inputs = inputs_});
  }

 private:
  Operand rows() {
    Shape shape{dice_.size(1, 13), k_};
    for (int i = dice_.from(0, 2); i > 0; --i) shape.insert(shape.begin(), dice_.size(1, 2));
    const DataType type = dice_.byte();
    const std::string name = "input" + std::to_string(f_.inputs);
    const Shape ones(shape.size(), 1);
    isExact_ = true;
    if (!dice_.oneIn(3)) {
      const Operand scale = f_.constant(ones, {dice_.of({1.0, 0.5, 2.0, -1.0})}),
                    zero = f_.constant(type, ones, {dice_.code(type)});
      Operand x = f_.input(dice_.oneIn(3) ? DataType::float32 : type, shape);
      if (x.dataType() == DataType::float32) {
        inputs_[name] = dice_.numbers(countOf(shape), -300, 300);
        x = f_.builder.quantizeLinear(x, scale, zero);
      }
      return f_.builder.dequantizeLinear(x, scale, zero);
    }
    inputs_[name] = dice_.numbers(countOf(shape), -99, 99);
    return f_.input(shape);
  }
  Operand matrix(std::uint32_t k) {
    const std::uint32_t n = dice_.of({1U, 3U, 16U, 33U, 64U, k, k});
    const bool isTransposed = dice_.oneIn(3);
    Shape shape = isTransposed ? Shape{n, k} : Shape{k, n}, blocks(2, 1);
    const std::size_t axis = isTransposed ? 1 : 0;  // the axis of k
    if (dice_.oneIn(2)) blocks[1 - axis] = n;
    if (dice_.oneIn(3)) blocks[axis] = k % 8 == 0 ? k / 8 : k;
    if (!isTransposed) {
      for (int i = dice_.from(0, 2); i > 0; --i) shape.insert(shape.begin(), 1), blocks.insert(blocks.begin(), 1);
    }
    const DataType type = dice_.of({DataType::int4, DataType::uint4, DataType::int8, DataType::uint8});
    const int low = type == DataType::int8   ? -128
                    : type == DataType::int4 ? -8
                                             : 0,
              high = low + (bitsPerElement(type) == 4 ? 15 : 255);
    std::vector<Number> scales;
    for (std::size_t i = countOf(blocks); i > 0; --i) scales.emplace_back(std::ldexp(1, dice_.from(-2, 1)));
    const Operand b = f_.builder.dequantizeLinear(f_.constant(type, shape, dice_.numbers(countOf(shape), low, high)),
                                                  f_.constant(blocks, scales),
                                                  f_.constant(type, blocks, dice_.numbers(countOf(blocks), low, high)));
    return isTransposed ? f_.builder.transpose(b) : b;
  }
  Operand product(const Operand& x, const Operand& b) {
    if (x.rank() == 2 && b.rank() == 2 && dice_.oneIn(2)) return f_.builder.gemm(x, b);
    return f_.builder.matmul(x, b);
  }
  Operand finished(Operand y) {
    const Shape& shape = y.shape();
    if (dice_.oneIn(2)) {
      Shape part = shape;
      for (int i = dice_.from(0, 4); i > 0; --i) {
        if (!part.empty() && dice_.oneIn(2)) part.erase(part.begin());
        if (!part.empty() && dice_.oneIn(2)) part[static_cast<std::size_t>(dice_.from(0, static_cast<int>(part.size()) - 1))] = 1;
      }
      const Operand bias = f_.constant(part, dice_.numbers(countOf(part), -99, 99));
      y = dice_.oneIn(2) ? f_.builder.add(y, bias) : f_.builder.add(bias, y);
    }
    if (dice_.oneIn(3)) y = f_.builder.relu(y);
    if (dice_.oneIn(5)) y = f_.builder.clamp(y, {.minValue = -5000, .maxValue = 7000});
    isExact_ = false;
    if (dice_.oneIn(3)) return y;
    const Shape ones(y.rank(), 1);
    const DataType type = dice_.byte();
    const Operand scale = f_.constant(ones, {std::ldexp(dice_.oneIn(9) ? -1 : 1, dice_.from(0, 12))}),
                  zero = f_.constant(type, ones, {dice_.code(type)});
    const Operand codes = f_.builder.quantizeLinear(y, scale, zero);
    if (dice_.oneIn(6)) results_.push_back(codes);
    const Operand back = f_.builder.dequantizeLinear(codes, scale, zero);
    if (dice_.oneIn(4)) results_.push_back(f_.builder.reciprocal(back));
    isExact_ = true;
    return back;
  }

  Dice dice_;
  Fixture f_;
  std::uint32_t k_ = 1;
  Operand matrix_;
  bool isExact_ = true;
  std::vector<Operand> results_;
  std::map<std::string, std::vector<Number>> inputs_;
};

// --- Only quantizeLinear and dequantizeLinear

// Generates graphs with random types, blocks, scales and codes.
class LinearGraph {
 public:
  explicit LinearGraph(std::uint32_t seed) : dice_(seed) {}

  void run() {
    Shape shape, blocks;
    for (int i = dice_.from(0, 5); i > 0; --i) {
      const std::uint32_t count = dice_.of({1U, 1U, 2U, 3U, 5U, 8U}), each = dice_.of({1U, 1U, 2U, 3U, 16U, 17U, 31U});
      if (countOf(shape) * count * each > 3000) continue;
      shape.push_back(count * each), blocks.push_back(dice_.oneIn(3) ? count * each : dice_.oneIn(2) ? 1 : count);
    }
    using enum DataType;
    const DataType type = dice_.of({int4, uint4, int8, uint8, int32, uint32}), floats = dice_.of({float32, float32, float16});
    const std::size_t count = countOf(blocks);
    std::vector<Number> scales, zeros;
    for (std::size_t i = 0; i < count; ++i) {
      scales.emplace_back(dice_.oneIn(3) ? dice_.of({0.0, -0.0, kInfinity, -kInfinity, kNaN, 0x1p-149, 0x1.8p-140, -0x1p-127,
                                                     3e38, 6e-8, 1e30, 1e-31})
                                         : std::ldexp(dice_.from(-999999, 999999), dice_.from(-30, 0)));
      zeros.push_back(cast(code(type), type));
    }
    if (dice_.oneIn(3)) scales.assign(count, scales[0]), zeros.assign(count, zeros[0]);
    Operand scale = f_.constant(floats, blocks, scales), zero = f_.constant(type, blocks, zeros);
    CpuCase options{.low = -1e3, .high = 1e3, .specials = true, .relative = 0, .absolute = 0};
    std::vector<Number> codes;
    for (std::size_t i = countOf(shape); i > 0; --i) codes.push_back(cast(code(type), type));
    Operand x = f_.input(type, shape);
    options.inputs["input0"] = codes;
    if (dice_.oneIn(4)) x = f_.constant(type, shape, codes);
    if (dice_.oneIn(6)) {
      options.inputs["input" + std::to_string(f_.inputs)] = scales;
      scale = f_.input(floats, blocks);
    }
    if (dice_.oneIn(6)) {
      options.inputs["input" + std::to_string(f_.inputs)] = zeros;
      zero = f_.input(type, blocks);
    }
    const Operand y = f_.builder.dequantizeLinear(x, scale, zero), again = f_.builder.quantizeLinear(y, scale, zero);
    std::vector<Operand> results{f_.builder.quantizeLinear(f_.input(floats, shape), scale, zero), again};
    results.push_back(floats == float32 ? f_.builder.reciprocal(y) : y);
    if (dice_.oneIn(2)) results.push_back(f_.builder.dequantizeLinear(again, scale, zero));
    expectCpuAgrees(f_, results, options);
  }

 private:
  Number code(DataType type) {
    if (type == DataType::int32 && dice_.oneIn(2))
      return dice_.of<std::int64_t>({-2147483648LL, 2147483647LL, -2147483647LL, 16777217LL, 0LL});
    if (type == DataType::uint32 && dice_.oneIn(2))
      return dice_.of<std::int64_t>({4294967295LL, 2147483648LL, 0LL, 4294967167LL});
    return dice_.from(type == DataType::int4                                                           ? -8
                      : type == DataType::uint4 || type == DataType::uint8 || type == DataType::uint32 ? 0
                                                                                                       : -128,
                      type == DataType::int4    ? 7
                      : type == DataType::uint4 ? 15
                      : type == DataType::int8  ? 127
                                                : 255);
  }

  Dice dice_;
  Fixture f_;
};

TEST(QuantizedAttack, ResidualsWithAnyScales) { runSeeds<ResidualGraph>(18); }
TEST(QuantizedAttack, AlmostEqualChains) { runSeeds<TwinGraph>(12); }
TEST(QuantizedAttack, ProductsInGraphs) { runSeeds<ProductGraph>(15); }
TEST(QuantizedAttack, FloatsThatAreNoNumbers) { runSeeds<SpecialGraph>(14); }
TEST(QuantizedAttack, QuantizationAlone) { runSeeds<LinearGraph>(20); }

// --- Single graphs

TEST(QuantizedAttack, AHugeBiasIsAddedToSumsThatOverflow) {
  Fixture f;
  const Shape ones(4, 1);
  const Operand x = f.builder.dequantizeLinear(f.input(DataType::uint8, {1, 2, 3, 1}), f.constant(ones, {0x1p40}),
                                               f.constant(DataType::uint8, ones, {0}));
  const Operand filter = f.builder.dequantizeLinear(f.constant(DataType::int8, {2, 1, 1, 1}, {9, -9}), f.constant(ones, {0x1p40}),
                                                    f.constant(DataType::int8, ones, {0}));
  Conv2dOptions options{.inputLayout = InputOperandLayout::nhwc, .filterLayout = Conv2dFilterOperandLayout::ohwi};
  options.bias = f.constant({2}, {-0x1p120, 0x1p120});
  const Operand y = f.builder.quantizeLinear(f.builder.conv2d(x, filter, options), f.constant(ones, {0x1p-40}),
                                             f.constant(DataType::uint8, ones, {7}));
  expectCpuAgrees(f, {y}, {.low = 1, .high = 255, .relative = 0, .absolute = 0});
}

TEST(QuantizedAttack, PaddingWithMinusZeroStaysThat) {
  Fixture f;
  const Shape ones(4, 1);
  const Operand scale = f.constant(ones, {1}), zero = f.constant(DataType::uint8, ones, {0});
  const Operand x = f.builder.dequantizeLinear(f.input(DataType::uint8, {1, 2, 3, 1}), scale, zero);
  const Operand padded = f.builder.pad(x, {0, 1, 1, 0}, {0, 1, 1, 0}, {.value = -0.0});
  expectCpuAgrees(f, {f.builder.quantizeLinear(padded, scale, zero), f.builder.reciprocal(padded)}, {.low = 1, .high = 255});
}

TEST(QuantizedAttack, ADequantizedZeroIsPositive) {
  Fixture f;
  const Shape ones(2, 1);
  const Operand one = f.constant(ones, {1}), none = f.constant(DataType::uint8, ones, {0});
  const Operand x = f.builder.dequantizeLinear(f.input(DataType::uint8, {4, 3}), one, none);
  const Operand b = f.builder.dequantizeLinear(f.constant(DataType::int8, {3, 2}, {-1, 1, 1, -1, -1, 0}), one,
                                               f.constant(DataType::int8, ones, {0}));
  const Operand product = f.builder.gemm(x, b), scale = f.constant(ones, {1024}), zero = f.constant(DataType::uint8, ones, {128});
  const auto isInfinite = [&](const Operand& y) {
    return f.builder.reciprocal(f.builder.dequantizeLinear(f.builder.quantizeLinear(y, scale, zero), scale, zero));
  };
  expectCpuAgrees(f, {isInfinite(product), isInfinite(f.builder.relu(f.builder.gemm(x, b)))}, {.low = 0, .high = 255});
}

TEST(QuantizedAttack, AlphaMayMakeMinusZero) {
  for (const double alpha : {-1.0, 0.0}) {
    for (const bool isFloat : {false, true}) {
      Fixture f;
      const Shape ones(2, 1);
      const DataType type = isFloat ? DataType::int4 : DataType::int8;
      const Operand one = f.constant(ones, {1}), matrix = f.constant(type, {2, 3}, {1, -1, 0, 1, -1, 0});
      Operand x = f.input(isFloat ? DataType::float32 : DataType::uint8, {2, 2});
      if (!isFloat) x = f.builder.dequantizeLinear(x, one, f.constant(DataType::uint8, ones, {0}));
      const Operand b = f.builder.dequantizeLinear(matrix, one, f.constant(type, ones, {0}));
      expectCpuAgrees(f, {f.builder.reciprocal(f.builder.gemm(x, b, {.alpha = alpha}))}, {.inputs = {{"input0", {0, 0, 3, 4}}}});
    }
  }
}

TEST(QuantizedAttack, PaddingMayBeHuge) {
  WEBNN_NEEDS_LARGE_TENSORS();
  Fixture f;
  const Shape ones(4, 1);
  const Operand one = f.constant(ones, {1}), zero = f.constant(DataType::uint8, ones, {5});
  const Operand x = f.builder.dequantizeLinear(f.input(DataType::uint8, {1, 1, 1, 1}), one, zero);
  const Operand filter =
      f.builder.dequantizeLinear(f.constant(DataType::int8, {1, 1, 2, 1}, {3}), one, f.constant(DataType::int8, ones, {0}));
  // The padded image would have 2^32 rows of 2^32 pixels.
  const Conv2dOptions options{.padding = {{2147483648, 2147483647, 2147483648, 2147483647}},
                              .strides = {{16843009, 2147483647}},
                              .inputLayout = InputOperandLayout::nhwc,
                              .filterLayout = Conv2dFilterOperandLayout::ohwi};
  const Operand y = f.builder.quantizeLinear(f.builder.conv2d(x, filter, options), one, zero);
  expectCpuAgrees(f, {y}, {.low = 0, .high = 255});
}

// --- Huge windows

// Padding, strides and dilations of up to 2^32 - 1, with small images and results.
class HugeGraph {
 public:
  explicit HugeGraph(std::uint32_t seed) : dice_(seed) {}

  void run() {
    std::vector<std::uint32_t> window, padding, strides, dilations;
    Shape shape{dice_.size(1, 2), dice_.of({1U, 2U, 3U, 4U, 5U}), 1, 1};
    for (std::size_t i = 0; i < 2; ++i) {
      constexpr std::uint64_t kMost = 0xFFFFFFFF;
      const std::uint64_t size = dice_.size(1, 3), count = dice_.of({1U, 2U, 3U, 256U, 258U});
      window.push_back(dice_.of({1U, 2U, 3U}));
      std::uint64_t stride = dice_.of<std::uint64_t>({1, 2, 65537, 16843009, 0x7FFFFFFF, 0x80000000, kMost, kMost / count});
      std::uint64_t dilation = dice_.of<std::uint64_t>({1, 1, 1, 2, 65537, 0x7FFFFFFF, kMost, 0x55555555});
      std::uint64_t total = (count - 1) * stride + (window[i] - 1) * dilation + 1;
      while (total > 2 * kMost)
        stride = stride / 2 + 1, dilation = dilation / 2 + 1, total = (count - 1) * stride + (window[i] - 1) * dilation + 1;
      const std::uint64_t pads = total > size ? total - size : 0;
      const std::uint64_t before = std::min(kMost, dice_.of({pads / 2, pads - std::min(pads, kMost), std::min(pads, kMost)}));
      padding.push_back(static_cast<std::uint32_t>(before)),
          padding.push_back(static_cast<std::uint32_t>(std::min(kMost, pads - before)));
      strides.push_back(static_cast<std::uint32_t>(stride)), dilations.push_back(static_cast<std::uint32_t>(dilation));
      shape[2 + i] = static_cast<std::uint32_t>(size);
    }
    const int kind = dice_.from(0, 3);
    Operand x = kind < 2 ? f_.input(dice_.byte(), shape) : f_.input(shape);
    const Shape ones(4, 1);
    const Operand scale = f_.constant(ones, {1});
    if (kind < 2) x = f_.builder.dequantizeLinear(x, scale, f_.constant(x.dataType(), ones, {dice_.code(x.dataType())}));
    Operand y;
    if (kind == 3 || (kind == 1 && dice_.oneIn(3))) {
      Pool2dOptions options;
      options.windowDimensions = window, options.padding = padding, options.strides = strides, options.dilations = dilations;
      y = kind == 1 || dice_.oneIn(2) ? f_.builder.maxPool2d(x, options) : f_.builder.averagePool2d(x, options);
      if (kind == 1) y = f_.builder.quantizeLinear(y, scale, f_.constant(DataType::uint8, ones, {77}));
    } else {
      Conv2dOptions options;
      options.groups = dice_.oneIn(3) ? shape[1] : 1;
      options.padding = padding, options.strides = strides, options.dilations = dilations;
      const Shape filter{shape[1] * dice_.size(1, 2), shape[1] / options.groups, window[0], window[1]};
      Operand w = f_.constant(kind < 2 ? DataType::int8 : DataType::float32, filter, dice_.numbers(countOf(filter), -9, 9));
      if (kind < 2) w = f_.builder.dequantizeLinear(w, scale, f_.constant(DataType::int8, ones, {0}));
      y = f_.builder.conv2d(x, w, options);
      if (kind < 2) y = f_.builder.quantizeLinear(y, scale, f_.constant(DataType::uint8, ones, {77}));
    }
    if (countOf(y.shape()) > 100000) return;
    expectCpuAgrees(f_, {y}, {.low = 0, .high = 127, .absolute = 1e-3});
  }

 private:
  Dice dice_;
  Fixture f_;
};

TEST(QuantizedAttack, HugeWindows) {
  WEBNN_NEEDS_LARGE_TENSORS();
  runSeeds<HugeGraph>(10);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
