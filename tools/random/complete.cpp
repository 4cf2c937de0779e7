#include "random/complete.h"

namespace webnn::random {

namespace {

// Returns whether the operation's results change by only about one step if its integer operands are off by one.
bool takesLoose(const Operation& operation) {
  return std::visit(
      []<typename Op>(const Op&) {
        return std::is_same_v<Op, ops::DequantizeLinear> || std::is_same_v<Op, ops::Concat> || std::is_same_v<Op, ops::Expand> ||
               std::is_same_v<Op, ops::Pad> || std::is_same_v<Op, ops::Reshape> || std::is_same_v<Op, ops::Reverse> ||
               std::is_same_v<Op, ops::Slice> || std::is_same_v<Op, ops::Split> || std::is_same_v<Op, ops::Tile> ||
               std::is_same_v<Op, ops::Transpose> || std::is_same_v<Op, ops::Triangular> || std::is_same_v<Op, ops::Gather> ||
               std::is_same_v<Op, ops::GatherElements> || std::is_same_v<Op, ops::GatherND> || std::is_same_v<Op, ops::Clamp> ||
               std::is_same_v<Op, ops::ScatterElements> || std::is_same_v<Op, ops::ScatterND> ||
               std::is_same_v<Op, ops::Resample2d>;
      },
      operation);
}

}  // namespace

Taking::Taking(Maker& maker, const Operation& operation) : maker_(maker), exact_(maker.takesExactOnly), loose_(maker.takesLoose) {
  maker.takesExactOnly = !maker.style.isOpen && (exact_ || jumps(operation));
  maker.takesLoose = maker.style.isOpen || webnn::random::takesLoose(operation);
}

Taking::~Taking() {
  maker_.takesExactOnly = exact_;
  maker_.takesLoose = loose_;
}

void complete(Operation& operation, Maker& maker) {
  const Taking taking(maker, operation);
  std::visit([&](auto& op) { complete(maker, op); }, operation);
}

}  // namespace webnn::random
