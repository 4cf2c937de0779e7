#include "compiler/passes/patterns.h"

#include <algorithm>
#include <cmath>

#include "base/progress.h"
#include "base/unaligned.h"
#include "compiler/passes/factors.h"

namespace webnn::compiler {

using ops::BinaryKind;

const ops::Binary* Patterns::binary(const Operand& operand, BinaryKind kind) const {
  const auto* op = made<ops::Binary>(operand);
  return op && op->kind == kind ? op : nullptr;
}

const ops::Unary* Patterns::unary(const Operand& operand, ops::UnaryKind kind) const {
  const auto* op = made<ops::Unary>(operand);
  return op && op->kind == kind ? op : nullptr;
}

const ops::Reduce* Patterns::reduction(const Operand& operand, ops::ReduceKind kind) const {
  const auto* op = made<ops::Reduce>(operand);
  return op && op->kind == kind && op->options.keepDimensions && op->options.axes ? op : nullptr;
}

bool Patterns::isUsedOnce(const Operand& operand) const {
  return uses_.of(operand) == 1 && !uses_.isOutput[operand.record().index];
}

bool Patterns::areInner(const std::vector<Operand>& inner, const Operand& last) const {
  const auto producer = [&](const Operand& operand) { return uses_.producer[operand.record().index]; };
  std::vector<std::int32_t> nodes{producer(last)};
  for (const Operand& operand : inner) nodes.push_back(producer(operand));
  return std::ranges::all_of(inner, [&](const Operand& operand) {
    const std::uint32_t index = operand.record().index;
    return producer(operand) >= 0 && !uses_.isOutput[index] &&
           std::ranges::all_of(uses_.consumers(index), [&](std::uint32_t node) {
             return std::ranges::find(nodes, static_cast<std::int32_t>(node)) != nodes.end();
           });
  });
}

bool isSame(const Operand& a, const Operand& b) { return a.record().index == b.record().index; }
bool isFloat32(const Operand& operand) { return operand.dataType() == DataType::float32; }
bool isNear(double a, double b) { return std::abs(a - b) <= 3e-7 * std::abs(b); }

bool unwrapAffine(const Patterns& patterns, AffineForm& form, std::vector<Operand>& inner, bool takesAny) {
  if (inner.size() >= kMostUnwrapped) return false;
  const Operand operand = form.x;
  const auto accept = [&](const Operand& x, double factor, double shift) {
    if (x.shape() != operand.shape() || !(takesAny || mayMove(factor)) || (shift != 0 && form.shift != 0)) return false;
    form.shift += form.factor * shift;
    form.factor *= factor;
    form.x = x;
    inner.push_back(operand);
    return true;
  };
  if (const auto* op = patterns.made<ops::Linear>(operand)) return accept(op->input, op->options.alpha, op->options.beta);
  if (const auto* op = patterns.unary(operand, ops::UnaryKind::neg)) return accept(op->input, -1, 0);
  const auto* op = patterns.made<ops::Binary>(operand);
  if (!op) return false;
  const std::optional<float> a = uniformValue(op->a), b = uniformValue(op->b);
  switch (op->kind) {
    case BinaryKind::add: return b ? accept(op->a, 1, *b) : a && accept(op->b, 1, *a);
    case BinaryKind::sub: return b ? accept(op->a, 1, -*b) : a && accept(op->b, -1, *a);
    case BinaryKind::mul: return b ? accept(op->a, *b, 0) : a && accept(op->b, *a, 0);
    case BinaryKind::div: return b && *b != 0 && accept(op->a, 1 / double{*b}, 0);
    default: return false;
  }
}

namespace {

template <typename T>
std::vector<std::int32_t> resolvedAs(const Operand& indices, std::int64_t size) {
  const std::span<const std::byte> bytes = indices.record().bytes;
  std::vector<std::int32_t> result(bytes.size() / sizeof(T));
  inParts(result.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      auto index = static_cast<std::int64_t>(loadUnaligned<T>(bytes.data() + i * sizeof(T)));
      if (index < 0) index += size;
      result[i] = static_cast<std::int32_t>(std::clamp<std::int64_t>(index, 0, size - 1));
    }
  });
  return result;
}

}  // namespace

std::optional<std::uint32_t> axisAfter(const Shape& from, std::uint32_t axis, const Shape& to) {
  std::uint64_t outer = 1, before = 1;
  for (std::uint32_t i = 0; i < axis; ++i) outer *= from[i];
  for (std::uint32_t i = 0; i < to.size() && before <= outer; before *= to[i++]) {
    if (before == outer && to[i] == from[axis]) return i;
  }
  return std::nullopt;
}

std::vector<std::int32_t> resolvedIndices(const Operand& indices, std::uint32_t size) {
  switch (indices.dataType()) {
    case DataType::int32: return resolvedAs<std::int32_t>(indices, size);
    case DataType::uint32: return resolvedAs<std::uint32_t>(indices, size);
    default: return resolvedAs<std::int64_t>(indices, size);
  }
}

std::optional<Factors> factorsOf(const Patterns& patterns, const Operand& operand, const std::vector<Operand>& stops) {
  constexpr std::size_t kMost = 8;
  struct Part {
    Operand operand;
    double after = 1;  // the product of the constant factors between this operand and the next product (or the result)
  };
  Factors result;
  std::vector<Part> open;
  open.push_back({operand});
  while (!open.empty()) {
    const Operand next = open.back().operand;
    const double after = open.back().after;
    open.pop_back();
    const bool isStop = std::ranges::any_of(stops, [&](const Operand& stop) { return isSame(next, stop); });
    AffineForm form{next, 1, 0};
    std::vector<Operand> unwrapped;
    const auto* product = isStop ? nullptr : patterns.binary(next, BinaryKind::mul);
    const bool isAffine = !isStop && unwrapAffine(patterns, form, unwrapped) && form.shift == 0;
    if (isAffine) {
      result.factor *= form.factor;
      open.push_back({form.x, after * form.factor});
    } else if (product && !uniformValue(product->a) && !uniformValue(product->b)) {
      result.after = after;
      open.push_back({product->a});
      open.push_back({product->b});
    } else {
      if (next.shape() != operand.shape()) return std::nullopt;
      result.operands.push_back(next);
      continue;
    }
    if (!isSame(next, operand)) result.inner.push_back(next);
    if (result.operands.size() + result.inner.size() > kMost) return std::nullopt;
  }
  return result;
}

}  // namespace webnn::compiler
