#include <cmath>
#include <numeric>

#include "compiler/passes/factors.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/patterns.h"

namespace webnn::compiler {

namespace {

using ops::BinaryKind;
using HeadsPermutation = std::vector<std::uint32_t>;

constexpr std::size_t kRank = 4;

// An operand as stored: dimension j of the unwrapped operand is dimension permutation[j] of this one.
struct Stored {
  Operand operand;
  HeadsPermutation permutation;
  double scale = 1;
};

// Unwraps transposes, and products with numbers if `takesScale`. If they have other users, they are still computed for those.
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

// Keys or values with fewer heads than the queries, as stored, and how many query heads share each.
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

// Pads the shape with leading 1s, and extends the permutation to the same rank.
HeadsPermutation widened(const HeadsPermutation& permutation) {
  const auto missing = static_cast<std::uint32_t>(kRank - permutation.size());
  HeadsPermutation result(missing);
  std::iota(result.begin(), result.end(), 0U);
  for (const std::uint32_t dimension : permutation) result.push_back(dimension + missing);
  return result;
}

// The product of queries and keys, and the factor that multiplies it.
struct Scores {
  Operand product;
  const ops::Matmul* matmul = nullptr;
  double scale = 1;
  std::vector<Operand> inner;
};
std::optional<Scores> scoresOf(const Patterns& patterns, const Operand& operand) {
  AffineForm form{operand, 1, 0};
  Scores scores;
  // The last factor stays unless the factors before it may move.
  while (!patterns.made<ops::Matmul>(form.x)) {
    if (!unwrapAffine(patterns, form, scores.inner, scores.inner.empty()) || form.shift != 0) return std::nullopt;
  }
  scores.product = form.x;
  scores.matmul = patterns.made<ops::Matmul>(form.x);
  scores.scale = form.factor;
  scores.inner.push_back(form.x);
  return scores;
}

// Scores plus a mask that is broadcast to their shape.
struct Masked {
  Scores scores;
  std::optional<Operand> mask;
};
std::optional<Masked> maskedScoresOf(const Patterns& patterns, const Operand& operand) {
  if (std::optional<Scores> scores = scoresOf(patterns, operand)) return Masked{std::move(*scores), std::nullopt};
  const auto* add = patterns.binary(operand, BinaryKind::add);
  if (!add) return std::nullopt;
  for (const bool isSecond : {false, true}) {
    const Operand &product = isSecond ? add->b : add->a, &mask = isSecond ? add->a : add->b;
    std::optional<Scores> scores = scoresOf(patterns, product);
    if (!scores || product.shape() != operand.shape() || isSame(product, mask)) continue;
    scores->inner.push_back(operand);
    return Masked{std::move(*scores), mask};
  }
  return std::nullopt;
}

bool fits(const Operand& operand) { return isFloat32(operand) && operand.rank() >= 2 && operand.rank() <= kRank; }

// The attention whose last product computes the operand, before its output is permuted.
struct Found {
  Attention attention;
  std::vector<Operand> inner;
};
std::optional<Found> attentionOf(const Patterns& patterns, const Operand& result) {
  const auto* last = patterns.made<ops::Matmul>(result);
  const auto* softmax = last ? patterns.made<ops::Softmax>(last->a) : nullptr;
  if (!softmax || !fits(result) || softmax->axis + 1 != last->a.rank()) return std::nullopt;
  std::optional<Masked> masked = maskedScoresOf(patterns, softmax->input);
  if (!masked) return std::nullopt;
  const ops::Matmul& first = *masked->scores.matmul;
  for (const Operand& operand : {first.a, first.b, last->b}) {
    if (!fits(operand)) return std::nullopt;
  }
  const auto scale = static_cast<float>(masked->scores.scale);
  // Factors of queries and keys may move behind their product: the step computes scores again that are infinite only without the
  // factors.
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
  std::swap(found.attention.kPermutation[kRank - 2], found.attention.kPermutation[kRank - 1]);  // the product transposes k
  found.attention.vPermutation = widened(v.permutation);
  found.attention.options = last->options;
  const std::optional<Grouped> keys = groupedOf(patterns, k), values = groupedOf(patterns, v);
  if (keys && values && keys->repeats == values->repeats) {
    found.attention.k = keys->operand, found.attention.v = values->operand;
    found.attention.repeats = keys->repeats;
  }
  return found;
}

// Absorbs the transpose of the result if the result has no other user.
bool fuse(const Patterns& patterns, ModuleNode& node) {
  const Operand& result = node.outputs[0];
  const auto* transpose = as<ops::Transpose>(node.operation);
  if (!transpose && !as<ops::Matmul>(node.operation)) return false;
  const Operand product = transpose ? transpose->input : result;
  std::optional<Found> found = attentionOf(patterns, product);
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

// Visits transposes first: once a product has become an attention, the transpose after it is no longer recognized.
void fuseAttention(Module& module, const PassOptions& options) {
  const Patterns patterns(module);
  bool isChanged = false;
  for (std::size_t i = module.nodes.size(); i-- > 0;) isChanged |= fuse(patterns, module.nodes[i]);
  if (isChanged) eliminateDeadCode(module, options);
}

}  // namespace webnn::compiler
