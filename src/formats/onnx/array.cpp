// Operators on whole arrays that belong to no family of WebNN.
#include "base/checked.h"
#include "formats/onnx/formula.h"
#include "formats/onnx/node_context.h"

namespace webnn::formats::onnx {

namespace {

// Since a window or a padding is in the middle, the odd element goes after it.
void importCenterCropPad(NodeContext& node) {
  const Operand x = node.operand(0);
  const std::vector<std::int64_t> sizes = node.integers(1);
  std::vector<std::int64_t> given(x.rank());
  for (std::size_t i = 0; i < given.size(); ++i) given[i] = static_cast<std::int64_t>(i);
  const std::vector<std::uint32_t> axes = node.axes(node.integers("axes").value_or(given), x.rank());
  if (sizes.size() != axes.size()) fail(ErrorKind::dataError, "its sizes ({}) are not as many as its axes ({}).", sizes.size(), axes.size());
  std::vector<std::uint32_t> starts(x.rank()), window = x.shape(), before(x.rank()), after(x.rank());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::uint32_t axis = axes[i], from = x.shape()[axis];
    node.require(sizes[i] >= 1 && sizes[i] <= static_cast<std::int64_t>(kMaxDimension), "a size ({}) is not between 1 and {}, as those of WebNN are",
                 sizes[i], kMaxDimension);
    const auto to = static_cast<std::uint32_t>(sizes[i]);
    window[axis] = std::min(from, to);
    starts[axis] = from > to ? (from - to) / 2 : 0;
    before[axis] = to > from ? (to - from) / 2 : 0;
    after[axis] = to > from ? to - from - before[axis] : 0;
  }
  const Operand cropped = window == x.shape() ? x : node.builder.slice(x, starts, window);
  const bool isPadded = before != after || before != std::vector<std::uint32_t>(x.rank());
  setTyped(node, 0, isPadded ? node.builder.pad(cropped, before, after) : cropped, node.value(0).type);
}

// Writes the update at an index for each batch: scattering along the axis.
void importTensorScatter(NodeContext& node) {
  const Operand cache = node.operand(0), update = node.operand(1);
  const std::uint32_t axis = node.axis(node.integer("axis", -2), cache.rank());
  const std::string_view mode = node.text("mode", "linear");
  node.require(mode == "linear" || mode == "circular", "mode {}: neither linear nor circular", webnn::quoted(mode));
  if (update.rank() != cache.rank()) fail(ErrorKind::dataError, "its update has rank {}, not {}.", update.rank(), cache.rank());
  Term index(node, counting(node, DataType::int64, update.shape()[axis], axis, cache.rank()));
  if (node.has(2)) {
    Shape shape(cache.rank(), 1);
    shape[0] = cache.shape()[0];
    index = index + Term(node, node.reshape(node.cast(node.operand(2), DataType::int64), shape));
  }
  const double size = cache.shape()[axis];
  if (mode == "circular") index = index - index / size * size;
  setTyped(node, 0, node.builder.scatterElements(cache, node.expand(index, update.shape()), update, {.axis = axis, .label = {}}),
           node.value(0).type);
}

// Element [row, column] of all matrices in the last two dimensions.
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
  node.require(size <= 3, "WebNN has no determinants, and those of matrices of size {} take too many products", size);
  node.set(0, inFloat32(node, x, [&](const Term& matrices) {
    const auto at = [&](std::uint32_t row, std::uint32_t column) { return elementOf(node, matrices, row, column); };
    const auto minor = [&](std::uint32_t a, std::uint32_t b, std::uint32_t row) {
      return at(row, a) * at(row + 1, b) - at(row, b) * at(row + 1, a);
    };
    if (size == 1) return at(0, 0);
    if (size == 2) return minor(0, 1, 0);
    return at(0, 0) * minor(1, 2, 1) - at(0, 1) * minor(0, 2, 1) + at(0, 2) * minor(0, 1, 1);
  }));
}

// Columns of the last dimension; of a vector as a matrix of one row.
void importArrayFeatureExtractor(NodeContext& node) {
  const Operand x = node.operand(0), indices = node.operand(1);
  const Operand matrix = x.rank() == 1 ? node.reshape(x, {1, x.shape()[0]}) : x;
  const Operand columns = node.reshape(indices, {static_cast<std::uint32_t>(elementCount(indices.descriptor()))});
  node.set(0, node.builder.gather(matrix, columns, {.axis = static_cast<std::uint32_t>(matrix.rank() - 1), .label = {}}));
}

void importBinarizer(NodeContext& node) {
  const Term x = input(node, 0);
  node.set(0, cast(x > node.number("threshold", 0), x.dataType()));
}

}  // namespace

std::span<const OperatorImport> arrayOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "CenterCropPad", importCenterCropPad},
      {"", "TensorScatter", importTensorScatter},
      {"", "Det", importDet},
      {"ai.onnx.ml", "ArrayFeatureExtractor", importArrayFeatureExtractor},
      {"ai.onnx.ml", "Binarizer", importBinarizer},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
