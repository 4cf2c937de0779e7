#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "compiler/passes/factors.h"
#include "compiler/passes/fold_node.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/patterns.h"

namespace webnn::compiler {

namespace {

using ops::BinaryKind;
using HeadsPermutation = std::vector<std::uint32_t>;

constexpr std::size_t kRank = 4;

// An operand of the attention, expressed as scale * transpose(operand, permutation).
struct Stored {
  Operand operand;
  HeadsPermutation permutation;
  double scale = 1;
};

// Skips transposes and, if `takesScale`, multiplications by constants. If a skipped node has other users, it stays in the graph.
Stored unwrap(const Patterns& patterns, const Operand& operand, bool takesScale) {
  Stored stored{operand, HeadsPermutation(operand.rank()), 1};
  std::iota(stored.permutation.begin(), stored.permutation.end(), 0U);
  for (std::size_t depth = 0; depth < kMostUnwrapped; ++depth) {
    AffineForm form{stored.operand, 1, 0};
    std::vector<Operand> inner;
    if (const auto* transpose = patterns.made<ops::Transpose>(stored.operand)) {
      for (std::uint32_t& dimension : stored.permutation) dimension = (*transpose->options.permutation)[dimension];
      stored.operand = transpose->input;
    } else if (takesScale && unwrapAffine(patterns, form, inner) && form.shift == 0) {
      stored.operand = form.x;
      stored.scale *= form.factor;
    } else {
      break;
    }
  }
  return stored;
}

// Keys or values with fewer heads than the queries, and the number of query heads that share each head.
struct Grouped {
  Operand operand;
  std::uint32_t repeats = 1;
};
// Matches reshape(expand(reshape(x))), from [batch, heads, ...] via [batch, heads, 1, ...].
std::optional<Grouped> groupedOf(const Patterns& patterns, const Stored& stored) {
  const Shape& shape = stored.operand.shape();
  const auto* merge = patterns.made<ops::Reshape>(stored.operand);
  const auto* expand = merge ? patterns.made<ops::Expand>(merge->input) : nullptr;
  const auto* split = expand ? patterns.made<ops::Reshape>(expand->input) : nullptr;
  if (!split || shape.size() != kRank || split->input.rank() != kRank || stored.permutation[1] != 1) return std::nullopt;
  const Shape &x = split->input.shape(), &wide = expand->newShape;
  if (wide.size() != kRank + 1 || x[1] * wide[2] != shape[1]) return std::nullopt;
  if (Shape{x[0], x[1], 1, x[2], x[3]} != expand->input.shape() || Shape{x[0], x[1], wide[2], x[2], x[3]} != wide ||
      Shape{x[0], shape[1], x[2], x[3]} != shape) {
    return std::nullopt;
  }
  return Grouped{split->input, wide[2]};
}

// Extends a permutation to kRank dimensions, for a shape that is padded with leading 1s.
HeadsPermutation widened(const HeadsPermutation& permutation) {
  const auto missing = static_cast<std::uint32_t>(kRank - permutation.size());
  HeadsPermutation result(missing);
  std::iota(result.begin(), result.end(), 0U);
  for (const std::uint32_t dimension : permutation) result.push_back(dimension + missing);
  return result;
}

// The product of queries and keys, and the scale that is applied to it.
struct Scores {
  Operand product;
  const ops::Matmul* matmul = nullptr;
  double scale = 1;
  std::vector<Operand> inner;
};
std::optional<Scores> scoresOf(const Patterns& patterns, const Operand& operand) {
  AffineForm form{operand, 1, 0};
  Scores scores;
  // Walks from the softmax to the product. The first factor may have any value, because the graph applies it last and the
  // attention applies its scale at the same position. The other factors move to this position, so mayMove() must be true for
  // them.
  while (!patterns.made<ops::Matmul>(form.x)) {
    if (!unwrapAffine(patterns, form, scores.inner, scores.inner.empty()) || form.shift != 0) return std::nullopt;
  }
  scores.product = form.x;
  scores.matmul = patterns.made<ops::Matmul>(form.x);
  scores.scale = form.factor;
  scores.inner.push_back(form.x);
  return scores;
}

// Returns the shape of a mask that is broadcast to `from`, after both are reshaped: `from` to `to`, which has the same number of
// elements. Returns nullopt if the mask would have to be repeated along a part of a dimension of `to`.
std::optional<Shape> reshapedMask(Shape mask, const Shape& from, const Shape& to) {
  mask.insert(mask.begin(), from.size() - mask.size(), 1);
  Shape result;
  // Dimensions [i, iEnd) of `from` and [j, jEnd) of `to` have the same number of elements.
  for (std::size_t i = 0, j = 0; i < from.size() || j < to.size();) {
    std::size_t iEnd = i, jEnd = j;
    std::uint64_t elements = 1, wanted = 1;
    do {
      const bool takesFrom = jEnd == to.size() || (iEnd < from.size() && elements <= wanted);
      takesFrom ? elements *= from[iEnd++] : wanted *= to[jEnd++];
    } while (elements != wanted);
    bool isWhole = true, isSingle = true;
    for (std::size_t d = i; d < iEnd; ++d) {
      isWhole = isWhole && mask[d] == from[d];
      isSingle = isSingle && mask[d] == 1;
    }
    if (!isWhole && !isSingle) return std::nullopt;
    for (std::size_t d = j; d < jEnd; ++d) result.push_back(isWhole ? to[d] : 1);
    i = iEnd, j = jEnd;
  }
  return result;
}

// Scores, and a mask that is broadcast to their shape and added.
struct Masked {
  Scores scores;
  std::optional<Operand> mask;
};

// Returns whether adding the sum of two masks to scores is as accurate as adding `first`, then `second`. Both masks have the same
// shape. Each element of the sum must meet one of two conditions:
// - The sum is exact.
// - The sum is at least kMasked below an exact sum of the same row, so that softmax makes the element negligible, and `first` is
//   at most a quarter of `second`, so that adding the sum rounds a score about as much as adding `second`.
// Large elements must not cancel in a sum, and the greatest exact sum of a row must not be large: there, the graph rounds the
// scores twice, and the merged mask would give other results. (Beyond 2^100, scores do not change the sum, so it may be large.)
bool mayMerge(const std::vector<double>& first, const std::vector<double>& second, std::size_t columns) {
  constexpr double kMasked = 32, kLarge = 64, kMostCancelled = 8, kMostOfRow = 256,
                   kInfinity = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < first.size(); row += columns) {
    double exact = -kInfinity, rounded = -kInfinity;
    for (std::size_t i = row; i < row + columns; ++i) {
      const double sum = first[i] + second[i];
      if (std::abs(first[i]) > kLarge && std::abs(first[i]) > kMostCancelled * std::abs(sum)) return false;
      if (static_cast<double>(static_cast<float>(sum)) == sum) {
        exact = std::max(exact, sum);
      } else if (std::abs(first[i]) <= std::abs(second[i]) / 4) {
        rounded = std::max(rounded, sum);
      } else {
        return false;
      }
    }
    if (rounded > exact - kMasked) return false;
    if (std::abs(exact) > kMostOfRow && std::abs(exact) < 0x1p100) return false;
  }
  return true;
}

// Returns the sum of two constant masks, or nullopt if it exceeds the folding budget or would be less accurate.
std::optional<Operand> mergedMasks(Module& module, const Operand& first, const Operand& second, const PassOptions& options) {
  const auto folded = [&](Operation operation) { return foldOperation(module, std::move(operation), options); };
  const std::optional<Operand> sum = folded(ops::Binary{.kind = BinaryKind::add, .a = first, .b = second});
  if (!sum || sum->rank() == 0) return std::nullopt;
  const std::optional<Operand> a = folded(ops::Expand{.input = first, .newShape = sum->shape()});
  const std::optional<Operand> b = folded(ops::Expand{.input = second, .newShape = sum->shape()});
  if (!a || !b || !mayMerge(constantNumbers(*a), constantNumbers(*b), sum->shape().back())) return std::nullopt;
  return sum;
}

// Matches constant masks, and merges them. The scores may be reshaped between the masks and back, as Swin transformers
// do to mask each window. The merged mask takes at most as much memory as the scores, which the attention does not store.
std::optional<Masked> severalMasksOf(const Patterns& patterns, const Operand& operand, const PassOptions& options) {
  Module& module = patterns.module;
  std::vector<Operand> masks, inner;
  Operand scores = operand;
  for (std::size_t depth = 0; depth < kMostUnwrapped; ++depth) {
    if (const auto* reshape = patterns.made<ops::Reshape>(scores)) {
      inner.push_back(scores);
      scores = reshape->input;
      continue;
    }
    const auto* add = patterns.binary(scores, BinaryKind::add);
    if (!add || isConstant(add->a) == isConstant(add->b)) break;
    const Operand &mask = isConstant(add->a) ? add->a : add->b, &rest = isConstant(add->a) ? add->b : add->a;
    if (rest.shape() != scores.shape()) return std::nullopt;
    const std::optional<Shape> shape = reshapedMask(mask.shape(), scores.shape(), operand.shape());
    if (!shape) return std::nullopt;
    masks.push_back(module.reshaped(mask, *shape));
    inner.push_back(scores);
    scores = rest;
  }
  if (masks.empty() || scores.shape() != operand.shape() || !isFloat32(operand)) return std::nullopt;
  std::optional<Scores> found = scoresOf(patterns, scores);
  if (!found) return std::nullopt;
  std::optional<Operand> sum = masks.back();
  for (std::size_t i = masks.size() - 1; i-- > 0;) {
    sum = mergedMasks(module, *sum, masks[i], options);
    if (!sum) return std::nullopt;
  }
  found->inner.insert(found->inner.end(), inner.begin(), inner.end());
  return Masked{std::move(*found), sum};
}

std::optional<Masked> maskedScoresOf(const Patterns& patterns, const Operand& operand, const PassOptions& options) {
  if (std::optional<Scores> scores = scoresOf(patterns, operand)) return Masked{std::move(*scores), std::nullopt};
  const auto* add = patterns.binary(operand, BinaryKind::add);
  for (const bool isSecond : {false, true}) {
    if (!add) break;
    const Operand &product = isSecond ? add->b : add->a, &mask = isSecond ? add->a : add->b;
    std::optional<Scores> scores = scoresOf(patterns, product);
    if (!scores || product.shape() != operand.shape() || isSame(product, mask)) continue;
    scores->inner.push_back(operand);
    return Masked{std::move(*scores), mask};
  }
  return severalMasksOf(patterns, operand, options);
}

bool fits(const Operand& operand) { return isFloat32(operand) && operand.rank() >= 2 && operand.rank() <= kRank; }

// A matched attention and its intermediate operands. It has no outputPermutation yet.
struct Found {
  Attention attention;
  std::vector<Operand> inner;
};
std::optional<Found> attentionOf(const Patterns& patterns, const Operand& result, const PassOptions& options) {
  const auto* last = patterns.made<ops::Matmul>(result);
  const auto* softmax = last ? patterns.made<ops::Softmax>(last->a) : nullptr;
  if (!softmax || !fits(result) || softmax->axis + 1 != last->a.rank()) return std::nullopt;
  std::optional<Masked> masked = maskedScoresOf(patterns, softmax->input, options);
  if (!masked) return std::nullopt;
  const ops::Matmul& first = *masked->scores.matmul;
  for (const Operand& operand : {first.a, first.b, last->b}) {
    if (!fits(operand)) return std::nullopt;
  }
  const auto scale = static_cast<float>(masked->scores.scale);
  // Scales of queries and keys may move after their product. If scores are infinite only because a scale is applied later, the
  // step recomputes them.
  const bool takesScale = std::abs(scale) <= 0x1p16F;
  Stored q = unwrap(patterns, first.a, takesScale), k = unwrap(patterns, first.b, takesScale);
  if (!mayMove(q.scale * k.scale)) {
    q = unwrap(patterns, first.a, false);
    k = unwrap(patterns, first.b, false);
  }
  const Stored v = unwrap(patterns, last->b, false);
  if (!std::isfinite(scale)) return std::nullopt;
  Found found{{.q = q.operand, .k = k.operand, .v = v.operand, .mask = masked->mask}, std::move(masked->scores.inner)};
  found.inner.push_back(last->a);
  found.attention.before = static_cast<float>(q.scale * k.scale);
  found.attention.scale = scale;
  found.attention.qPermutation = widened(q.permutation);
  found.attention.kPermutation = widened(k.permutation);
  std::swap(found.attention.kPermutation[kRank - 2], found.attention.kPermutation[kRank - 1]);  // Attention computes q * k^T
  found.attention.vPermutation = widened(v.permutation);
  found.attention.options = last->options;
  const std::optional<Grouped> keys = groupedOf(patterns, k), values = groupedOf(patterns, v);
  if (keys && values && keys->repeats == values->repeats) {
    found.attention.k = keys->operand, found.attention.v = values->operand;
    found.attention.repeats = keys->repeats;
  }
  return found;
}

// Replaces the node by an attention. If the node is a transpose of a product without other users, the attention absorbs it.
bool fuse(const Patterns& patterns, ModuleNode& node, const PassOptions& options) {
  const Operand& result = node.outputs[0];
  const auto* transpose = as<ops::Transpose>(node.operation);
  if (!transpose && !as<ops::Matmul>(node.operation)) return false;
  const Operand product = transpose ? transpose->input : result;
  std::optional<Found> found = attentionOf(patterns, product, options);
  if (!found) return false;
  if (transpose) {
    if (!patterns.isUsedOnce(product)) return false;
    found->attention.outputPermutation = widened(*transpose->options.permutation);
    found->inner.push_back(product);
  }
  if (!patterns.areInner(found->inner, result)) return false;
  node.operation = std::move(found->attention);
  return true;
}

}  // namespace

// Visits transposes before products (in reverse order): after a product has become an attention, the transpose of its result
// would not be recognized any more.
void fuseAttention(Module& module, const PassOptions& options) {
  const Patterns patterns(module);
  bool isChanged = false;
  for (std::size_t i = module.nodes.size(); i-- > 0;) isChanged |= fuse(patterns, module.nodes[i], options);
  if (isChanged) eliminateDeadCode(module, options);
}

}  // namespace webnn::compiler
