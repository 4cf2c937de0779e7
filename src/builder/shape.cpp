#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn {

Operand GraphBuilder::concat(std::vector<Operand> inputs, std::uint32_t axis, OperatorOptions options) {
  return appendOne(ops::Concat{std::move(inputs), axis, std::move(options)});
}

Operand GraphBuilder::expand(Operand input, std::vector<std::uint32_t> newShape, OperatorOptions options) {
  return appendOne(ops::Expand{std::move(input), std::move(newShape), std::move(options)});
}

Operand GraphBuilder::pad(Operand input, std::vector<std::uint32_t> beginningPadding, std::vector<std::uint32_t> endingPadding,
                          PadOptions options) {
  return appendOne(ops::Pad{std::move(input), std::move(beginningPadding), std::move(endingPadding), std::move(options)});
}

Operand GraphBuilder::reshape(Operand input, std::vector<std::uint32_t> newShape, OperatorOptions options) {
  return appendOne(ops::Reshape{std::move(input), std::move(newShape), std::move(options)});
}

Operand GraphBuilder::reverse(Operand input, ReverseOptions options) {
  return appendOne(ops::Reverse{std::move(input), std::move(options)});
}

Operand GraphBuilder::slice(Operand input, std::vector<std::uint32_t> starts, std::vector<std::uint32_t> sizes,
                            SliceOptions options) {
  return appendOne(ops::Slice{std::move(input), std::move(starts), std::move(sizes), std::move(options)});
}

std::vector<Operand> GraphBuilder::split(Operand input, Splits splits, SplitOptions options) {
  return append(ops::Split{std::move(input), std::move(splits), std::move(options)});
}

Operand GraphBuilder::tile(Operand input, std::vector<std::uint32_t> repetitions, OperatorOptions options) {
  return appendOne(ops::Tile{std::move(input), std::move(repetitions), std::move(options)});
}

Operand GraphBuilder::transpose(Operand input, TransposeOptions options) {
  return appendOne(ops::Transpose{std::move(input), std::move(options)});
}

Operand GraphBuilder::triangular(Operand input, TriangularOptions options) {
  return appendOne(ops::Triangular{std::move(input), std::move(options)});
}

}  // namespace webnn
