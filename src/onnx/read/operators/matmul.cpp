#include "onnx/read/operators/matmul.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "onnx/read/node_context.h"
#include "onnx/read/operators/fused_activation.h"
#include "onnx/read/operators/quantized/quantization.h"
#include "onnx/read/operators/window.h"

namespace webnn::formats::onnx {

namespace {

std::vector<std::uint32_t> countUp(std::size_t rank) {
  std::vector<std::uint32_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0u);
  return axes;
}

// Multiplies integer matrices by broadcast products and sums, because WebNN's matmul takes only floats. Overflow wraps.
Operand multiplyIntegers(NodeContext& node, const Operand& a, const Operand& b) {
  const DataType type = a.dataType();
  const bool isNarrow = type == DataType::int8 || type == DataType::uint8;  // reduceSum takes no 8-bit integers
  const DataType wide = isNarrow ? DataType::int32 : type;
  Shape left = a.shape(), right = b.shape();
  const std::uint32_t columns = left.back(), rows = right[right.size() - 2];
  if (columns != rows) fail(ErrorKind::dataError, "the columns of a ({}) are not as many as the rows of b ({}).", columns, rows);
  left.push_back(1);
  right.insert(right.end() - 2, 1);
  const Operand products =
      node.builder.mul(node.builder.reshape(node.cast(a, wide), left), node.builder.reshape(node.cast(b, wide), right));
  const auto depthAxis = static_cast<std::uint32_t>(products.rank() - 2);
  return node.cast(node.builder.reduceSum(products, {.axes = {depthAxis}, .label = {}}), type);
}

Operand scaled(NodeContext& node, const Operand& operand, double alpha) {
  return alpha == 1 ? operand : node.builder.mul(operand, node.scalar(operand.dataType(), alpha));
}

void importMatMul(NodeContext& node) { node.set(0, multiplyMatrices(node, node.operand(0), node.operand(1))); }

Operand gemm(NodeContext& node, const Operand& a, const Operand& b, const std::optional<Operand>& c, double alpha, double beta) {
  const bool aTranspose = node.flag("transA"), bTranspose = node.flag("transB");
  if (isFloat(a.dataType())) {
    return node.builder.gemm(
        a, b, {.c = c, .alpha = alpha, .beta = beta, .aTranspose = aTranspose, .bTranspose = bTranspose, .label = {}});
  }
  const Operand left = aTranspose ? transposeMatrices(node, a) : a, right = bTranspose ? transposeMatrices(node, b) : b;
  const bool isWhole = alpha == std::trunc(alpha) && beta == std::trunc(beta);
  node.require(isWhole, "factors of {} and {} for integers: WebNN's gemm takes floats only", alpha, beta);
  const Operand result = scaled(node, multiplyMatrices(node, left, right), alpha);
  return c ? node.builder.add(result, scaled(node, *c, beta)) : result;
}

Operand gemm(NodeContext& node) {
  return gemm(node, node.operand(0), node.operand(1), node.optionalOperand(2), node.number("alpha", 1), node.number("beta", 1));
}

void importGemm(NodeContext& node) { node.set(0, gemm(node)); }

// Applies the activation named by the attributes and sets result 0.
void setActivated(NodeContext& node, const Operand& operand) {
  std::vector<float> parameters;
  for (std::string_view name : {"activation_alpha", "activation_beta"}) {
    if (node.find(name)) parameters.push_back(static_cast<float>(node.number(name, 0)));
  }
  node.set(0, activate(node, operand, node.text("activation", ""), parameters));
}

void importFusedGemm(NodeContext& node) { setActivated(node, gemm(node)); }

// Returns a matrix operand of FusedMatMul. transBatch moves dimension 0 after the batch dimensions; trans swaps the last two.
Operand fusedOperand(NodeContext& node, std::size_t index, std::string_view trans, std::string_view transBatch) {
  Operand operand = node.operand(index);
  std::vector<std::uint32_t> permutation = countUp(operand.rank());
  if (node.flag(transBatch) && operand.rank() > 2) {
    std::rotate(permutation.begin(), permutation.begin() + 1, permutation.end() - 1);
  }
  if (node.flag(trans) && operand.rank() > 1) std::swap(permutation[permutation.size() - 2], permutation.back());
  return node.transpose(operand, permutation);
}

Operand fusedMatMul(NodeContext& node) {
  const Operand a = fusedOperand(node, 0, "transA", "transBatchA"), b = fusedOperand(node, 1, "transB", "transBatchB");
  return scaled(node, multiplyMatrices(node, a, b), node.number("alpha", 1));
}

void importFusedMatMul(NodeContext& node) { node.set(0, fusedMatMul(node)); }

void importFusedMatMulActivation(NodeContext& node) { setActivated(node, fusedMatMul(node)); }

// Reshapes a parameter so that it broadcasts to matrices. The parameter has one element per row (`rows`) or per column.
Operand forMatrices(NodeContext& node, const Operand& parameter, std::size_t rank, bool rows) {
  if (product(parameter.shape()) == 1) return node.reshape(parameter, {});
  if (parameter.rank() != 1 || !rows || rank < 2) return parameter;
  return node.reshape(parameter, {parameter.shape()[0], 1});
}

std::optional<Operand> zeroPointForMatrices(NodeContext& node, std::size_t index, std::size_t rank, bool rows) {
  if (!node.has(index)) return std::nullopt;
  return forMatrices(node, node.operand(index), rank, rows);
}

// Dequantizes a matrix. Scale and zero point have one element per row (`rows`) or per column, and may have the matrix's batch
// dimensions.
Operand dequantizeMatrix(NodeContext& node, const Operand& matrix, const Operand& scale, const std::optional<Operand>& zeroPoint,
                         bool rows) {
  const std::size_t rank = matrix.rank();
  if (rank == 0) fail(ErrorKind::dataError, "a matrix has no dimensions.");
  return dequantize(node, matrix, scale, zeroPoint, static_cast<std::uint32_t>(rows && rank > 1 ? rank - 2 : rank - 1));
}

// Returns whether the product of the dequantized matrices becomes an 8-bit GEMM, whose sums are exact: A is not constant and has
// at most one zero point; B is a constant matrix of at most kMostDepth rows, with a constant zero point, if any, for all elements
// or for each column. Dynamically quantized models cast such products to float32.
bool suitsByteGemm(NodeContext& node) {
  constexpr std::uint32_t kMostDepth = 33025;  // sums of more products of bytes may exceed int32
  const auto hasOne = [&](std::size_t zeroPoint) { return !node.has(zeroPoint) || product(node.shape(zeroPoint)) == 1; };
  if (node.rank(0) < 2 || node.rank(1) != 2 || !node.isConstant(1) || node.isConstant(0) || !hasOne(2)) return false;
  const bool isPerColumn = node.has(3) && node.rank(3) == 1;
  if (node.has(3) && !node.isConstant(3)) return false;
  return node.shape(1)[0] <= kMostDepth && (hasOne(3) || isPerColumn);
}

void importMatMulInteger(NodeContext& node) {
  const Operand a = centered(node, node.operand(0), zeroPointForMatrices(node, 2, node.rank(0), true));
  const Operand b = centered(node, node.operand(1), zeroPointForMatrices(node, 3, node.rank(1), false));
  const std::uint64_t depth = a.rank() == 0 ? 1 : a.shape().back();
  const Operand product = integerProduct(
      node, a, b, depth, [&](const Operand& left, const Operand& right) { return multiplyMatrices(node, left, right); });
  ImportedValue result{ElementType::int32, {product.shape().begin(), product.shape().end()}, product};
  if (suitsByteGemm(node)) {
    const Operand one = node.scalar(DataType::float32, 1);
    result.asFloat = multiplyMatrices(node, dequantizeMatrix(node, node.operand(0), one, node.optionalOperand(2), true),
                                      dequantizeMatrix(node, node.operand(1), one, node.optionalOperand(3), false));
  }
  node.set(0, std::move(result));
}

void importQLinearMatMul(NodeContext& node) {
  const Operand a = dequantizeMatrix(node, node.operand(0), node.operand(1), node.optionalOperand(2), true);
  const Operand b = dequantizeMatrix(node, node.operand(3), node.operand(4), node.optionalOperand(5), false);
  setQuantized(node, multiplyMatrices(node, a, b), 6, 0);
}

void setWithBias(NodeContext& node, const Operand& result, std::size_t bias) {
  node.set(0, node.has(bias) ? node.builder.add(result, node.operand(bias)) : result);
}

void importMatMulIntegerToFloat(NodeContext& node) {
  const Operand a = dequantizeMatrix(node, node.operand(0), node.operand(2), node.optionalOperand(4), false);
  const Operand b = dequantizeMatrix(node, node.operand(1), node.operand(3), node.optionalOperand(5), false);
  setWithBias(node, multiplyMatrices(node, a, b), 6);
}

void importDynamicQuantizeMatMul(NodeContext& node) {
  const DynamicallyQuantized dynamic = quantizeDynamically(node, node.operand(0));
  const Operand a = dequantize(node, dynamic.values, dynamic.scale, dynamic.zeroPoint);
  const Operand b = dequantizeMatrix(node, node.operand(1), node.operand(2), node.optionalOperand(3), false);
  setWithBias(node, multiplyMatrices(node, a, b), 4);
}

// Computes alpha * A * B + C. The scale of C is alpha * (scale of A) * (scale of B). The result is quantized if it has a scale.
void importQGemm(NodeContext& node) {
  const double alpha = node.number("alpha", 1);
  const Operand a = dequantizedInput(node, 0), b = dequantizedInput(node, 3, node.flag("transB") ? 0 : 1);
  std::optional<Operand> c;
  if (node.has(6)) {
    const Operand scale = node.builder.mul(node.reshape(node.operand(1), {}), node.operand(4));
    c = node.builder.mul(node.cast(node.operand(6), DataType::float32), scale);
    if (c->rank() == 1 && c->shape()[0] == 1) c = node.reshape(*c, {});
  }
  const Operand result = gemm(node, a, b, c, alpha, alpha);
  if (!node.has(7)) return node.set(0, result);
  setQuantized(node, result, 7, 0);
}

}  // namespace

Operand multiplyMatrices(NodeContext& node, const Operand& a, const Operand& b) {
  if (a.rank() == 0 || b.rank() == 0) fail(ErrorKind::dataError, "a factor of a matrix product has no dimensions.");
  const bool isRow = a.rank() == 1, isColumn = b.rank() == 1;
  const Operand left = isRow ? node.builder.reshape(a, {1, a.shape()[0]}) : a;
  const Operand right = isColumn ? node.builder.reshape(b, {b.shape()[0], 1}) : b;
  const Operand result = isFloat(a.dataType()) ? node.builder.matmul(left, right) : multiplyIntegers(node, left, right);
  Shape shape = result.shape();
  if (isColumn) shape.pop_back();
  if (isRow) shape.erase(shape.end() - (isColumn ? 1 : 2));
  return node.reshape(result, shape);
}

Operand transposeMatrices(NodeContext& node, const Operand& operand) {
  std::vector<std::uint32_t> permutation = countUp(operand.rank());
  if (permutation.size() < 2) fail(ErrorKind::dataError, "a matrix has {} dimensions.", permutation.size());
  std::swap(permutation[permutation.size() - 2], permutation.back());
  return node.builder.transpose(operand, {.permutation = permutation, .label = {}});
}

std::span<const OperatorImport> matmulOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "Gemm", importGemm},
      {"", "MatMul", importMatMul},
      {"", "MatMulInteger", importMatMulInteger},
      {"", "QLinearMatMul", importQLinearMatMul},
      {"com.microsoft", "DynamicQuantizeMatMul", importDynamicQuantizeMatMul},
      {"com.microsoft", "FusedGemm", importFusedGemm},
      {"com.microsoft", "FusedMatMul", importFusedMatMul},
      {"com.microsoft", "FusedMatMulActivation", importFusedMatMulActivation},
      {"com.microsoft", "MatMulIntegerToFloat", importMatMulIntegerToFloat},
      {"com.microsoft", "QGemm", importQGemm},
      {"com.microsoft", "TransposeMatMul", importFusedMatMul},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
