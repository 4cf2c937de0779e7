// Imports operators that ONNX had as experiments before version 1.5 and that old converters wrote, and operators of com.microsoft
// that are like them.
#include <optional>
#include <utility>

#include "onnx/read/formula.h"
#include "onnx/read/node_context.h"
#include "onnx/read/operators/matmul.h"

namespace webnn::formats::onnx {

namespace {

Term floatInput(NodeContext& node) {
  const Operand x = node.operand(0);
  if (!isFloat(x.dataType())) fail(ErrorKind::dataError, "its input has the type {}, which is no float.", name(x.dataType()));
  return {node, x};
}

void importAffine(NodeContext& node) { node.set(0, floatInput(node) * node.number("alpha", 1) + node.number("beta", 0)); }

void importParametricSoftplus(NodeContext& node) {
  node.set(0, softplus(floatInput(node) * node.number("beta", 1)) * node.number("alpha", 1));
}

void importScale(NodeContext& node) { node.set(0, floatInput(node) * node.number("scale", 1)); }

void importScaledTanh(NodeContext& node) {
  node.set(0, tanh(floatInput(node) * node.number("beta", 1)) * node.number("alpha", 1));
}

void requireImage(const Operand& x) {
  if (x.rank() != 4) fail(ErrorKind::dataError, "its input of rank {} is no image [N, C, H, W].", x.rank());
}

// Computes x * scale + bias, with a bias per channel.
void importImageScaler(NodeContext& node) {
  const Operand x = floatInput(node);
  requireImage(x);
  const std::vector<float> given = node.floats("bias").value_or(std::vector<float>{});
  if (given.size() != x.shape()[1])
    fail(ErrorKind::dataError, "bias has {} numbers, not one for each of {} channels.", given.size(), x.shape()[1]);
  const std::vector<double> bias(given.begin(), given.end());
  node.set(0, Term(node, x) * node.number("scale", 1) + Term(node, node.constant(x.dataType(), {x.shape()[1], 1, 1}, bias)));
}

// Removes `border` (left, top, right, bottom), or cuts `scale` (height, width) from the left and top border on.
void importCrop(NodeContext& node) {
  const Operand x = node.operand(0);
  requireImage(x);
  const auto border = node.integers("border"), size = node.integers("scale");
  if (!border || border->size() != 4) fail(ErrorKind::dataError, "border has not 4 numbers.");
  if (size && size->size() != 2) fail(ErrorKind::dataError, "scale has not 2 numbers.");
  const auto cut = [&](std::uint32_t dimension, std::size_t place) {
    const std::int64_t whole = x.shape()[dimension], begin = (*border)[place], rest = (*border)[place + 2];
    const auto isLess = [&](std::int64_t value) { return value >= 0 && value < whole; };
    const std::int64_t kept = size ? (*size)[dimension - 2] : isLess(begin) && isLess(rest) ? whole - begin - rest : 0;
    if (!isLess(begin) || kept < 1 || kept > whole - begin)
      fail(ErrorKind::dataError, "the cut does not lie in the {} elements of dimension {}.", whole, dimension);
    return std::pair(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(kept));
  };
  const auto [top, height] = cut(2, 1);
  const auto [left, width] = cut(3, 0);
  node.set(0, node.builder.slice(x, {0, 0, top, left}, {x.shape()[0], x.shape()[1], height, width}));
}

// Returns the squares of the distances between the rows of `a` and of `b`. Sums squares of differences, column by column, if
// there are few columns; otherwise computes a^2 + b^2 - 2ab, which is less exact for near points that are far from 0.
Operand squaredDistances(NodeContext& node, const Term& a, const Term& b) {
  constexpr std::uint32_t kFew = 16;
  GraphBuilder& builder = node.builder;
  const Operand &rows = a, columns = transposeMatrices(node, b);
  const std::uint32_t width = rows.shape()[1];
  if (width > kFew) {
    const auto squares = [&](const Operand& x, std::uint32_t axis) {
      return Term(node, builder.reduceSumSquare(x, {.axes = {{axis}}, .keepDimensions = true, .label = {}}));
    };
    return max(squares(rows, 1) + squares(columns, 0) - Term(node, builder.matmul(rows, columns)) * 2, 0);
  }
  std::optional<Term> sum;
  for (std::uint32_t k = 0; k < width; ++k) {
    const Term left(node, builder.slice(rows, {0, k}, {rows.shape()[0], 1}));
    const Term difference = left - Term(node, builder.slice(columns, {k, 0}, {1, columns.shape()[1]}));
    sum = sum ? *sum + difference * difference : difference * difference;
  }
  return *sum;
}

void importCDist(NodeContext& node) {
  const std::string_view metric = node.text("metric", "sqeuclidean");
  node.require(metric == "euclidean" || metric == "sqeuclidean", "metric {}", webnn::quoted(metric));
  const Operand a = node.operand(0), b = node.operand(1);
  if (a.rank() != 2 || b.rank() != 2 || a.shape()[1] != b.shape()[1]) {
    fail(ErrorKind::dataError, "its inputs {} and {} are not two matrices with equally many columns.", toString(a.shape()),
         toString(b.shape()));
  }
  const Term squares(node, squaredDistances(node, {node, a}, {node, b}));
  node.set(0, metric == "euclidean" ? sqrt(squares) : squares);
}

// Imports ExpandDims, whose input 1 is the place of the new dimension.
void importExpandDims(NodeContext& node) {
  std::vector<std::int64_t> dims = node.value(0).dims;
  const std::vector<std::int64_t> given = node.integers(1);
  if (given.size() != 1) fail(ErrorKind::dataError, "the axis has {} numbers, not 1.", given.size());
  dims.insert(dims.begin() + node.axis(given[0], dims.size() + 1), 1);
  setReshaped(node, dims);
}

}  // namespace

std::span<const OperatorImport> formerOperators() {
  constexpr std::int64_t kLast = 9;  // ONNX Runtime has these operators up to version 9
  static constexpr OperatorImport kOperators[]{
      {"", "Affine", importAffine, false, kLast},
      {"", "Crop", importCrop, false, kLast},
      {"", "ImageScaler", importImageScaler, false, kLast},
      {"", "ParametricSoftplus", importParametricSoftplus, false, kLast},
      {"", "Scale", importScale, false, kLast},
      {"", "ScaledTanh", importScaledTanh, false, kLast},
      {"com.microsoft", "CDist", importCDist},
      {"com.microsoft", "ExpandDims", importExpandDims, true},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
