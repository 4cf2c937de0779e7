#include "onnx/read/formula.h"
#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

namespace {

// Returns element [row, column] of each matrix. The last two dimensions are the matrices.
Term elementOf(NodeContext& node, const Operand& matrices, std::uint32_t row, std::uint32_t column) {
  std::vector<std::uint32_t> starts(matrices.rank()), sizes = matrices.shape();
  starts[matrices.rank() - 2] = row;
  starts[matrices.rank() - 1] = column;
  sizes[matrices.rank() - 2] = sizes[matrices.rank() - 1] = 1;
  return {node, node.reshape(node.builder.slice(matrices, starts, sizes), {sizes.begin(), sizes.end() - 2})};
}

void importDet(NodeContext& node) {
  const Operand x = node.operand(0);
  node.require(x.rank() >= 2 && x.shape().back() == x.shape()[x.rank() - 2], "its matrices are not square");
  const std::uint32_t size = x.shape().back();
  node.require(size <= 4, "WebNN has no determinants, and those of matrices of size {} take too many products", size);
  node.set(0, inFloat32(node, x, [&](const Term& matrices) {
             const auto at = [&](std::uint32_t row, std::uint32_t column) { return elementOf(node, matrices, row, column); };
             const auto minor = [&](std::uint32_t a, std::uint32_t b, std::uint32_t row) {
               return at(row, a) * at(row + 1, b) - at(row, b) * at(row + 1, a);
             };
             if (size == 1) return at(0, 0);
             if (size == 2) return minor(0, 1, 0);
             if (size == 3) return at(0, 0) * minor(1, 2, 1) - at(0, 1) * minor(0, 2, 1) + at(0, 2) * minor(0, 1, 1);
             // Laplace expansion: multiplies the minors of the upper two rows by the complementary minors of the lower two.
             const auto pair = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
               return minor(a, b, 0) * minor(c, d, 2);
             };
             return pair(0, 1, 2, 3) - pair(0, 2, 1, 3) + pair(0, 3, 1, 2) + pair(1, 2, 0, 3) - pair(1, 3, 0, 2) +
                    pair(2, 3, 0, 1);
           }));
}

void importBinarizer(NodeContext& node) {
  const Term x = input(node, 0);
  node.set(0, cast(x > node.number("threshold", 0), x.dataType()));
}

}  // namespace

std::span<const OperatorImport> arrayOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "Det", importDet},
      {"ai.onnx.ml", "Binarizer", importBinarizer},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
