// Replaces weighted sums of gathered rows by GatherSum, which does not store the rows:
//   reduceSum(gather(x, indices) * weights)                       as the ONNX importer writes GridSample
//   reduceMean(reduceSum(reshape(gather(x, indices) * weights)))  as it writes RoiAlign
//   gather(x, i) * u + gather(x, j) * v + ...                     as models write bilinear sampling
// The weights may be absent, and where(mask, gather(...), 0) may stand for a gather. The weights and the mask must be equal for
// all elements of a row.
#include <algorithm>

#include "compiler/passes/passes.h"
#include "compiler/passes/patterns.h"

namespace webnn::compiler {

namespace {

using ops::BinaryKind, ops::ReduceKind;

// Divides the dimensions of a gathered value into three groups, and counts each: dimensions of the tensor before the axis
// (`outer`), dimensions of the indices, and dimensions of the tensor after the axis (`inner`).
struct Groups {
  std::size_t outer = 0, indices = 0, inner = 0;
};

// Returns how many leading dimensions have a product of `count`; nullopt if none.
std::optional<std::size_t> dimensionsOf(auto begin, auto end, std::uint64_t count) {
  std::uint64_t elements = 1;
  std::size_t dimensions = 0;
  for (; elements < count && begin != end; ++begin, ++dimensions) elements *= *begin;
  return elements == count ? std::optional(dimensions) : std::nullopt;
}

std::optional<Groups> groupsOf(const Shape& shape, std::uint64_t outer, std::uint64_t inner) {
  const auto first = dimensionsOf(shape.begin(), shape.end(), outer), last = dimensionsOf(shape.rbegin(), shape.rend(), inner);
  if (!first || !last || *first + *last > shape.size()) return std::nullopt;
  return Groups{*first, shape.size() - *first - *last, *last};
}

Shape indicesOf(const Shape& shape, const Groups& groups) {
  const auto begin = shape.begin() + static_cast<std::ptrdiff_t>(groups.outer);
  return {begin, begin + static_cast<std::ptrdiff_t>(groups.indices)};
}

bool areOnes(auto begin, auto end) {
  return std::all_of(begin, end, [](std::uint32_t size) { return size == 1; });
}

// A factor of gathered rows that is broadcast to the shape `whole`.
struct Factor {
  Operand operand;
  Shape whole;
};

// The rows of gather(input, indices). If there is a mask, the rows that it excludes count as 0. If there are weights, each row is
// multiplied by its weight.
struct Rows {
  Operand input, indices;
  std::uint32_t axis = 0;
  std::optional<Factor> mask, weights;
  std::uint64_t outer = 1, inner = 1;
  std::vector<Operand> nodes;  // the values between the sum and `input`; the first of several terms has the values of all terms

  // Returns the shape of a factor as an operand of GatherSum whose indices have the dimensions `sizes`; an empty shape if the
  // factor varies within rows, or in a way that this form cannot express.
  Shape shapeOf(const Factor& factor, const Shape& sizes) const {
    const std::optional<Groups> groups = groupsOf(factor.whole, outer, inner);
    if (!groups || factor.operand.rank() > factor.whole.size()) return {};
    Shape own(factor.whole.size() - factor.operand.rank(), 1);
    own.insert(own.end(), factor.operand.shape().begin(), factor.operand.shape().end());
    const auto first = own.begin(), middle = first + static_cast<std::ptrdiff_t>(groups->outer),
               last = middle + static_cast<std::ptrdiff_t>(groups->indices);
    if (!areOnes(last, own.end())) return {};
    Shape result{static_cast<std::uint32_t>(outer)};
    if (areOnes(first, middle)) {
      result[0] = 1;
    } else if (!std::equal(first, middle, factor.whole.begin())) {
      return {};
    }
    const Shape whole = indicesOf(factor.whole, *groups);
    if (whole == sizes) {
      result.insert(result.end(), middle, last);
    } else if (std::equal(middle, last, whole.begin(), whole.end())) {
      result.insert(result.end(), sizes.begin(), sizes.end());
    } else if (areOnes(middle, last)) {
      result.resize(sizes.size() + 1, 1);
    } else {
      return {};
    }
    return result;
  }
};

// Returns whether `value` is made of gathered rows, and adds its nodes to `rows`.
bool findRows(const Patterns& patterns, const Operand& value, Rows& rows) {
  if (!isFloat32(value) || rows.nodes.size() >= kMostUnwrapped) return false;
  rows.nodes.push_back(value);
  if (const auto* reshape = patterns.made<ops::Reshape>(value)) return findRows(patterns, reshape->input, rows);
  if (const auto* product = rows.weights || rows.mask ? nullptr : patterns.binary(value, BinaryKind::mul)) {
    const auto take = [&](const Operand& values, const Operand& weights) {
      if (values.shape() != value.shape()) return false;
      Rows found = rows;
      found.weights = {weights, value.shape()};
      if (!findRows(patterns, values, found)) return false;
      const std::optional<Groups> groups = groupsOf(value.shape(), found.outer, found.inner);
      if (!groups || found.shapeOf(*found.weights, indicesOf(value.shape(), *groups)).empty()) return false;
      rows = std::move(found);
      return true;
    };
    return take(product->a, product->b) || take(product->b, product->a);
  }
  if (const auto* where = rows.mask ? nullptr : patterns.made<ops::Where>(value)) {
    const std::optional<float> rest = uniformValue(where->falseValue);
    if (!rest || *rest != 0 || where->trueValue.shape() != value.shape()) return false;
    rows.mask = {where->condition, value.shape()};
    return findRows(patterns, where->trueValue, rows);
  }
  const auto* gather = patterns.made<ops::Gather>(value);
  if (!gather) return false;
  rows.input = gather->input;
  rows.indices = gather->indices;
  rows.axis = gather->options.axis;
  for (std::uint32_t d = 0; d < rows.input.rank(); ++d) {
    if (d != rows.axis) (d < rows.axis ? rows.outer : rows.inner) *= rows.input.shape()[d];
  }
  return true;
}

// A sum that becomes a GatherSum: either one term, summed over the axes `taps` of its indices, or several terms that are added.
struct Sum {
  std::vector<Rows> terms;
  Shape sizes;
  std::vector<std::uint32_t> taps;
  float scale = 1;
};

// Returns the sizes of the dimensions that the indices have in a value of the given shape; nullopt if there are too many.
std::optional<Shape> sizesOf(const Rows& rows, const Shape& shape, Groups& groups, std::size_t most) {
  const std::optional<Groups> found = groupsOf(shape, rows.outer, rows.inner);
  if (!found || found->indices > most) return std::nullopt;
  groups = *found;
  return indicesOf(shape, groups);
}

bool takesFactors(const Rows& rows, const Shape& sizes) {
  return (!rows.mask || !rows.shapeOf(*rows.mask, sizes).empty()) &&
         (!rows.weights || !rows.shapeOf(*rows.weights, sizes).empty());
}

std::optional<Sum> reductionOf(const Patterns& patterns, const ModuleNode& node) {
  const auto* reduce = as<ops::Reduce>(node.operation);
  if (!reduce || (reduce->kind != ReduceKind::reduceSum && reduce->kind != ReduceKind::reduceMean) || !reduce->options.axes ||
      !isFloat32(reduce->input))
    return std::nullopt;
  Sum sum;
  Rows rows;
  std::vector<bool> isSummed(reduce->input.rank());
  for (const std::uint32_t axis : *reduce->options.axes) isSummed[axis] = true;
  if (reduce->kind == ReduceKind::reduceMean) {
    const auto count = elementCount(reduce->input.descriptor()) / elementCount(node.outputs[0].descriptor());
    sum.scale = static_cast<float>(1 / static_cast<double>(count));
  }
  Operand value = reduce->input;
  for (const auto* first = patterns.made<ops::Reduce>(value); first; first = patterns.made<ops::Reduce>(value)) {
    if (first->kind != ReduceKind::reduceSum || !first->options.axes || rows.nodes.size() >= kMostUnwrapped) return std::nullopt;
    std::vector<bool> all(first->input.rank());
    for (const std::uint32_t axis : *first->options.axes) all[axis] = true;
    for (std::size_t d = 0, later = 0; d < all.size(); ++d) {
      const bool isKept = !all[d] || first->options.keepDimensions;
      if (isKept && isSummed[later++]) all[d] = true;
    }
    rows.nodes.push_back(value);
    value = first->input;
    isSummed = std::move(all);
  }
  if (!findRows(patterns, value, rows) || !patterns.areInner(rows.nodes, node.outputs[0])) return std::nullopt;
  Groups groups;
  const std::optional<Shape> sizes = sizesOf(rows, value.shape(), groups, GatherSum::kMostSizes);
  if (!sizes || !takesFactors(rows, *sizes)) return std::nullopt;
  std::uint64_t taps = 1;
  for (std::size_t d = 0; d < isSummed.size(); ++d) {
    if (!isSummed[d]) continue;
    if (d < groups.outer || d >= groups.outer + groups.indices) return std::nullopt;
    sum.taps.push_back(static_cast<std::uint32_t>(d - groups.outer));
    taps *= value.shape()[d];
  }
  if (sum.taps.empty() || taps > GatherSum::kMost) return std::nullopt;
  sum.sizes = *sizes;
  sum.terms.push_back(std::move(rows));
  return sum;
}

// Adds the terms of `value` to `sum`, and the additions between them to `additions`. Returns false if a term has another form.
bool findTerms(const Patterns& patterns, const Operand& value, Sum& sum, std::vector<Operand>& additions) {
  if (additions.size() >= kMostUnwrapped) return false;
  if (const auto* add = patterns.binary(value, BinaryKind::add)) {
    if (add->a.shape() != value.shape() || add->b.shape() != value.shape()) return false;
    additions.push_back(value);
    return findTerms(patterns, add->a, sum, additions) && findTerms(patterns, add->b, sum, additions);
  }
  Rows rows;
  if (!findRows(patterns, value, rows) || !rows.weights) return false;
  sum.terms.push_back(std::move(rows));
  return true;
}

std::optional<Sum> additionOf(const Patterns& patterns, const ModuleNode& node) {
  const auto* add = as<ops::Binary>(node.operation);
  if (!add || add->kind != BinaryKind::add || !isFloat32(node.outputs[0])) return std::nullopt;
  Sum sum;
  std::vector<Operand> inner;
  if (!findTerms(patterns, node.outputs[0], sum, inner)) return std::nullopt;
  inner.erase(inner.begin());  // the result
  const Rows& first = sum.terms[0];
  Groups groups;
  const std::optional<Shape> sizes = sizesOf(first, node.outputs[0].shape(), groups, GatherSum::kMostSizes - 1);
  constexpr std::uint64_t kLeast = 4;  // with fewer elements per index, joining the indices takes as long as it saves
  if (!sizes || first.outer * first.inner < kLeast) return std::nullopt;
  for (const Rows& rows : sum.terms) {
    if (!isSame(rows.input, first.input) || rows.axis != first.axis || rows.mask.has_value() != first.mask.has_value() ||
        rows.indices.dataType() != first.indices.dataType() || !takesFactors(rows, *sizes))
      return std::nullopt;
    if (rows.shapeOf(*rows.weights, *sizes) != first.shapeOf(*first.weights, *sizes)) return std::nullopt;
    if (rows.mask && rows.shapeOf(*rows.mask, *sizes) != first.shapeOf(*first.mask, *sizes)) return std::nullopt;
    inner.insert(inner.end(), rows.nodes.begin(), rows.nodes.end());
  }
  if (!patterns.areInner(inner, node.outputs[0])) return std::nullopt;
  sum.sizes = *sizes;
  sum.terms[0].nodes = std::move(inner);
  return sum;
}

class GatherSums {
 public:
  explicit GatherSums(Module& module) : module_(module) {}

  bool run() {
    if (!find()) return false;
    std::vector<ModuleNode> old = std::move(module_.nodes);
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (!sums_[i]) {
        nodes_.push_back(std::move(old[i]));
        continue;
      }
      module_.rewritten = old[i].origins;
      GatherSum op = operationOf(*sums_[i]);
      op.options.label = label(old[i].operation);
      nodes_.push_back({std::move(op), std::move(old[i].outputs), std::move(old[i].origins)});
    }
    module_.nodes = std::move(nodes_);
    return true;
  }

 private:
  // Finds the sums, in reverse order of the nodes, so that no part of a sum is replaced alone. Returns whether there are any.
  bool find() {
    const Patterns patterns(module_);
    std::vector<bool> isTaken(module_.indexLimit());
    sums_.resize(module_.nodes.size());
    bool isFound = false;
    for (std::size_t i = module_.nodes.size(); i-- > 0;) {
      const ModuleNode& node = module_.nodes[i];
      if (isTaken[node.outputs[0].record().index]) continue;
      sums_[i] = reductionOf(patterns, node);
      if (!sums_[i]) sums_[i] = additionOf(patterns, node);
      if (!sums_[i]) continue;
      isFound = true;
      for (const Rows& rows : sums_[i]->terms) {
        for (const Operand& inner : rows.nodes) isTaken[inner.record().index] = true;
      }
    }
    return isFound;
  }

  Operand reshaped(const Operand& operand, Shape shape) {
    if (operand.shape() == shape) return operand;
    if (isConstant(operand)) return module_.reshaped(operand, std::move(shape));
    return module_.append(nodes_, Operation(ops::Reshape{.input = operand, .newShape = std::move(shape)}));
  }

  // Stacks operands along a new axis, which becomes dimension `axis`.
  Operand joined(std::vector<Operand> parts, std::uint32_t axis) {
    for (Operand& part : parts) {
      Shape shape = part.shape();
      shape.insert(shape.begin() + axis, 1);
      part = reshaped(part, std::move(shape));
    }
    return module_.append(nodes_, Operation(ops::Concat{std::move(parts), axis, {}}));
  }

  GatherSum operationOf(const Sum& sum) {
    const Rows& first = sum.terms[0];
    GatherSum op{.input = first.input, .axis = first.axis, .sizes = sum.sizes, .taps = sum.taps, .scale = sum.scale};
    std::vector<Operand> indices, masks, weights;
    for (const Rows& rows : sum.terms) {
      indices.push_back(rows.indices);
      if (rows.mask) masks.push_back(reshaped(rows.mask->operand, rows.shapeOf(*rows.mask, sum.sizes)));
      if (rows.weights) weights.push_back(reshaped(rows.weights->operand, rows.shapeOf(*rows.weights, sum.sizes)));
    }
    if (sum.terms.size() > 1) {
      for (Operand& part : indices) part = reshaped(part, sum.sizes);
      indices = {joined(std::move(indices), 0)};
      if (!masks.empty()) masks = {joined(std::move(masks), 1)};
      weights = {joined(std::move(weights), 1)};
      op.taps = {0};
      op.sizes.insert(op.sizes.begin(), static_cast<std::uint32_t>(sum.terms.size()));
    }
    op.indices = indices[0];
    if (!masks.empty()) op.mask = masks[0];
    if (!weights.empty()) op.weights = weights[0];
    return op;
  }

  Module& module_;
  std::vector<std::optional<Sum>> sums_;  // indexed by node
  std::vector<ModuleNode> nodes_;
};

}  // namespace

void recogniseGatherSums(Module& module, const PassOptions& options) {
  const auto isGather = [](const ModuleNode& node) { return as<ops::Gather>(node.operation) != nullptr; };
  if (std::ranges::none_of(module.nodes, isGather)) return;
  if (GatherSums(module).run()) eliminateDeadCode(module, options);
}

}  // namespace webnn::compiler
