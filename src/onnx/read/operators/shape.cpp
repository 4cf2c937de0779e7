#include <algorithm>
#include <limits>

#include "base/checked.h"
#include "onnx/read/compose.h"

namespace webnn::formats::onnx {

namespace {

// Returns the dimensions that Reshape requests: 0 copies the input's dimension (unless allowzero is set), -1 is computed from the
// number of elements.
Dims reshapedDims(const NodeContext& node, Dims shape) {
  const Dims& dims = node.value(0).dims;
  const bool zerosKeep = !node.flag("allowzero");
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0 && zerosKeep) {
      if (i >= dims.size()) fail(ErrorKind::dataError, "the shape keeps dimension {} of a tensor of rank {}.", i, dims.size());
      shape[i] = dims[i];
    } else if (shape[i] == -1) {
      if (open) fail(ErrorKind::dataError, "the shape has more than one -1.");
      open = i;
      shape[i] = 1;
    }
  }
  const std::int64_t count = countOf(dims).value_or(-2);
  const std::int64_t known = countOf(shape).value_or(-1);
  if (open && known > 0 && count % known == 0) shape[*open] = count / known;
  if (countOf(shape) != count) {
    fail(ErrorKind::dataError, "the shape [{}] does not have {} elements.", textOf(shape), count);
  }
  return shape;
}

void importReshape(NodeContext& node) {
  setReshaped(node, reshapedDims(node, attributeOrInput(node, "shape", 1, 5).value_or(Dims{})));
}

void importTranspose(NodeContext& node) {
  const std::size_t rank = node.rank(0);
  std::vector<std::uint32_t> permutation;
  if (const auto given = node.integers("perm")) {
    permutation = distinctAxes(node, *given, rank);
  } else {
    for (std::size_t i = rank; i > 0; --i) permutation.push_back(static_cast<std::uint32_t>(i - 1));
  }
  const ImportedValue& value = node.value(0);
  if (!value.isEmpty()) return setLike(node, 0, node.transpose(node.operand(0), std::move(permutation)));
  Dims dims;
  for (const std::uint32_t axis : permutation) dims.push_back(value.dims[axis]);
  node.set(0, emptyValue(value.type, std::move(dims)));
}

void importSqueeze(NodeContext& node) {
  const Dims& dims = node.value(0).dims;
  const auto given = attributeOrInput(node, "axes", 1, 13);
  std::vector<bool> drops(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) drops[i] = !given && dims[i] == 1;
  for (const std::uint32_t axis : distinctAxes(node, given.value_or(Dims{}), dims.size())) {
    if (dims[axis] != 1) fail(ErrorKind::dataError, "dimension {} ({}) is not 1.", axis, dims[axis]);
    drops[axis] = true;
  }
  Dims squeezed;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (!drops[i]) squeezed.push_back(dims[i]);
  }
  setReshaped(node, std::move(squeezed));
}

void importUnsqueeze(NodeContext& node) {
  const auto given = attributeOrInput(node, "axes", 1, 13);
  if (!given) fail(ErrorKind::dataError, "the axes are absent.");
  node.require(node.rank(0) + given->size() <= kMaxRank, "rank {}: WebNN's ranks are at most {}", node.rank(0) + given->size(),
               kMaxRank);
  std::vector<std::uint32_t> axes = distinctAxes(node, *given, node.rank(0) + given->size());
  std::ranges::sort(axes);
  Dims dims = node.value(0).dims;
  for (const std::uint32_t axis : axes) dims.insert(dims.begin() + axis, 1);
  setReshaped(node, std::move(dims));
}

void importFlatten(NodeContext& node) {
  const Dims& dims = node.value(0).dims;
  // The axis may be one past the last dimension.
  const std::int64_t rank = static_cast<std::int64_t>(dims.size()), given = node.integer("axis", 1);
  if (given < -rank || given > rank) fail(ErrorKind::dataError, "the axis ({}) is not in a tensor of rank {}.", given, rank);
  const auto middle = dims.begin() + static_cast<std::ptrdiff_t>(given < 0 ? given + rank : given);
  // countOf() returns nullopt for a product above 2^63 - 1, which is possible only if the other part has a dimension 0.
  const auto rows = countOf({dims.begin(), middle}), columns = countOf({middle, dims.end()});
  node.require(rows && columns, "more than 2^63 - 1 rows or columns");
  setReshaped(node, {*rows, *columns});
}

void importExpand(NodeContext& node) {
  const ImportedValue& value = node.value(0);
  Dims dims = value.dims, other = node.integers(1);
  if (!countOf(other)) fail(ErrorKind::dataError, "[{}] is no shape.", textOf(other));
  if (dims.size() < other.size()) dims.insert(dims.begin(), other.size() - dims.size(), 1);
  if (other.size() < dims.size()) other.insert(other.begin(), dims.size() - other.size(), 1);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != 1 && other[i] != 1 && dims[i] != other[i]) {
      fail(ErrorKind::dataError, "[{}] does not broadcast to [{}].", textOf(value.dims), textOf(other));
    }
    if (dims[i] == 1) dims[i] = other[i];
  }
  if (isEmpty(dims)) return node.set(0, emptyValue(value.type, std::move(dims)));
  setLike(node, 0, node.expand(node.operand(0), shapeOf(node, dims)));
}

void importTile(NodeContext& node) {
  const ImportedValue& value = node.value(0);
  Dims repeats = node.integers(1);
  Dims dims = value.dims;
  if (node.version < 6) {  // before version 6, input 1 has the repeats of a single axis, which input 2 names
    const std::vector<double> axis = node.numbers(2);
    if (repeats.size() != 1 || axis.size() != 1) fail(ErrorKind::dataError, "the tiles or the axis are no single number.");
    repeats.resize(dims.size(), 1);
    std::swap(repeats[0], repeats[node.axis(static_cast<std::int64_t>(axis[0]), dims.size())]);
  }
  if (repeats.size() != dims.size()) {
    fail(ErrorKind::dataError, "there are {} repeats for a tensor of rank {}.", repeats.size(), dims.size());
  }
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (repeats[i] < 0) fail(ErrorKind::dataError, "repeats[{}] ({}) is negative.", i, repeats[i]);
    node.require(!__builtin_mul_overflow(dims[i], repeats[i], &dims[i]), "a dimension above 2^63 - 1");
  }
  if (dims == value.dims) return setSame(node);
  if (isEmpty(dims)) return node.set(0, emptyValue(value.type, std::move(dims)));
  shapeOf(node, dims);
  setLike(node, 0, node.builder.tile(node.operand(0), shapeOf(node, repeats)));
}

// Returns the elements of short, known lists of integers as one list, or nullopt if an input is something else.
std::optional<Dims> joinedLists(const NodeContext& node, std::span<const std::size_t> inputs) {
  Dims joined;
  for (const std::size_t input : inputs) {
    const std::optional<Dims> part = listedIntegers(node, node.value(input));
    if (!part) return std::nullopt;
    joined.insert(joined.end(), part->begin(), part->end());
  }
  return joined;
}

// Skips empty inputs, because WebNN has no empty tensors, and computations of shapes often concatenate them. As in ONNX Runtime,
// an input of size 0 on the axis may have other sizes on other axes, because some models begin to collect results with a tensor
// [0, 0].
void importConcat(NodeContext& node) {
  const std::int64_t given = node.version < 4 ? node.integer("axis", 1) : requiredInteger(node, "axis");
  const std::uint32_t axis = node.axis(given, node.rank(0));
  std::size_t reference = 0;
  while (reference < node.inputCount() && node.value(reference).isEmpty()) ++reference;
  if (reference == node.inputCount()) reference = 0;
  Dims dims = node.value(reference).dims;
  if (dims.size() != node.rank(0)) {
    fail(ErrorKind::dataError, "input {} has rank {}, and the first {}.", reference, dims.size(), node.rank(0));
  }
  dims[axis] = 0;
  std::vector<std::size_t> parts;
  for (std::size_t i = 0; i < node.inputCount(); ++i) {
    const ImportedValue& part = node.value(i);
    if (part.dims.size() != dims.size()) {
      fail(ErrorKind::dataError, "input {} has rank {}, and the first {}.", i, part.dims.size(), dims.size());
    }
    for (std::size_t d = 0; d < dims.size() && part.dims[axis] != 0; ++d) {
      if (d == axis || part.dims[d] == dims[d]) continue;
      fail(ErrorKind::dataError, "dimension {} of input {} is {}, and {} in input {}.", d, i, part.dims[d], dims[d], reference);
    }
    node.require(!__builtin_add_overflow(dims[axis], part.dims[axis], &dims[axis]), "a dimension above 2^63 - 1");
    if (!part.isEmpty()) parts.push_back(i);
  }
  if (parts.empty()) return node.set(0, emptyValue(node.value(0).type, std::move(dims)));
  if (parts.size() == 1) return node.set(0, ImportedValue(node.value(parts[0])));
  if (const std::optional<Dims> joined = joinedLists(node, parts)) return setListed(node, *joined, std::move(dims));
  std::vector<Operand> operands;
  for (const std::size_t part : parts) operands.push_back(node.operand(part));
  setLike(node, 0, node.builder.concat(std::move(operands), axis));
}

// Returns the size of each output along the split axis. Without given sizes all parts are equal; since version 18 the last part
// may be smaller.
Dims partSizes(const NodeContext& node, std::int64_t size) {
  const std::int64_t count = static_cast<std::int64_t>(node.outputCount());
  if (node.version < 2 && node.has(1)) return node.integers(1);
  if (const auto given = attributeOrInput(node, "split", 1, 13)) return *given;
  if (count == 0) return {};
  if (node.find("num_outputs") != nullptr && node.integer("num_outputs", 0) != count) {
    fail(ErrorKind::dataError, "num_outputs ({}) is not the number of outputs ({}).", node.integer("num_outputs", 0), count);
  }
  const bool evenly = size % count == 0;
  const std::int64_t part = size / count + !evenly, last = size - part * (count - 1);
  if (last < 0 || (!evenly && node.version < 18)) {
    fail(ErrorKind::dataError, "a dimension of {} does not split into {} parts.", size, count);
  }
  Dims sizes(node.outputCount(), part);
  sizes.back() = last;
  return sizes;
}

void importSplit(NodeContext& node) {
  const ImportedValue& value = node.value(0);
  const std::uint32_t axis = node.axis(node.integer("axis", 0), value.dims.size());
  const Dims sizes = partSizes(node, value.dims[axis]);
  if (sizes.size() != node.outputCount()) {
    fail(ErrorKind::dataError, "there are {} sizes of parts and {} outputs.", sizes.size(), node.outputCount());
  }
  std::int64_t rest = value.dims[axis];
  std::vector<std::size_t> parts;  // the outputs that have elements
  Dims dims = value.dims;
  // The sizes of the outputs in `parts`.
  std::vector<std::uint32_t> nonEmpty;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0 || sizes[i] > rest) break;
    rest -= sizes[i];
    dims[axis] = sizes[i];
    if (isEmpty(dims)) {
      node.set(i, emptyValue(value.type, dims));
    } else {
      parts.push_back(i);
      nonEmpty.push_back(static_cast<std::uint32_t>(sizes[i]));
    }
  }
  if (rest != 0) fail(ErrorKind::dataError, "the sizes of the parts [{}] do not add up to {}.", textOf(sizes), value.dims[axis]);
  if (parts.empty()) return;
  const std::vector<Operand> results = node.builder.split(node.operand(0), nonEmpty, {.axis = axis});
  for (std::size_t i = 0; i < parts.size(); ++i) setLike(node, parts[i], results[i]);
}

// Returns the attribute blocksize. The input must be [N, C, H, W].
std::int64_t blockSize(const NodeContext& node) {
  const std::int64_t size = requiredInteger(node, "blocksize");
  if (size < 1) fail(ErrorKind::dataError, "the blocksize ({}) is not positive.", size);
  if (node.rank(0) != 4) fail(ErrorKind::dataError, "the input has rank {}, not 4.", node.rank(0));
  const auto isLarge = [](std::int64_t dimension) { return dimension > static_cast<std::int64_t>(kMaxDimension); };
  node.require(size <= std::numeric_limits<std::int16_t>::max() && std::ranges::none_of(node.value(0).dims, isLarge),
               "dimensions above {}", kMaxDimension);
  return size;
}

// Returns whether the mode is "DCR". Then channel c of pixel p in a block of P pixels is channel p * C + c of the P * C channels;
// with mode "CRD", it is channel c * P + p.
bool isDepthFirst(const NodeContext& node) {
  const std::string_view mode = node.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") fail(ErrorKind::dataError, "the mode {} is not known.", webnn::quoted(mode));
  return mode == "DCR";
}

// Sets result 0 to input 0, reshaped to `from`, transposed by `permutation` and reshaped to `to`.
void setRearranged(NodeContext& node, const Dims& from, std::vector<std::uint32_t> permutation, Dims to) {
  if (isEmpty(to)) return node.set(0, emptyValue(node.value(0).type, std::move(to)));
  const Operand split = node.reshape(node.operand(0), shapeOf(node, from));
  setLike(node, 0, node.reshape(node.transpose(split, std::move(permutation)), shapeOf(node, to)));
}

void importDepthToSpace(NodeContext& node) {
  const std::int64_t block = blockSize(node);
  const Dims& dims = node.value(0).dims;
  const std::int64_t n = dims[0], h = dims[2], w = dims[3], c = dims[1] / (block * block);
  if (dims[1] % (block * block) != 0) fail(ErrorKind::dataError, "{} channels are no blocks of {}x{}.", dims[1], block, block);
  const Dims to{n, c, h * block, w * block};
  if (isDepthFirst(node)) return setRearranged(node, {n, block, block, c, h, w}, {0, 3, 4, 1, 5, 2}, to);
  setRearranged(node, {n, c, block, block, h, w}, {0, 1, 4, 2, 5, 3}, to);
}

void importSpaceToDepth(NodeContext& node) {
  const std::int64_t block = blockSize(node);
  const Dims& dims = node.value(0).dims;
  const std::int64_t n = dims[0], c = dims[1], h = dims[2] / block, w = dims[3] / block;
  if (dims[2] % block != 0 || dims[3] % block != 0) {
    fail(ErrorKind::dataError, "a plane of {}x{} has no whole blocks of {}x{}.", dims[2], dims[3], block, block);
  }
  const Dims from{n, c, h, block, w, block};
  setRearranged(node, from,
                isDepthFirst(node) ? std::vector<std::uint32_t>{0, 3, 5, 1, 2, 4} : std::vector<std::uint32_t>{0, 1, 3, 5, 2, 4},
                {n, c * block * block, h, w});
}

void importTrilu(NodeContext& node) {
  const Dims& dims = node.value(0).dims;
  const std::size_t rank = dims.size();
  if (rank < 2) fail(ErrorKind::dataError, "the input has rank {}, less than 2.", rank);
  std::int64_t k = 0;
  if (node.has(1)) {
    const Dims values = node.integers(1);
    if (values.size() != 1) fail(ErrorKind::dataError, "k has {} elements, not 1.", values.size());
    k = values[0];
  }
  if (isEmpty(dims)) return setSame(node);
  // All diagonals beyond the matrix have the same effect. The clamp makes k fit into int32.
  const Shape shape = shapeOf(node, dims);
  k = std::clamp<std::int64_t>(k, -std::int64_t{shape[rank - 2]}, shape[rank - 1]);
  setLike(
      node, 0,
      node.builder.triangular(node.operand(0), {.upper = node.flag("upper", true), .diagonal = static_cast<std::int32_t>(k)}));
}

}  // namespace

std::span<const OperatorImport> shapeOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "Concat", importConcat, true},
      {"", "DepthToSpace", importDepthToSpace, true},
      {"", "Expand", importExpand, true},
      {"", "Flatten", importFlatten, true},
      {"", "Reshape", importReshape, true},
      {"", "SpaceToDepth", importSpaceToDepth, true},
      {"", "Split", importSplit, true},
      {"", "Squeeze", importSqueeze, true},
      {"", "Tile", importTile, true},
      {"", "Transpose", importTranspose, true},
      {"", "Trilu", importTrilu},
      {"", "Unsqueeze", importUnsqueeze, true},
      {"com.microsoft", "Trilu", importTrilu},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
