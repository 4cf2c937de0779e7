// Imports operators that ONNX had as experiments before version 1.5 and that old converters wrote, and operators of com.microsoft
// that are like them.
#include <utility>

#include "onnx/read/formula.h"
#include "onnx/read/node_context.h"
#include "onnx/read/operators/matmul.h"

namespace webnn::formats::onnx {

namespace {

void importAffine(NodeContext& node) { node.set(0, input(node, 0) * node.number("alpha", 1) + node.number("beta", 0)); }

void importParametricSoftplus(NodeContext& node) {
  node.set(0, softplus(input(node, 0) * node.number("beta", 1)) * node.number("alpha", 1));
}

void importScale(NodeContext& node) { node.set(0, input(node, 0) * node.number("scale", 1)); }

void importScaledTanh(NodeContext& node) { node.set(0, tanh(input(node, 0) * node.number("beta", 1)) * node.number("alpha", 1)); }

void requireImage(const Operand& x) {
  if (x.rank() != 4) fail(ErrorKind::dataError, "its input of rank {} is no image [N, C, H, W].", x.rank());
}

// Computes x * scale + bias, with a bias per channel.
void importImageScaler(NodeContext& node) {
  const Operand x = node.operand(0);
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

// Computes the distances between the rows of A and of B as a^2 + b^2 - 2ab. They do not depend on the origin, so that the mean of
// B becomes the origin: less is cancelled then.
void importCDist(NodeContext& node) {
  const std::string_view metric = node.text("metric", "sqeuclidean");
  node.require(metric == "euclidean" || metric == "sqeuclidean", "metric {}", webnn::quoted(metric));
  if (node.rank(0) != 2 || node.rank(1) != 2)
    fail(ErrorKind::dataError, "its inputs have ranks {} and {}, not 2.", node.rank(0), node.rank(1));
  GraphBuilder& builder = node.builder;
  const Operand mean = builder.reduceMean(node.operand(1), {.axes = {{0}}, .keepDimensions = true, .label = {}});
  const Term a = input(node, 0) - Term(node, mean), b = input(node, 1) - Term(node, mean);
  const auto squares = [&](const Term& x) {
    return Term(node, builder.reduceSumSquare(x, {.axes = {{1}}, .keepDimensions = true, .label = {}}));
  };
  const Operand columns = transposeMatrices(node, squares(b));
  const Term products(node, builder.matmul(a, transposeMatrices(node, b)));
  const Term result = max(squares(a) + Term(node, columns) - products * 2, 0);
  node.set(0, metric == "euclidean" ? sqrt(result) : result);
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
  static constexpr OperatorImport kOperators[]{
      {"", "Affine", importAffine},
      {"", "Crop", importCrop},
      {"", "ImageScaler", importImageScaler},
      {"", "ParametricSoftplus", importParametricSoftplus},
      {"", "Scale", importScale},
      {"", "ScaledTanh", importScaledTanh},
      {"com.microsoft", "CDist", importCDist},
      {"com.microsoft", "ExpandDims", importExpandDims, true},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
