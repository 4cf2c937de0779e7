// Fourier transforms. Because shapes are static, each transform is a product with a constant matrix.
#include <cmath>
#include <numbers>

#include "base/checked.h"
#include "onnx/read/compose.h"
#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

namespace {

// A Fourier transform of one axis.
struct Transform {
  // inputs: elements of the axis; components: numbers per element, 1 (real) or 2 (complex).
  std::uint32_t inputs = 0, components = 0;
  std::uint32_t length = 0;  // length of the transform; further inputs are ignored
  bool inverse = false, onesided = false;

  bool isReal() const { return inverse && onesided; }  // the inverse of a one-sided spectrum is real
  std::uint32_t outputs() const { return onesided && !inverse ? length / 2 + 1 : length; }
  std::uint32_t outputComponents() const { return isReal() ? 1 : 2; }
};

// Returns the matrix entry for component c of input n and component d of output k (components: 0 real, 1 imaginary). With
// w = exp(-2 pi i k n / length), or w = exp(2 pi i k n / length) / length for inverse transforms, the entry is component d of w
// if c is 0, and of i * w if c is 1.
double weightOf(const Transform& t, std::uint32_t n, std::uint32_t c, std::uint32_t k, std::uint32_t d) {
  const std::uint32_t spectrum = t.isReal() ? t.length / 2 + 1 : t.length;
  if (n >= spectrum) return 0;
  // The angle is exact, because k * n is reduced modulo the length.
  const std::uint64_t turn = std::uint64_t{k} * n % t.length;
  const double angle = (t.inverse ? 1 : -1) * 2 * std::numbers::pi * static_cast<double>(turn) / t.length;
  const double weight = c == d ? std::cos(angle) : (d == 1 ? 1 : -1) * std::sin(angle);
  // In the inverse of a one-sided spectrum, all bins but 0 and length / 2 count twice, because their conjugates are omitted.
  const bool isTwice = t.isReal() && n != 0 && 2 * n != t.length;
  return (isTwice ? 2 : 1) * weight / (t.inverse ? t.length : 1);
}

// Transforms x [..., inputs, components] to [..., outputs, outputComponents].
Operand transformed(NodeContext& node, const Operand& x, const Transform& t) {
  const std::uint64_t rows = std::uint64_t{t.inputs} * t.components, columns = std::uint64_t{t.outputs()} * t.outputComponents();
  const std::uint64_t size = checkedMul(rows, columns).value_or(~std::uint64_t{0});
  node.spend(size);  // throws if the matrix is too large
  std::vector<double> matrix;
  matrix.reserve(static_cast<std::size_t>(size));
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      matrix.push_back(
          weightOf(t, row / t.components, row % t.components, column / t.outputComponents(), column % t.outputComponents()));
    }
  }
  Shape flat(x.shape().begin(), x.shape().end() - 2), result = flat;
  flat.push_back(static_cast<std::uint32_t>(rows));
  if (flat.size() == 1) flat.insert(flat.begin(), 1);
  result.insert(result.end(), {t.outputs(), t.outputComponents()});
  const Operand weights =
      node.constant(x.dataType(), {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns)}, matrix);
  return node.reshape(node.builder.matmul(node.reshape(x, flat), weights), result);
}

// Returns the length in the scalar input `index`, or `absent` if the node lacks this input.
std::uint32_t lengthOf(const NodeContext& node, std::size_t index, std::uint32_t absent) {
  if (!node.has(index)) return absent;
  const double length = node.number(index);
  node.require(length >= 1 && length <= static_cast<double>(kMaxDimension), "the length ({}) is not one of a tensor of WebNN",
               length);
  return static_cast<std::uint32_t>(length);
}

void requireComponents(const NodeContext& node, const Operand& x, std::size_t rank) {
  node.require(x.rank() >= rank && (x.shape().back() == 1 || x.shape().back() == 2),
               "the last dimension is not 1 (real) or 2 (complex)");
}

// The axis is an attribute before version 20, then input 2.
void importDft(NodeContext& node) {
  const Operand x = node.operand(0);
  requireComponents(node, x, 2);
  std::int64_t axis = -2;
  if (node.version < 20) axis = node.integer("axis", 1);
  if (node.version >= 20 && node.has(2)) axis = static_cast<std::int64_t>(node.number(2));
  const std::uint32_t at = node.axis(axis, x.rank());
  const auto rank = static_cast<std::uint32_t>(x.rank());
  node.require(at + 1 < rank, "the axis ({}) is that of the real and imaginary parts", axis);
  std::vector<std::uint32_t> order(rank);  // swaps the axis with dimension rank - 2, which transformed() transforms, and back
  for (std::uint32_t i = 0; i < rank; ++i) order[i] = i;
  std::swap(order[at], order[rank - 2]);
  Transform t{.inputs = x.shape()[at],
              .components = x.shape().back(),
              .inverse = node.flag("inverse"),
              .onesided = node.flag("onesided")};
  t.length = lengthOf(node, 1, t.isReal() ? std::max(1u, 2 * (t.inputs - 1)) : t.inputs);
  node.set(0, node.transpose(transformed(node, node.transpose(x, order), t), order));
}

void importStft(NodeContext& node) {
  Operand signal = node.operand(0);
  if (signal.rank() == 2) {  // as in ONNX Runtime, a real signal may lack the last dimension
    signal = node.reshape(signal, {signal.shape()[0], signal.shape()[1], 1});
  }
  requireComponents(node, signal, 3);
  node.require(signal.rank() == 3, "the signal's rank ({}) is not 3", signal.rank());
  node.require(!node.has(2) || node.rank(2) == 1, "the window's rank is not 1");
  const std::uint32_t samples = signal.shape()[1], step = lengthOf(node, 1, 1);
  const std::uint32_t length = lengthOf(node, 3, node.has(2) ? node.shape(2).at(0) : samples);
  node.require(length <= samples, "a frame ({}) is longer than the signal ({})", length, samples);
  const std::uint32_t frames = (samples - length) / step + 1;
  node.spend(std::uint64_t{frames} * length);
  std::vector<std::int64_t> places;
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    for (std::uint32_t i = 0; i < length; ++i) places.push_back(std::int64_t{frame} * step + i);
  }
  Operand x = node.builder.gather(signal, indexConstant(node, {frames, length}, places),
                                  {.axis = 1});  // [batch, frames, length, components]
  if (node.has(2)) x = node.builder.mul(x, node.reshape(node.operand(2), {length, 1}));
  node.set(0,
           transformed(
               node, x,
               {.inputs = length, .components = signal.shape()[2], .length = length, .onesided = node.flag("onesided", true)}));
}

}  // namespace

std::span<const OperatorImport> spectrumOperators() {
  static constexpr OperatorImport kOperators[]{{"", "DFT", importDft}, {"", "STFT", importStft}};
  return kOperators;
}

}  // namespace webnn::formats::onnx
