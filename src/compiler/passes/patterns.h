// Finds patterns of operations in a module.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/module.h"

namespace webnn::compiler {

// A module with the producers and users of its operands. A pass replaces a pattern by changing the operation of the pattern's
// last node. The other nodes of the pattern must not have users outside it; they become dead code.
class Patterns {
 public:
  explicit Patterns(Module& searched) : module(searched), uses_(searched) {}

  Module& module;

  // Returns the node that produces the operand, or null.
  const ModuleNode* producerOf(const Operand& operand) const { return uses_.producerOf(module, operand); }
  // Returns the operation that produces the operand, or null if it is not an Op.
  template <typename Op>
  const Op* made(const Operand& operand) const {
    const ModuleNode* node = uses_.producerOf(module, operand);
    return node ? as<Op>(node->operation) : nullptr;
  }
  const ops::Binary* binary(const Operand& operand, ops::BinaryKind kind) const;
  const ops::Unary* unary(const Operand& operand, ops::UnaryKind kind) const;
  // Returns the reduction that produces the operand, or null if the reduction is not of `kind`, does not keep dimensions or names
  // no axes.
  const ops::Reduce* reduction(const Operand& operand, ops::ReduceKind kind) const;

  // Returns whether the operand has exactly one use, by a node.
  bool isUsedOnce(const Operand& operand) const;
  // Returns whether all nodes that compute `inner` are used only by each other and by the node that computes `last`.
  bool areInner(const std::vector<Operand>& inner, const Operand& last) const;

 private:
  Uses uses_;
};

bool isSame(const Operand& a, const Operand& b);
bool isFloat32(const Operand& operand);
// Returns whether |a - b| is within a few units in the last place of a float32.
bool isNear(double a, double b);

// Returns the axis of a dimension after a reshape, or nullopt if the reshape splits the dimension or merges it with others.
std::optional<std::uint32_t> axisAfter(const Shape& from, std::uint32_t axis, const Shape& to);

// Returns constant indices into a dimension of `size` elements, counted from its beginning and clamped to it.
std::vector<std::int32_t> resolvedIndices(const Operand& indices, std::uint32_t size);

// The maximum depth of a pattern. Without a limit, searching from every node of a long chain would take quadratic time.
inline constexpr std::size_t kMostUnwrapped = 32;

// The parts of factor * x + shift, which operations with constants or `linear` compute.
struct AffineForm {
  Operand x;
  double factor = 1, shift = 0;
};
// If an affine operation computes form.x: replaces form.x by the operation's input, updates the factor and the shift, adds the
// old form.x to `inner`, and returns true. Otherwise changes nothing and returns false. Callers repeat this to walk up a chain.
// Therefore, the function also returns false if `inner` has kMostUnwrapped operands, or if both the operation and `form` have a
// shift (the two may cancel). The input must have the shape of form.x and, unless `takesAny`, the operation's factor must be one
// that may move (factors.h).
bool unwrapAffine(const Patterns& patterns, AffineForm& form, std::vector<Operand>& inner, bool takesAny = false);

// The parts of factor * (product of `operands`); all operands have the same shape. `after` is the part of the factor that the
// graph applies after the product.
struct Factors {
  double factor = 1, after = 1;
  std::vector<Operand> operands;
  std::vector<Operand> inner;  // the products that were unwrapped, without the operand itself
};
// Unwraps products until it reaches an operand in `stops` or another kind of operation. Returns nullopt if an operand that it
// reaches has another shape than `operand`, or if there are too many products.
std::optional<Factors> factorsOf(const Patterns& patterns, const Operand& operand, const std::vector<Operand>& stops);

}  // namespace webnn::compiler
