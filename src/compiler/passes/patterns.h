// Finding patterns of operations in a module, for the passes that replace them.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/module.h"

namespace webnn::compiler {

// A module with the producers and users of its operands. A pattern is replaced by changing the operation of its last node; all
// its other nodes must be used by the pattern alone, and become dead.
class Patterns {
 public:
  explicit Patterns(Module& searched) : module(searched), uses_(searched) {}

  Module& module;

  // The operation that produces the operand, if it is of that kind.
  template <typename Op>
  const Op* made(const Operand& operand) const {
    const ModuleNode* node = uses_.producerOf(module, operand);
    return node ? as<Op>(node->operation) : nullptr;
  }
  const ops::Binary* binary(const Operand& operand, ops::BinaryKind kind) const;
  const ops::Unary* unary(const Operand& operand, ops::UnaryKind kind) const;
  // The reduction of `kind`, if it keeps dimensions; its axes are given.
  const ops::Reduce* reduction(const Operand& operand, ops::ReduceKind kind) const;

  // Whether the operand has exactly one use, by a node.
  bool isUsedOnce(const Operand& operand) const;
  // Whether the nodes that make `inner` are used by each other and by the node that makes `last` only.
  bool areInner(const std::vector<Operand>& inner, const Operand& last) const;

 private:
  Uses uses_;
};

bool isSame(const Operand& a, const Operand& b);
bool isFloat32(const Operand& operand);
// |a - b| within a few units in the last place of a float32.
bool isNear(double a, double b);

// No pattern is deeper. The bound keeps a search at every node of a long chain from walking the whole chain.
inline constexpr std::size_t kMostUnwrapped = 32;

// operand = factor * x + shift, written with numbers as operands, or as `linear`.
struct AffineForm {
  Operand x;
  double factor = 1, shift = 0;
};
// Unwraps the last operation of line.x if it is one of those; adds what it unwrapped to `inner`. At most kMostUnwrapped, of
// factors that may move (factors.h) or any if `takesAny`, and of one shift: a second one may be what is left of the first.
bool unwrapAffine(const Patterns& patterns, AffineForm& form, std::vector<Operand>& inner, bool takesAny = false);

// operand = factor * the product of operands of its shape; `after` is what of the factor comes after that product.
struct Factors {
  double factor = 1, after = 1;
  std::vector<Operand> operands;
  std::vector<Operand> inner;  // the products that it was unwrapped from, less the operand itself
};
// Unwraps products until it reaches an operand in `stops` or another operation.
std::optional<Factors> factorsOf(const Patterns& patterns, const Operand& operand, const std::vector<Operand>& stops);

}  // namespace webnn::compiler
