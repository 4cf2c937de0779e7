// Tests random graphs of operations that are computed on 8-bit values between dequantizeLinear and quantizeLinear: products of
// activations, transposed and grouped convolutions, averages, sums, and operations that move or pad elements. If every step is
// exact, 8-bit results must be bit-identical to the reference; with other scales, quantized values (codes) may be off by one in
// each step.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "cpu/dice.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

struct Code {
  double scale = 1;
  int zeroPoint = 0;
  DataType type = DataType::uint8;
};

// The base class of the random graph generators.
class Bytes {
 public:
  explicit Bytes(std::uint32_t seed) : dice_(seed), isExact_(!dice_.oneIn(4)) {}

 protected:
  std::vector<std::uint32_t> shuffled(std::size_t rank) {
    std::vector<std::uint32_t> permutation(rank);
    std::iota(permutation.begin(), permutation.end(), 0U);
    for (std::size_t i = rank; i > 1; --i)
      std::swap(permutation[i - 1], permutation[static_cast<std::size_t>(dice_.from(0, static_cast<int>(i) - 1))]);
    return permutation;
  }
  double scale(int low = -6, int high = 6) {
    const double mantissa = isExact_ ? 1 : 1 + dice_.from(0, 8388607) * 0x1p-23;
    return static_cast<double>(static_cast<float>(std::ldexp(mantissa, dice_.from(low, high))));
  }
  Code code(double scale) {
    const DataType type = dice_.byte();
    return {.scale = scale, .zeroPoint = dice_.code(type), .type = type};
  }
  Code code() { return code(scale()); }
  Operand number(const Operand& like, double value) {
    return f_.constant(dice_.oneIn(9) ? Shape{} : Shape(like.rank(), 1), {value});
  }
  // Returns the shape of a scale: one element, or as many as `x` has along a random dimension. All elements of the scale will
  // be equal.
  Shape blocksOf(const Operand& x) {
    Shape blocks(x.rank(), 1);
    if (x.rank() > 0 && dice_.oneIn(12)) {
      const std::size_t axis = dice_.size(0, static_cast<std::uint32_t>(x.rank()) - 1);
      blocks[axis] = x.shape()[axis];
    }
    return blocks;
  }
  Operand dequantized(const Operand& x, const Code& c) {
    const Shape blocks = blocksOf(x);
    return f_.builder.dequantizeLinear(x, f_.constant(blocks, {c.scale}), f_.constant(c.type, blocks, {c.zeroPoint}));
  }
  Operand quantized(const Operand& x, const Code& c) {
    const Shape blocks = blocksOf(x);
    return f_.builder.quantizeLinear(x, f_.constant(blocks, {c.scale}), f_.constant(c.type, blocks, {c.zeroPoint}));
  }
  Operand requantized(const Operand& x, const Code& c) { return dequantized(quantized(x, c), c); }
  // Adds an input of quantized values (codes) of `c`, at most `spread` from the zero point.
  Operand input(const Shape& shape, const Code& c, int spread = 255) {
    const int low = Dice::lowest(c.type);
    const std::string name = "input" + std::to_string(f_.inputs);
    options_.inputs[name] =
        dice_.numbers(countOf(shape), std::max(low, c.zeroPoint - spread), std::min(low + 255, c.zeroPoint + spread));
    return f_.input(c.type, shape);
  }
  Operand transposed(const Operand& x) { return f_.builder.transpose(x, {.permutation = shuffled(x.rank())}); }
  Operand activated(const Operand& y, double unit) {
    switch (dice_.from(0, 5)) {
      case 0: return f_.builder.relu(y);
      case 1: return f_.builder.clamp(y, {.minValue = unit * dice_.from(-100, 0), .maxValue = unit * dice_.from(0, 100)});
      default: return y;
    }
  }
  // Expects the reference backend's results. `areBytes`: results are 8-bit and do not depend on the order in which floats are
  // summed, so all instruction sets must agree.
  void expect(const std::vector<Operand>& results, bool areBytes = true) {
    options_.relative = isExact_ ? 0 : 4e-6, options_.absolute = isExact_ ? 0 : 1e-3;
    options_.integers = isExact_ ? 0 : 1;
    options_.haveSameBytes = areBytes;
    expectCpuAgrees(f_, results, options_);
  }

  Dice dice_;
  bool isExact_;
  Fixture f_;
  CpuCase options_;
};

class ActivationProduct : Bytes {
 public:
  explicit ActivationProduct(std::uint32_t seed) : Bytes(seed) {}

  void run() {
    m_ = size(), n_ = dice_.oneIn(20) ? dice_.size(300, 1500) : size(),
    k_ = dice_.oneIn(12) ? dice_.of({257U, 1000U, 4097U}) : size();
    // Some sums have about as many products as 32 bits can hold. They are computed by matmul, because gemm may compute them in
    // floats, which is not exact.
    hasMostTerms_ = isExact_ && dice_.oneIn(25);
    if (hasMostTerms_) m_ = dice_.size(1, 3), n_ = dice_.size(1, 3), k_ = dice_.of({16513U, 33024U, 33025U});
    const std::size_t rank = static_cast<std::size_t>(dice_.of({2, 2, 3, 3, 4, 4, 5, 6, 8}));
    for (std::size_t i = 2; i < rank; ++i) batch_.push_back(dice_.of({1U, 1U, 2U, 3U}));
    if (countOf(batch_) > 30 || hasMostTerms_) batch_.clear();
    const bool isGemm = batch_.empty() && !hasMostTerms_ && dice_.oneIn(2);
    const bool ta = isGemm && dice_.oneIn(2), tb = isGemm && dice_.oneIn(2);
    const Operand a = side(m_, k_, ta, 255),
                  b = dice_.oneIn(10) && m_ == n_ && !ta && !tb ? swapped(a) : side(k_, n_, tb, k_ > 250 ? 3 : 255);
    Operand y;
    if (isGemm) {
      GemmOptions options{.alpha = dice_.of({1.0, 1.0, 0.5, -2.0, 0.0, 4.0}), .aTranspose = ta, .bTranspose = tb};
      if (dice_.oneIn(6)) options.c = biasOf({m_, n_});
      y = f_.builder.gemm(a, b, options);
    } else {
      y = f_.builder.matmul(a, b);
    }
    std::vector<Operand> results;
    for (int i = dice_.from(0, 5); i > 0; --i) {
      if (isExact_ && dice_.oneIn(9)) results.push_back(y);
      y = followed(y);
    }
    results.push_back(isExact_ ? y : quantized(y, code(scale() * k_)));
    expect(results);
  }

 private:
  std::uint32_t size() { return dice_.oneIn(3) ? dice_.size(1, 4) : dice_.oneIn(6) ? dice_.size(60, 140) : dice_.size(1, 36); }
  Operand swapped(const Operand& x) {
    std::vector<std::uint32_t> permutation(x.rank());
    std::iota(permutation.begin(), permutation.end(), 0U);
    std::swap(permutation[x.rank() - 1], permutation[x.rank() - 2]);
    return f_.builder.transpose(x, {.permutation = permutation});
  }
  Operand biasOf(const Shape& shape) {
    const Code c = code(1);
    return dequantized(input(shape, c), c);
  }
  Operand side(std::uint32_t rows, std::uint32_t columns, bool isTransposed, int spread) {
    Shape shape = batch_;
    for (std::uint32_t& each : shape) each = dice_.oneIn(3) ? 1 : each;
    for (std::size_t drop = dice_.oneIn(3) ? static_cast<std::size_t>(dice_.from(0, static_cast<int>(shape.size()))) : 0;
         drop > 0; --drop)
      shape.erase(shape.begin());
    shape.push_back(isTransposed ? columns : rows), shape.push_back(isTransposed ? rows : columns);
    // Chooses the order in which the dimensions are stored.
    std::vector<std::uint32_t> permutation(shape.size());
    std::iota(permutation.begin(), permutation.end(), 0U);
    if (dice_.oneIn(2)) permutation = shuffled(shape.size());
    Shape stored(shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i) stored[permutation[i]] = shape[i];
    const Code c = code(scale(-4, 2));
    if (hasMostTerms_) return ends(shape, c);
    Operand x =
        dice_.oneIn(15)
            ? f_.constant(c.type, stored, dice_.numbers(countOf(stored), Dice::lowest(c.type) + 100, Dice::lowest(c.type) + 110))
            : input(stored, c, spread);
    const bool isEarly = dice_.oneIn(2);
    if (isEarly) x = f_.builder.transpose(x, {.permutation = permutation});
    x = dequantized(x, c);
    if (!isEarly) x = f_.builder.transpose(x, {.permutation = permutation});
    if (dice_.oneIn(6)) x = requantized(f_.builder.relu(x), c);  // becomes a lookup table
    return x;
  }
  // Returns a dequantized operand, of which each element is the smallest or the greatest code.
  Operand ends(const Shape& shape, const Code& c) {
    const int low = Dice::lowest(c.type), most = dice_.of({low, low + 255}), few = dice_.of({2, 100, 40000});
    std::vector<Number> codes(countOf(shape), most);
    for (Number& each : codes) {
      if (dice_.oneIn(few)) each = 2 * low + 255 - most;
    }
    options_.inputs["input" + std::to_string(f_.inputs)] = std::move(codes);
    return dequantized(f_.input(c.type, shape), c);
  }
  Operand followed(const Operand& y) {
    const double unit = std::ldexp(1, dice_.from(-6, 6));
    switch (dice_.from(0, 9)) {
      case 0: return f_.builder.mul(y, number(y, dice_.of({0.5, 2.0, -0.25, 0.0})));
      case 1: return f_.builder.mul(number(y, dice_.of({0.5, 2.0, -0.25, 1.0})), y);
      case 2: return f_.builder.div(y, number(y, dice_.of({0.5, 8.0, -4.0})));
      case 3: return f_.builder.linear(y, {.alpha = dice_.of({0.5, 2.0, -1.0}), .beta = dice_.of({0.0, 0.0, 1.0})});
      case 4:
      case 5: return transposed(y);
      case 6: return activated(y, unit);
      default: return isExact_ ? requantized(y, code(unit)) : y;
    }
  }

  Shape batch_;
  std::uint32_t m_ = 1, n_ = 1, k_ = 1;
  bool hasMostTerms_ = false;
};

TEST(BytesAttack, ProductsOfActivations) { runSeeds<ActivationProduct>(40); }

class TransposedConvolution : Bytes {
 public:
  explicit TransposedConvolution(std::uint32_t seed) : Bytes(seed) {}

  void run() {
    const std::uint32_t groups = dice_.of({1U, 1U, 2U, 3U, 5U, 16U}), inputs = dice_.of({1U, 1U, 2U, 3U, 4U, 9U}),
                        outputs = dice_.of({1U, 1U, 2U, 3U, 4U, 7U, 16U, 17U});
    const bool isLast = dice_.oneIn(2);
    const Shape image{dice_.size(1, 2), dice_.size(1, 7), dice_.size(1, 9), groups * inputs};
    const Code from = code();
    const Operand x = dequantized(input(isLast ? image : Shape{image[0], image[3], image[1], image[2]}, from), from);
    ConvTranspose2dOptions options{.groups = groups, .inputLayout = isLast ? InputOperandLayout::nhwc : InputOperandLayout::nchw};
    std::vector<std::uint32_t> window, strides, dilations, padding, more, sizes;
    for (int i = 0; i < 2; ++i) setAxis(window, strides, dilations, padding, more, sizes);
    if (!dice_.oneIn(6)) options.strides = strides;
    if (!dice_.oneIn(6)) options.dilations = dilations;
    if (!dice_.oneIn(6)) options.padding = padding;
    if (!options.strides) strides = {1, 1};
    if (!options.dilations) dilations = {1, 1};
    if (!options.padding) padding = {0, 0, 0, 0};
    for (std::size_t i = 0; i < 2; ++i) {  // gives up if the output would have no position
      const std::int64_t size = std::int64_t{image[i + 1] - 1} * strides[i] + std::int64_t{window[i] - 1} * dilations[i] + 1 -
                                padding[2 * i] - padding[2 * i + 1];
      if (size < 1) return;
      more[i] = strides[i] > 1 ? dice_.size(0, strides[i] - 1) : 0;
      sizes[i] = static_cast<std::uint32_t>(size) + more[i];
    }
    if (dice_.oneIn(3)) options.outputPadding = more;
    if (dice_.oneIn(4)) options.outputSizes = sizes;
    const double unit = scale(-4, 0);
    const Operand filter = makeFilter(options, {groups * inputs, outputs, window[0], window[1]}, unit);
    if (dice_.oneIn(2)) {
      std::vector<Number> bias = dice_.numbers(std::size_t{groups} * outputs, -500, 500);
      for (Number& each : bias) each = each.toDouble() * (dice_.oneIn(20) ? 0 : unit * from.scale);
      options.bias = f_.constant({groups * outputs}, bias);
    }
    Operand y = f_.builder.convTranspose2d(x, filter, options);
    for (int i = dice_.from(0, 2); i > 0; --i) y = activated(y, unit * from.scale * 100);
    std::vector<Operand> results;
    if (isExact_ && dice_.oneIn(9)) results.push_back(y);
    if (!isExact_ || !dice_.oneIn(9))
      y = quantized(y, code(isExact_ ? std::ldexp(from.scale * unit, dice_.from(3, 9)) : from.scale * unit * 77.7));
    results.push_back(y);
    expect(results, false);
  }

 private:
  void setAxis(std::vector<std::uint32_t>& window, std::vector<std::uint32_t>& strides, std::vector<std::uint32_t>& dilations,
               std::vector<std::uint32_t>& padding, std::vector<std::uint32_t>& more, std::vector<std::uint32_t>& sizes) {
    window.push_back(dice_.of({1U, 2U, 2U, 3U, 3U, 4U, 5U, 7U}));
    strides.push_back(dice_.of({1U, 2U, 2U, 3U, 4U, 6U}));
    dilations.push_back(dice_.of({1U, 1U, 1U, 2U, 3U}));
    padding.push_back(dice_.of({0U, 0U, 1U, 2U, 3U, 8U})), padding.push_back(dice_.of({0U, 0U, 1U, 2U, 5U}));
    more.push_back(0), sizes.push_back(1);
  }
  // Makes a filter in a random layout; `filter` is [inputs, outputs, height, width].
  Operand makeFilter(ConvTranspose2dOptions& options, const Shape& filter, double unit) {
    using enum ConvTranspose2dFilterOperandLayout;
    options.filterLayout = dice_.of({iohw, hwoi, ohwi});
    const auto ordered = [&](const Shape& s) {
      if (options.filterLayout == hwoi) return Shape{s[2], s[3], s[1], s[0]};
      if (options.filterLayout == ohwi) return Shape{s[1], s[2], s[3], s[0]};
      return s;
    };
    const DataType type = dice_.byte();
    const int low = Dice::lowest(type);
    const Shape blocks = ordered({1, dice_.oneIn(2) ? filter[1] : 1, 1, 1});
    std::vector<Number> scales, zeros;
    for (std::size_t i = countOf(blocks); i > 0; --i) {
      scales.emplace_back(isExact_ ? unit * dice_.of({1.0, 2.0, 0.5}) : unit * (1 + dice_.from(0, 99) * 0.01));
      zeros.emplace_back(dice_.oneIn(2) ? low + 128 : dice_.code(type));
    }
    const Shape shape = ordered(filter);
    return f_.builder.dequantizeLinear(f_.constant(type, shape, dice_.numbers(countOf(shape), low, low + 255)),
                                       f_.constant(blocks, scales), f_.constant(type, blocks, zeros));
  }
};

TEST(BytesAttack, TransposedConvolutions) { runSeeds<TransposedConvolution>(60); }

// Makes depthwise convolutions, and convolutions with small groups.
class GroupedConvolution : Bytes {
 public:
  explicit GroupedConvolution(std::uint32_t seed) : Bytes(seed) {}

  void run() {
    const bool isDepthwise = !dice_.oneIn(3);
    const std::uint32_t groups = isDepthwise
                                     ? (dice_.oneIn(2) ? dice_.size(1, 200) : dice_.of({16U, 24U, 32U, 48U, 64U, 96U, 128U}))
                                     : dice_.of({2U, 3U, 4U, 6U, 8U, 12U, 16U, 24U, 30U});
    const std::uint32_t inputs = isDepthwise ? 1 : dice_.size(1, 9),
                        outputs = isDepthwise ? dice_.of({1U, 1U, 1U, 2U, 3U, 4U, 5U}) : dice_.size(1, 9);
    const Shape image{dice_.size(1, 2), dice_.size(1, 9),
                      dice_.oneIn(15) ? dice_.size(100, 400) : dice_.size(1, groups > 60 ? 9 : 40), groups * inputs};
    const bool isLast = dice_.oneIn(2);
    const Code from = code();
    const Operand x = dequantized(input(isLast ? image : Shape{image[0], image[3], image[1], image[2]}, from), from);
    Conv2dOptions options{.groups = groups, .inputLayout = isLast ? InputOperandLayout::nhwc : InputOperandLayout::nchw};
    std::vector<std::uint32_t> window, strides, dilations, padding;
    for (const std::size_t i : {1U, 2U}) {
      window.push_back(dice_.of({1U, 2U, 3U, 3U, 3U, 5U, 5U, 7U}));
      strides.push_back(dice_.of({1U, 1U, 2U, 2U, 3U, 4U, 5U})), dilations.push_back(dice_.of({1U, 1U, 1U, 2U, 3U}));
      const std::uint32_t extent = (window.back() - 1) * dilations.back() + 1;
      padding.push_back(dice_.of({0U, 1U, window.back() / 2, extent, 7U})), padding.push_back(dice_.of({0U, 1U, extent / 2, 3U}));
      if (image[i] + padding[padding.size() - 1] + padding[padding.size() - 2] < extent) padding.back() += extent;
    }
    options.strides = strides, options.dilations = dilations, options.padding = padding;
    const double unit = scale(-4, 0);
    const Operand filter = makeFilter(options, {groups * outputs, window[0], window[1], inputs}, unit, isDepthwise);
    const double sumUnit = unit * from.scale;
    if (dice_.oneIn(2)) {
      std::vector<Number> bias = dice_.numbers(std::size_t{groups} * outputs, -900, 900);
      for (Number& each : bias) each = each.toDouble() * sumUnit;
      options.bias = f_.constant({groups * outputs}, bias);
    }
    Operand y = activated(f_.builder.conv2d(x, filter, options), sumUnit * 64);
    std::vector<Operand> results;
    if (!isExact_ || !dice_.oneIn(9)) {
      const Code to = code(isExact_ ? std::ldexp(sumUnit, dice_.from(2, 8)) : sumUnit * 77.7);
      y = quantized(y, to);
      if (dice_.oneIn(6)) results.push_back(y);
      if (dice_.oneIn(4)) {  // add a residual
        const Code other = code(to.scale);
        y = quantized(f_.builder.add(dequantized(y, to), dequantized(input(y.shape(), other), other)), code(to.scale * 2));
      }
    }
    results.push_back(y);
    expect(results);
  }

 private:
  Operand makeFilter(Conv2dOptions& options, const Shape& filter, double unit, bool isDepthwise) {
    using enum Conv2dFilterOperandLayout;
    options.filterLayout = dice_.of({ohwi, oihw, hwio, ihwo});
    const auto ordered = [&](const Shape& s) {
      switch (options.filterLayout) {
        case oihw: return Shape{s[0], s[3], s[1], s[2]};
        case hwio: return Shape{s[1], s[2], s[3], s[0]};
        case ihwo: return Shape{s[3], s[1], s[2], s[0]};
        default: return s;
      }
    };
    const DataType type = dice_.byte();
    const int low = Dice::lowest(type);
    const Shape blocks = ordered({dice_.oneIn(2) ? filter[0] : 1, 1, 1, 1});
    const bool isSymmetric = isDepthwise ? !dice_.oneIn(5) : dice_.oneIn(2);
    std::vector<Number> scales, zeros;
    for (std::size_t i = countOf(blocks); i > 0; --i) {
      scales.emplace_back(isExact_ ? unit * dice_.of({1.0, 2.0, 0.5}) : unit * (1 + dice_.from(0, 99) * 0.01));
      zeros.emplace_back(isSymmetric ? low + 128 : dice_.code(type));
    }
    const Shape shape = ordered(filter);
    return f_.builder.dequantizeLinear(f_.constant(type, shape, dice_.numbers(countOf(shape), low, low + 255)),
                                       f_.constant(blocks, scales), f_.constant(type, blocks, zeros));
  }
};

TEST(BytesAttack, GroupedConvolutions) { runSeeds<GroupedConvolution>(40); }

// Chains operations that read 8-bit values, with or without quantization between them.
class MovedImages : Bytes {
 public:
  explicit MovedImages(std::uint32_t seed) : Bytes(seed) {}

  void run() {
    unit_ = dice_.oneIn(4) ? std::ldexp(1, dice_.of({-40, -39, 39, 40, -30, 30})) : std::ldexp(1, dice_.from(-4, 4));
    if (!isExact_) unit_ = std::min(unit_ * 1.37, 0x1p40);
    const Code from = code(unit_);
    Operand y = dequantized(input({dice_.size(1, 2), dice_.size(1, 9), dice_.size(1, 9),
                                   dice_.oneIn(3) ? dice_.of({16U, 33U, 64U, 70U}) : dice_.size(1, 9)},
                                  from),
                            from);
    std::vector<Operand> results;
    for (int i = dice_.from(1, 5); i > 0; --i) {
      const bool isMean = dice_.oneIn(3);
      y = isMean ? averaged(y) : moved(y);
      if (dice_.oneIn(5)) y = activated(y, unit_);
      if (dice_.oneIn(12)) results.push_back(y);
      if (isMean || dice_.oneIn(3)) {
        const Code to = dice_.oneIn(2) ? from : code(unit_ * (isExact_ ? dice_.of({1.0, 0.5, 4.0}) : dice_.of({1.0, 0.77, 3.1})));
        if (!(to.scale >= 0x1p-40 && to.scale <= 0x1p40)) break;
        y = requantized(y, to);
      }
    }
    results.push_back(dice_.oneIn(2) ? quantized(y, code(std::clamp(unit_ * 2, 0x1p-40, 0x1p40))) : y);
    options_.specials = true;
    expectUnits(results);
  }

 private:
  // If steps are not exact, codes may be off by one in each of several steps.
  void expectUnits(const std::vector<Operand>& results) {
    options_.relative = isExact_ ? 1e-6 : 4e-6, options_.absolute = isExact_ ? 0 : unit_ * 12;
    options_.integers = isExact_ ? 0 : 6;
    options_.haveSameBytes = true;
    expectCpuAgrees(f_, results, options_);
  }
  Operand averaged(const Operand& y) {
    if (dice_.oneIn(2)) {
      std::vector<std::uint32_t> axes;
      for (std::uint32_t d = 0; d < 4; ++d) {
        if (dice_.oneIn(2)) axes.push_back(d);
      }
      if (dice_.oneIn(2)) std::reverse(axes.begin(), axes.end());
      return f_.builder.reduceMean(y, {.axes = axes, .keepDimensions = true});
    }
    if (dice_.oneIn(3)) return resampled(y, InterpolationMode::linear);
    return f_.builder.averagePool2d(y, window(y));
  }
  Operand resampled(const Operand& y, InterpolationMode mode) {
    const auto axes = dice_.of<std::vector<std::uint32_t>>({{2, 3}, {1, 2}, {0, 1}, {3, 2}, {2, 1}});
    if (isExact_)
      return f_.builder.resample2d(y, {.mode = mode, .scales = {{dice_.of({1.0F, 2.0F}), dice_.of({2.0F, 1.0F})}}, .axes = axes});
    return f_.builder.resample2d(y, {.mode = mode, .sizes = {{dice_.size(1, 12), dice_.size(1, 12)}}, .axes = axes});
  }
  Pool2dOptions window(const Operand& y) {
    Pool2dOptions options{.layout = dice_.of({InputOperandLayout::nchw, InputOperandLayout::nhwc})};
    if (dice_.oneIn(5)) return options;
    const std::size_t first = options.layout == InputOperandLayout::nchw ? 2 : 1;
    std::vector<std::uint32_t> window, strides, dilations, padding;
    for (const std::size_t i : {first, first + 1}) {
      window.push_back(dice_.of({1U, 2U, 3U, 4U, 40U})), strides.push_back(dice_.of({1U, 2U, 3U, 50U}));
      dilations.push_back(dice_.of({1U, 1U, 2U, 7U}));
      const std::uint32_t extent = (window.back() - 1) * dilations.back() + 1;
      padding.push_back(dice_.of({0U, 1U, 5U, 100U})), padding.push_back(dice_.of({0U, 1U, 5U}));
      if (y.shape()[i] + padding.back() + padding[padding.size() - 2] < extent) padding.back() = extent;
      const std::uint32_t all = y.shape()[i] + padding.back() + padding[padding.size() - 2];
      if (all > 40) strides.back() = std::max(strides.back(), all / 8);
    }
    options.windowDimensions = window, options.strides = strides, options.dilations = dilations, options.padding = padding;
    options.outputShapeRounding = dice_.of({RoundingType::floor, RoundingType::ceil});
    return options;
  }
  Operand moved(const Operand& y) {
    const Shape& s = y.shape();
    switch (dice_.from(0, 9)) {
      case 0:
      case 1: return padded(y);
      case 2: return f_.builder.reduceMax(y, {.axes = {{dice_.size(0, 3)}}, .keepDimensions = true});
      case 3: return f_.builder.reduceMin(y, {.axes = {{3, dice_.size(0, 2)}}, .keepDimensions = true});
      case 4: return f_.builder.maxPool2d(y, window(y));
      case 5: return transposed(y);
      case 6: {
        const std::uint32_t axis = dice_.size(0, 3);
        const Code other = code(unit_);
        return f_.builder.concat({y, dice_.oneIn(2) ? y : dequantized(input(s, other), other)}, axis);
      }
      case 7: {
        std::vector<std::uint32_t> starts, sizes;
        for (const std::uint32_t size : s)
          starts.push_back(dice_.size(0, size - 1)), sizes.push_back(dice_.size(1, size - starts.back()));
        return f_.builder.slice(y, starts, sizes);
      }
      case 8: return resampled(y, InterpolationMode::nearestNeighbor);
      default: return f_.builder.reverse(y, {.axes = {{dice_.size(0, 3)}}});
    }
  }
  Operand padded(const Operand& y) {
    if (countOf(y.shape()) > 4000) return y;
    std::vector<std::uint32_t> before, after;
    const PaddingMode mode = dice_.of({PaddingMode::constant, PaddingMode::constant, PaddingMode::edge, PaddingMode::reflection});
    for (const std::uint32_t size : y.shape()) {
      const std::uint32_t most = mode == PaddingMode::reflection ? size - 1 : 2;
      before.push_back(dice_.size(0, std::min(most, 2U))), after.push_back(dice_.size(0, std::min(most, 1U)));
    }
    const double value = dice_.of({0.0, -0.0, kNaN, kInfinity, -kInfinity, 1e38, -1e-38, unit_, -3 * unit_, 0.5 * unit_,
                                   1.5 * unit_, 255 * unit_, -128 * unit_, 4097 * unit_});
    return f_.builder.pad(y, before, after, {.mode = mode, .value = value});
  }

  double unit_ = 1;
};

TEST(BytesAttack, ImagesAndMoves) { runSeeds<MovedImages>(80); }

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
