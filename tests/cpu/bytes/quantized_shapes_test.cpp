// Tests random convolutions and products of 8-bit and 4-bit values of any shape against integer arithmetic in this file. Images
// and matrices may therefore be larger than the reference backend could compute in time. Matrices of 4-bit values in blocks are
// compared with the reference backend.
#include <algorithm>
#include <cmath>

#include "context/graph_state.h"
#include "cpu/dice.h"
#include "graph/backend.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

// --- Runs on the engine

std::vector<std::byte> runOn(Context& context, const Graph& graph, const std::vector<std::vector<std::byte>>& inputs) {
  const Graph compiled = context.compile(graph);
  std::vector<std::byte> result(byteLength(compiled.outputs()[0].second), std::byte{0xA5});
  const std::vector<std::span<const std::byte>> from(inputs.begin(), inputs.end());
  const std::span<std::byte> to = result;
  compiled.state()->executable()->run(from, {&to, 1});
  return result;
}

std::string anyIsa(Dice& dice) {
  const std::vector<std::string> isas = byteIsas();
  return isas[dice.size(0, static_cast<int>(isas.size()) - 1)];
}

Context contextWith(const std::string& isa, unsigned threads, Dice& dice) {
  return Context::create({.backend = "cpu",
                          .execution = Execution::callerThread,
                          .threads = threads,
                          .backendOptions = {{"isa", isa}, {"memory", dice.of({"watched", "apart", "planned"})}}});
}

// --- Convolutions of any shape

// A dimension of an image, and the window that slides along it.
struct Axis {
  std::uint32_t size = 1, window = 1, stride = 1, dilation = 1, before = 0, after = 0;
  std::uint32_t count() const { return (size + before + after - (window - 1) * dilation - 1) / stride + 1; }
  std::string text() const {
    return std::to_string(size) + " w" + std::to_string(window) + " s" + std::to_string(stride) + " d" +
           std::to_string(dilation) + " p" + std::to_string(before) + "," + std::to_string(after);
  }
};

// Returns an axis for a filter of three taps with stride 1.
Axis axisOfThree(Dice& dice) {
  Axis axis{.size = dice.size(1, dice.of({5, 9, 20})), .window = 3, .before = dice.size(0, 2), .after = dice.size(0, 2)};
  while (axis.size + axis.before + axis.after < 3) ++axis.after;
  return axis;
}

// Returns the index of an element of an image, whose channels come first or last.
std::size_t index(const Shape& shape, bool isFirst, std::size_t n, std::size_t c, std::size_t y, std::size_t x) {
  return isFirst ? ((n * shape[1] + c) * shape[2] + y) * shape[3] + x : ((n * shape[1] + y) * shape[2] + x) * shape[3] + c;
}

std::vector<int> asInts(const std::vector<Number>& numbers) {
  std::vector<int> ints;
  for (const Number& number : numbers) ints.push_back(static_cast<int>(number.toDouble()));
  return ints;
}

// A random convolution of 8-bit values. Sums are exact in float32 unless their codes saturate, and scales are powers of two.
// Codes are therefore integers divided by powers of two, rounded half to even.
class ConvCase {
 public:
  // `isThree`: 3 x 3 taps of stride 1 and at least 16 channels, for which some kernels use Winograd's algorithm.
  explicit ConvCase(std::uint32_t seed, bool isThree = false) : dice_(seed), isThree_(isThree) {}

  void run() {
    choose();
    if (isTooLarge()) return;
    fill();
    const Graph graph = build();
    std::vector<std::vector<std::byte>> inputs{pack({inputType_, imageShape()}, image_)};
    if (hasAddend_) inputs.push_back(pack({inputType_, outputShape()}, {addend_.begin(), addend_.end()}));
    imageInts_ = asInts(image_), filterInts_ = asInts(filter_), zeroInts_ = asInts(filterZeros_), biasInts_ = asInts(biases_);
    for (int i = 0; i < 3; ++i) {
      if (!runOnce(graph, inputs)) return;
    }
  }

 private:
  std::string text() const {
    return "batch " + std::to_string(batch_) + " groups " + std::to_string(groups_) + " " + std::to_string(inputs_) + "->" +
           std::to_string(outputs_) + " y " + axes_[0].text() + " x " + axes_[1].text() + " zero " + std::to_string(inputZero_) +
           toString(OperandDescriptor{inputType_, {}}) + (isFirst_ ? " nchw" : " nhwc");
  }
  bool runOnce(const Graph& graph, const std::vector<std::vector<std::byte>>& inputs) {
    const std::string isa = anyIsa(dice_);
    const unsigned threads = dice_.size(1, 7);
    Context context = contextWith(isa, threads, dice_);
    const std::vector<Number> actual = unpack({outputType_, outputShape()}, runOn(context, graph, inputs));
    const std::size_t depth = std::size_t{inputs_} * axes_[0].window * axes_[1].window,
                      tried = std::min<std::size_t>(actual.size(), 1000000 / depth + 1);
    for (std::size_t i = 0; i < tried; ++i) {
      const std::size_t at = tried == actual.size() ? i : dice_.size(0, static_cast<int>(actual.size()) - 1);
      if (actual[at].toDouble() == codeAt(at)) continue;
      ADD_FAILURE() << isa << " " << threads << " " << text() << " at " << at << ": " << actual[at].toDouble() << " for "
                    << codeAt(at);
      return false;
    }
    return true;
  }
  void choose() {
    batch_ = dice_.oneIn(3) ? dice_.size(2, 5) : 1;
    const int kind = dice_.from(0, 3);
    groups_ = kind < 2 ? 1 : dice_.of({2U, 3U, 4U, 5U, 7U, 8U, 16U, 17U, 32U, 33U, 64U, 65U, 96U, 130U, 257U, 321U});
    const bool isDepthwise = kind == 3;
    inputs_ = isDepthwise ? 1 : kind == 0 ? dice_.size(1, 5) : dice_.size(1, 40);
    outputs_ = isDepthwise && dice_.oneIn(2) ? 1 : dice_.size(1, 40);
    if (kind < 2 && dice_.oneIn(3)) outputs_ = dice_.size(41, 200);
    if (kind == 1 && dice_.oneIn(6)) inputs_ = dice_.size(41, 3000);
    if (kind == 1 && dice_.oneIn(9)) outputs_ = dice_.size(200, 3000);
    const int most = dice_.oneIn(10) ? 300 : dice_.of({3, 9, 20, 70});
    for (Axis& axis : axes_) {
      axis.size = dice_.size(1, most);
      axis.window = dice_.of({1U, 1U, 2U, 3U, 3U, 4U, 5U, 7U}), axis.stride = dice_.of({1U, 1U, 1U, 2U, 3U, 5U, 90U});
      axis.dilation = dice_.of({1U, 1U, 1U, 2U, 3U, 11U});
      axis.before = dice_.of({0U, 0U, 1U, 2U, 3U, 30U}), axis.after = dice_.of({0U, 0U, 1U, 2U, 4U, 30U});
      while (axis.size + axis.before + axis.after < (axis.window - 1) * axis.dilation + 1)
        dice_.oneIn(2) ? ++axis.before : ++axis.after;
    }
    if (dice_.oneIn(4)) axes_[0].window = axes_[1].window = 1;
    if (isThree_) {
      groups_ = 1, inputs_ = dice_.size(16, dice_.oneIn(4) ? 300 : 70), outputs_ = dice_.size(16, 60);
      for (Axis& axis : axes_) axis = axisOfThree(dice_);
    }
    isFirst_ = dice_.oneIn(2);
    layout_ = dice_.of({Conv2dFilterOperandLayout::oihw, Conv2dFilterOperandLayout::hwio, Conv2dFilterOperandLayout::ohwi,
                        Conv2dFilterOperandLayout::ihwo});
    inputType_ = dice_.byte(), filterType_ = dice_.byte(), outputType_ = dice_.byte();
    inputZero_ = dice_.code(inputType_), outputZero_ = dice_.code(outputType_);
    hasRelu_ = dice_.oneIn(4), hasAddend_ = dice_.oneIn(3);
  }
  bool isTooLarge() {
    const std::size_t depth = std::size_t{inputs_} * axes_[0].window * axes_[1].window, outputs = countOf(outputShape());
    const std::size_t most = dice_.oneIn(40) ? 6000000 : 60000;  // maximum number of elements
    return depth > 33025 || outputs * depth > 60 * most ||
           std::max({outputs, countOf(imageShape()), countOf(filterShape())}) > most;
  }
  Shape imageShape() const {
    const std::uint32_t channels = groups_ * inputs_;
    return isFirst_ ? Shape{batch_, channels, axes_[0].size, axes_[1].size}
                    : Shape{batch_, axes_[0].size, axes_[1].size, channels};
  }
  Shape outputShape() const {
    const std::uint32_t channels = groups_ * outputs_;
    return isFirst_ ? Shape{batch_, channels, axes_[0].count(), axes_[1].count()}
                    : Shape{batch_, axes_[0].count(), axes_[1].count(), channels};
  }
  Shape filterShape() const {
    const std::uint32_t out = groups_ * outputs_, h = axes_[0].window, w = axes_[1].window;
    switch (layout_) {
      case Conv2dFilterOperandLayout::oihw: return {out, inputs_, h, w};
      case Conv2dFilterOperandLayout::hwio: return {h, w, inputs_, out};
      case Conv2dFilterOperandLayout::ohwi: return {out, h, w, inputs_};
      default: return {inputs_, h, w, out};
    }
  }
  std::size_t filterIndex(std::size_t out, std::size_t in, std::size_t y, std::size_t x) const {
    const std::size_t outs = groups_ * outputs_, h = axes_[0].window, w = axes_[1].window;
    switch (layout_) {
      case Conv2dFilterOperandLayout::oihw: return ((out * inputs_ + in) * h + y) * w + x;
      case Conv2dFilterOperandLayout::hwio: return ((y * w + x) * inputs_ + in) * outs + out;
      case Conv2dFilterOperandLayout::ohwi: return ((out * h + y) * w + x) * inputs_ + in;
      default: return ((in * h + y) * w + x) * outs + out;
    }
  }
  void fill() {
    const int low = Dice::lowest(inputType_), lowFilter = Dice::lowest(filterType_);
    image_ = dice_.numbers(countOf(imageShape()), low, low + 255);
    filter_ = dice_.numbers(countOf(filterShape()), lowFilter, lowFilter + 255);
    if (dice_.oneIn(5)) {  // only the smallest and the largest codes
      for (Number& number : image_) number = low + 255 * dice_.from(0, 1);
      for (Number& number : filter_) number = lowFilter + 255 * dice_.from(0, 1);
    }
    const std::size_t outputs = groups_ * outputs_;
    filterZeros_.assign(dice_.oneIn(2) ? 1 : outputs, lowFilter + 128);
    if (dice_.oneIn(2)) {
      for (Number& zero : filterZeros_) zero = dice_.code(filterType_);
    }
    if (dice_.oneIn(2)) biases_ = dice_.numbers(outputs, -30000, 30000);
    shift_ = dice_.from(0, 16);
    if (!hasAddend_) return;
    for (std::size_t i = countOf(outputShape()); i > 0; --i) addend_.push_back(dice_.from(low, low + 255));
    addendShift_ = shift_ + dice_.from(-3, 3), totalShift_ = shift_ + dice_.from(-1, 3);
    addendZero_ = dice_.code(inputType_), totalZero_ = dice_.code(outputType_);
  }
  Graph build() {
    GraphBuilder& b = f_.builder;
    const Shape ones(4, 1);
    const Operand x = b.dequantizeLinear(f_.input(inputType_, imageShape()), f_.constant(ones, {0.5}),
                                         f_.constant(inputType_, ones, {inputZero_}));
    Shape blocks = ones;
    const bool isLast = layout_ == Conv2dFilterOperandLayout::hwio || layout_ == Conv2dFilterOperandLayout::ihwo;
    blocks[isLast ? 3 : 0] = static_cast<std::uint32_t>(filterZeros_.size());
    const Operand filter = b.dequantizeLinear(f_.constant(filterType_, filterShape(), filter_), f_.constant(blocks, {2}),
                                              f_.constant(filterType_, blocks, filterZeros_));
    Conv2dOptions options{.groups = groups_};
    const std::vector<std::uint32_t> padding{axes_[0].before, axes_[0].after, axes_[1].before, axes_[1].after};
    options.padding = padding;
    options.strides = std::vector{axes_[0].stride, axes_[1].stride},
    options.dilations = std::vector{axes_[0].dilation, axes_[1].dilation};
    options.inputLayout = isFirst_ ? InputOperandLayout::nchw : InputOperandLayout::nhwc, options.filterLayout = layout_;
    if (!biases_.empty()) options.bias = f_.constant({groups_ * outputs_}, biases_);
    Operand y = b.conv2d(x, filter, options);
    if (hasRelu_) y = b.relu(y);
    const Operand scale = f_.constant(ones, {std::ldexp(1, shift_)}), zero = f_.constant(outputType_, ones, {outputZero_});
    y = b.quantizeLinear(y, scale, zero);
    if (hasAddend_) {
      const Operand addend =
          b.dequantizeLinear(f_.input(inputType_, outputShape()), f_.constant(ones, {std::ldexp(1, addendShift_)}),
                             f_.constant(inputType_, ones, {addendZero_}));
      y = b.quantizeLinear(b.add(b.dequantizeLinear(y, scale, zero), addend), f_.constant(ones, {std::ldexp(1, totalShift_)}),
                           f_.constant(outputType_, ones, {totalZero_}));
    }
    return b.build({{"y", y}});
  }
  // Returns the expected code at a position in the output.
  double codeAt(std::size_t at) const {
    const Shape in = imageShape(), out = outputShape();
    const std::size_t d = at % out[3], c = at / out[3] % out[2], b = at / out[3] / out[2] % out[1],
                      n = at / out[3] / out[2] / out[1];
    const std::size_t channel = isFirst_ ? b : d, y = isFirst_ ? c : b, x = isFirst_ ? d : c;
    std::int64_t sum = biasInts_.empty() ? 0 : biasInts_[channel];
    const int zero = zeroInts_[zeroInts_.size() == 1 ? 0 : channel];
    for (std::size_t i = 0; i < axes_[0].window; ++i) {
      const std::int64_t iy = static_cast<std::int64_t>(y * axes_[0].stride + i * axes_[0].dilation) - axes_[0].before;
      if (iy < 0 || iy >= axes_[0].size) continue;
      for (std::size_t j = 0; j < axes_[1].window; ++j) {
        const std::int64_t ix = static_cast<std::int64_t>(x * axes_[1].stride + j * axes_[1].dilation) - axes_[1].before;
        if (ix < 0 || ix >= axes_[1].size) continue;
        for (std::size_t k = 0; k < inputs_; ++k) {
          const std::size_t pixel = index(in, isFirst_, n, channel / outputs_ * inputs_ + k, static_cast<std::size_t>(iy),
                                          static_cast<std::size_t>(ix));
          sum += std::int64_t{imageInts_[pixel] - inputZero_} * (filterInts_[filterIndex(channel, k, i, j)] - zero);
        }
      }
    }
    if (hasRelu_) sum = std::max<std::int64_t>(sum, 0);
    const auto codeOf = [&](double value, int shift, int zeroPoint) {
      const int low = Dice::lowest(outputType_);
      return std::clamp<double>(std::nearbyint(std::ldexp(value, -shift)) + zeroPoint, low, low + 255);
    };
    const double code = codeOf(static_cast<double>(sum), shift_, outputZero_);
    if (!hasAddend_) return code;
    return codeOf(std::ldexp(code - outputZero_, shift_) + std::ldexp(addend_[at] - addendZero_, addendShift_), totalShift_,
                  totalZero_);
  }

  Dice dice_;
  Fixture f_;
  std::uint32_t batch_ = 1, groups_ = 1, inputs_ = 1, outputs_ = 1;  // inputs_ and outputs_ count channels of one group
  Axis axes_[2];
  bool isThree_ = false;
  bool isFirst_ = false, hasRelu_ = false, hasAddend_ = false;
  Conv2dFilterOperandLayout layout_ = Conv2dFilterOperandLayout::oihw;
  DataType inputType_ = DataType::uint8, filterType_ = DataType::uint8, outputType_ = DataType::uint8;
  int inputZero_ = 0, outputZero_ = 0, shift_ = 0;
  int addendShift_ = 0, addendZero_ = 0, totalShift_ = 0, totalZero_ = 0;
  std::vector<Number> image_, filter_, filterZeros_, biases_;
  std::vector<int> imageInts_, filterInts_, zeroInts_, biasInts_, addend_;
};

struct ThreeCase : ConvCase {
  explicit ThreeCase(std::uint32_t seed) : ConvCase(seed, true) {}
};

// --- Products of any shape

// A product with exact sums and scales that are powers of two, as in ConvCase. Only some elements of a large result are checked.
class GemmCase {
 public:
  explicit GemmCase(std::uint32_t seed) : dice_(seed) {}

  void run() {
    choose();
    if (std::size_t{m_} * k_ > 9000000 || std::size_t{n_} * k_ > 6000000 || std::size_t{m_} * n_ * k_ > 4000000000) return;
    const int low = Dice::lowest(type_),
              lowWeight = isNibble() ? (weightType_ == DataType::int4 ? -8 : 0) : Dice::lowest(weightType_);
    const int codes = isNibble() ? 15 : 255;
    image_ = ints(std::size_t{m_} * k_, isRaw_ ? zero_ - 9 : low, isRaw_ ? zero_ + 9 : low + 255);
    weights_ = ints(std::size_t{k_} * n_, lowWeight, lowWeight + codes);
    zeros_ = ints(dice_.oneIn(2) ? 1 : n_, lowWeight, lowWeight + codes);
    biases_ = ints(n_, hasBias_ ? -9999 : 0, hasBias_ ? 9999 : 0);
    const Graph graph = build();
    std::vector<Number> given(image_.begin(), image_.end());
    if (isFloat_) {
      for (Number& number : given) number = number.toDouble() - zero_;
    }
    const std::vector<std::byte> input = pack({isFloat_ ? DataType::float32 : type_, {m_, k_}}, given);
    const std::string isa = anyIsa(dice_);
    const unsigned threads = dice_.size(1, 7);
    Context context = contextWith(isa, threads, dice_);
    const std::vector<Number> actual = unpack({isBack_ ? DataType::float32 : type_, {m_, n_}}, runOn(context, graph, {input}));
    const std::size_t all = std::size_t{m_} * n_, tried = std::min<std::size_t>(all, 1000000 / k_ + 1);
    for (std::size_t i = 0; i < tried; ++i) {
      const std::size_t at = tried == all ? i : dice_.size(0, static_cast<int>(all) - 1);
      if (actual[at].toDouble() == resultAt(at / n_, at % n_)) continue;
      ADD_FAILURE() << isa << " " << threads << " threads " << m_ << "x" << n_ << "x" << k_ << " at " << at << ": "
                    << actual[at].toDouble() << " for " << resultAt(at / n_, at % n_);
      return;
    }
  }

 private:
  bool isNibble() const { return bitsPerElement(weightType_) == 4; }
  std::vector<int> ints(std::size_t count, int low, int high) {
    std::vector<int> result(count);
    for (int& number : result) number = dice_.from(low, high);
    return result;
  }
  void choose() {
    const int kind = dice_.from(0, 19);
    m_ = kind == 0 ? dice_.size(1000, 9000) : dice_.oneIn(3) ? 1 : dice_.size(1, 60);
    n_ = kind == 1 ? dice_.size(1000, 9000) : dice_.size(1, 140);
    k_ = kind == 2 ? dice_.size(1000, 33025) : kind == 0 ? dice_.size(1, 2000) : dice_.size(1, 200);
    type_ = dice_.byte(), zero_ = dice_.code(type_), resultZero_ = dice_.code(type_);
    weightType_ = dice_.oneIn(4) ? dice_.of({DataType::int4, DataType::uint4}) : dice_.byte();
    isTransposed_ = dice_.oneIn(2), hasBias_ = dice_.oneIn(2), hasRelu_ = dice_.oneIn(3), isBack_ = dice_.oneIn(3),
    isFloat_ = dice_.oneIn(3);
    shift_ = dice_.from(0, k_ > 250 ? 16 : 12);
    isRaw_ = isNibble() && dice_.oneIn(2);
    if (isRaw_) isFloat_ = isBack_ = true;
  }
  Graph build() {
    GraphBuilder& b = f_.builder;
    const Shape ones{1, 1};
    Operand x = f_.input(isFloat_ ? DataType::float32 : type_, {m_, k_});
    const Operand one = f_.constant(ones, {1}), zero = f_.constant(type_, ones, {zero_});
    if (isFloat_ && !isRaw_) x = b.quantizeLinear(x, one, zero);
    if (!isRaw_) x = b.dequantizeLinear(x, one, zero);
    const auto count = static_cast<std::uint32_t>(zeros_.size());
    const Shape blocks = isTransposed_ ? Shape{count, 1} : Shape{1, count};
    const Operand weights =
        f_.constant(weightType_, isTransposed_ ? Shape{n_, k_} : Shape{k_, n_}, {weights_.begin(), weights_.end()});
    const Operand matrix =
        b.dequantizeLinear(weights, f_.constant(blocks, {1}), f_.constant(weightType_, blocks, {zeros_.begin(), zeros_.end()}));
    GemmOptions options{.bTranspose = isTransposed_};
    if (hasBias_) options.c = f_.constant({n_}, {biases_.begin(), biases_.end()});
    Operand y = b.gemm(x, matrix, options);
    if (hasRelu_) y = b.relu(y);
    if (isRaw_) return b.build({{"y", y}});
    const Operand back = f_.constant(ones, {std::ldexp(1, shift_)}), resultZero = f_.constant(type_, ones, {resultZero_});
    y = b.quantizeLinear(y, back, resultZero);
    if (isBack_) y = b.dequantizeLinear(y, back, resultZero);
    return b.build({{"y", y}});
  }
  double resultAt(std::size_t row, std::size_t column) const {
    std::int64_t sum = biases_[column];
    for (std::size_t i = 0; i < k_; ++i) {
      const int weight = weights_[isTransposed_ ? column * k_ + i : i * n_ + column];
      sum += std::int64_t{image_[row * k_ + i] - zero_} * (weight - zeros_[zeros_.size() == 1 ? 0 : column]);
    }
    if (hasRelu_) sum = std::max<std::int64_t>(sum, 0);
    if (isRaw_) return static_cast<double>(sum);
    const int low = Dice::lowest(type_);
    const double code =
        std::clamp<double>(std::nearbyint(std::ldexp(static_cast<double>(sum), -shift_)) + resultZero_, low, low + 255);
    return isBack_ ? std::ldexp(code - resultZero_, shift_) : code;
  }

  Dice dice_;
  Fixture f_;
  std::uint32_t m_ = 1, n_ = 1, k_ = 1;
  DataType type_ = DataType::uint8, weightType_ = DataType::uint8;
  int zero_ = 0, resultZero_ = 0, shift_ = 0;
  bool isTransposed_ = false, hasBias_ = false, hasRelu_ = false, isBack_ = false, isFloat_ = false, isRaw_ = false;
  std::vector<int> image_, weights_, zeros_, biases_;
};

// --- 4-bit matrices

// A product of rows of small whole numbers with a 4-bit matrix. Scales are powers of two.
class Int4Case {
 public:
  explicit Int4Case(std::uint32_t seed) : dice_(seed) {}

  void run() {
    const std::uint32_t m = dice_.oneIn(3) ? 1 : dice_.size(1, 40), n = dice_.size(1, dice_.of({5, 40, 130})),
                        others = dice_.size(1, 20);
    blockK_ = dice_.oneIn(3) ? dice_.of({8U, 16U, 24U, 32U, 64U, 256U, 264U}) : dice_.size(1, 70);
    k_ = blockK_ * dice_.size(1, blockK_ > 64 ? 2 : 6);
    if (dice_.oneIn(4)) k_ = blockK_ = dice_.size(1, 600);
    isTransposed_ = dice_.oneIn(2);
    type_ = dice_.of({DataType::int4, DataType::uint4});
    const std::vector<std::uint32_t> widths = divisors(n);
    blockN_ = dice_.oneIn(3) ? widths[dice_.size(0, static_cast<int>(widths.size()) - 1)] : dice_.oneIn(4) ? n : 1;
    const Operand x = f_.input({m, k_});
    std::vector<Operand> results{product(x, n)};
    if (dice_.oneIn(3)) results.push_back(product(x, n));
    if (dice_.oneIn(3)) {  // uses the same weights again
      results.push_back(multiplied(dice_.oneIn(2) ? x : f_.input({others, k_}), matrix_));
    }
    CpuCase options{.low = -1, .high = 1, .relative = 0, .absolute = 0};
    options.inputs["input0"] = dice_.numbers(std::size_t{m} * k_, -9, 9);
    options.inputs["input1"] = dice_.numbers(std::size_t{others} * k_, -9, 9);
    expectCpuAgrees(f_, results, options);
  }

 private:
  static std::vector<std::uint32_t> divisors(std::uint32_t n) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = 1; i <= n; ++i) {
      if (n % i == 0) result.push_back(i);
    }
    return result;
  }
  Operand product(const Operand& x, std::uint32_t n) {
    const int low = type_ == DataType::int4 ? -8 : 0;
    const Shape shape = isTransposed_ ? Shape{n, k_} : Shape{k_, n};
    const Shape blocks = isTransposed_ ? Shape{n / blockN_, k_ / blockK_} : Shape{k_ / blockK_, n / blockN_};
    std::vector<Number> scales;
    for (std::size_t i = countOf(blocks); i > 0; --i) scales.emplace_back(std::ldexp(dice_.oneIn(9) ? -1 : 1, dice_.from(-4, 2)));
    const int zero = type_ == DataType::int4 ? 0 : 8;
    matrix_ = f_.builder.dequantizeLinear(
        f_.constant(type_, shape, dice_.numbers(countOf(shape), low, low + 15)), f_.constant(blocks, scales),
        f_.constant(type_, blocks, dice_.oneIn(2) ? std::vector<Number>{zero} : dice_.numbers(countOf(blocks), low, low + 15)));
    if (dice_.oneIn(8)) matrix_ = f_.builder.transpose(matrix_), isTransposed_ = !isTransposed_;
    return multiplied(x, matrix_);
  }
  Operand multiplied(const Operand& x, const Operand& matrix) {
    GemmOptions options{.bTranspose = isTransposed_};
    const std::uint32_t n = matrix.shape()[isTransposed_ ? 0 : 1];
    if (dice_.oneIn(3)) options.c = f_.constant({dice_.oneIn(3) ? 1 : n}, {3});
    if (dice_.oneIn(6)) options.alpha = dice_.of({0.5, -1.0, 0.0});
    Operand y = f_.builder.gemm(x, matrix, options);
    if (dice_.oneIn(4)) y = f_.builder.relu(y);
    return y;
  }

  Dice dice_;
  Fixture f_;
  std::uint32_t k_ = 1, blockK_ = 1, blockN_ = 1;
  bool isTransposed_ = false;
  DataType type_ = DataType::int4;
  Operand matrix_;
};

// --- Any factors

// A product with scales of any size. Results equal those of exact sums, but may be off by one near a tie.
class FactorCase {
 public:
  explicit FactorCase(std::uint32_t seed) : dice_(seed) {}

  void run() {
    const bool isGemm = dice_.oneIn(2);
    const std::uint32_t k = dice_.of({1U, 3U, 16U, 65U, 300U, 1000U}), n = dice_.of({1U, 3U, 16U, 17U, 40U}),
                        m = dice_.size(1, 9);
    const DataType type = dice_.byte(), weightType = dice_.byte(), resultType = dice_.byte();
    const int zero = dice_.code(type), resultZero = dice_.code(resultType), low = Dice::lowest(weightType);
    const double scale = random(), resultScale = random() * std::ldexp(1, dice_.from(-8, 14));
    const std::uint32_t scales = dice_.oneIn(2) ? 1 : n;
    std::vector<Number> weightScales, biases;
    for (std::uint32_t i = 0; i < scales; ++i) weightScales.emplace_back(random());
    const std::vector<Number> zeros =
        dice_.oneIn(2) ? dice_.numbers(scales, low, low + 255) : std::vector<Number>(scales, low + 128);
    const std::vector<Number> weights = dice_.numbers(std::size_t{n} * k, low, low + 255);
    const int lowInput = Dice::lowest(type), lowResult = Dice::lowest(resultType);
    const std::vector<Number> image = dice_.numbers(std::size_t{m} * k, lowInput, lowInput + 255);
    const bool hasBias = dice_.oneIn(2), cancels = dice_.oneIn(2);
    const auto sumOf = [&](std::size_t row, std::size_t column) {
      double sum = 0;
      for (std::size_t j = 0; j < k; ++j)
        sum += (image[row * k + j].toDouble() - zero) *
               (weights[column * k + j].toDouble() - zeros[scales == 1 ? 0 : column].toDouble());
      return sum;
    };
    const int size = dice_.oneIn(4) ? dice_.from(8, 30) : dice_.from(0, 12);
    for (std::uint32_t i = 0; hasBias && i < n; ++i)
      biases.emplace_back(
          static_cast<double>(static_cast<float>(dice_.from(-999999, 999999) * 1e-6 * std::ldexp(resultScale, size))));
    const Shape ones(isGemm ? 2 : 4, 1), filterShape = isGemm ? Shape{n, k} : Shape{n, 1, 1, k};
    for (std::uint32_t i = 0; hasBias && cancels && i < n; ++i)
      biases[i] = static_cast<double>(static_cast<float>(dice_.from(-100, 100) * resultScale -
                                                         sumOf(0, i) * scale * weightScales[scales == 1 ? 0 : i].toDouble()));
    Shape blocks = ones;
    blocks[0] = scales;
    const Shape shape = isGemm ? Shape{m, k} : Shape{1, m, 1, k};
    Operand x = f_.builder.dequantizeLinear(f_.input(type, shape), f_.constant(ones, {scale}), f_.constant(type, ones, {zero}));
    const Operand filter = f_.builder.dequantizeLinear(f_.constant(weightType, filterShape, weights),
                                                       f_.constant(blocks, weightScales), f_.constant(weightType, blocks, zeros));
    std::optional<Operand> bias;
    if (hasBias) bias = f_.constant({n}, biases);
    Operand y =
        isGemm ? f_.builder.gemm(x, filter, {.c = bias, .bTranspose = true})
               : f_.builder.conv2d(
                     x, filter,
                     {.inputLayout = InputOperandLayout::nhwc, .filterLayout = Conv2dFilterOperandLayout::ohwi, .bias = bias});
    y = f_.builder.quantizeLinear(y, f_.constant(ones, {resultScale}), f_.constant(resultType, ones, {resultZero}));
    const Graph graph = f_.builder.build({{"y", y}});
    Context context = Context::create(
        {.backend = "cpu", .execution = Execution::callerThread, .threads = 1, .backendOptions = {{"isa", anyIsa(dice_)}}});
    const std::vector<Number> actual = unpack({resultType, y.shape()}, runOn(context, graph, {pack({type, shape}, image)}));
    for (std::size_t i = 0; i < actual.size(); ++i) {
      const std::size_t row = i / n, column = i % n, block = scales == 1 ? 0 : column;
      const double sum = sumOf(row, column);
      long double exact = static_cast<long double>(sum) * scale * weightScales[block].toDouble();
      if (hasBias) exact += biases[column].toDouble();
      exact = exact / resultScale + resultZero;
      const auto clampedTo = [&](long double v) {
        return static_cast<double>(std::clamp<long double>(v, lowResult, lowResult + 255));
      };
      const double off = std::abs(actual[i].toDouble() - clampedTo(exact));
      const double big = hasBias ? std::abs(biases[column].toDouble() / resultScale) : 0;
      if (off <= 0.5 + 0x1p-14 + big * 0x1p-23) continue;
      ADD_FAILURE() << (isGemm ? "gemm" : "conv") << " off by " << off << " sum " << sum << " bias " << big << " k " << k
                    << " result " << clampedTo(exact);
      return;
    }
  }

 private:
  double random() {
    return static_cast<double>(static_cast<float>(std::ldexp(1 + dice_.from(0, 8388607) * 0x1p-23, dice_.from(-9, 3))));
  }
  Dice dice_;
  Fixture f_;
};

TEST(QuantizedShapes, Convolutions) { runSeeds<ConvCase>(14); }
TEST(QuantizedShapes, ConvolutionsOf3x3Taps) { runSeeds<ThreeCase>(20); }
TEST(QuantizedShapes, Products) { runSeeds<GemmCase>(40); }
TEST(QuantizedShapes, MatricesOf4BitsInBlocks) { runSeeds<Int4Case>(15); }
TEST(QuantizedShapes, FactorsRoundOnce) { runSeeds<FactorCase>(40); }

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
