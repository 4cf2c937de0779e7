// Normalization operators of com.microsoft that first add their inputs.
#include "onnx/read/node_context.h"
#include "onnx/read/operators/normalization.h"

namespace webnn::formats::onnx {

namespace {

constexpr double kEpsilon = 1e-12;

// Returns the sum of inputs 0 and 1, plus the input `bias` if it is present.
Operand sumWithSkip(NodeContext& node, std::size_t bias) {
  const Operand sum = node.builder.add(node.operand(0), node.operand(1));
  return node.has(bias) ? node.builder.add(sum, node.operand(bias)) : sum;
}

std::uint32_t lastAxis(const NodeContext& node, const Operand& operand) { return node.axis(-1, operand.rank()); }

// Looks up rows of a table. `table` is the index of the input that holds it.
Operand lookUp(NodeContext& node, std::size_t table, const Operand& indices) {
  return node.builder.gather(node.operand(table), indices);
}

// Returns the rows of the position table at the given positions, or its first `length` rows if no positions are given.
Operand positionEmbedding(NodeContext& node, std::uint32_t length) {
  constexpr std::size_t kTable = 3, kPositions = 8;
  if (node.has(kPositions)) return lookUp(node, kTable, node.operand(kPositions));
  const Operand table = node.operand(kTable);
  if (table.rank() != 2) fail(ErrorKind::dataError, "the table of positions has the rank {}, not 2.", table.rank());
  return node.builder.slice(table, {0, 0}, {length, table.shape()[1]});
}

// Returns for each row of the batch the number of ones in the mask; 0 without a mask.
Operand countWords(NodeContext& node, const Operand& words, std::size_t mask) {
  if (!node.has(mask)) return node.expand(node.scalar(DataType::int32, 0), {words.shape()[0]});
  const Operand isWord = node.builder.equal(node.operand(mask), node.scalar(node.operand(mask).dataType(), 1));
  return node.builder.reduceSum(node.builder.cast(isWord, DataType::int32), {.axes = {1}, .label = {}});
}

}  // namespace

void importSkipLayerNormalization(NodeContext& node) {
  const Operand sum = sumWithSkip(node, 4);
  const double epsilon = node.number("epsilon", kEpsilon);
  const std::uint32_t axis = lastAxis(node, sum);
  node.set(0, normalizeLayers(node, sum, axis, node.operand(2), node.optionalOperand(3), epsilon));
  if (node.wants(1) || node.wants(2)) {
    const Moments moments = momentsOf(node, node.cast(sum, DataType::float32), {axis}, epsilon);
    node.set(1, moments.mean);
    node.set(2, moments.inverseDeviation);
  }
  if (node.wants(3)) node.set(3, sum);
}

void importSkipSimplifiedLayerNormalization(NodeContext& node) {
  const Operand sum = sumWithSkip(node, 3);
  const RootMeanSquare result =
      normalizeByRootMeanSquare(node, sum, {lastAxis(node, sum)}, node.number("epsilon", kEpsilon), DataType::float32);
  node.set(0, node.builder.mul(result.normalized, node.operand(2)));
  if (node.wants(2)) node.set(2, result.inverse);
  if (node.wants(3)) node.set(3, sum);
}

// Adds the embeddings of words, positions and segments (if present) and normalizes the sum.
void importEmbedLayerNormalization(NodeContext& node) {
  const Operand words = node.operand(0);
  if (words.rank() != 2) fail(ErrorKind::dataError, "input_ids has the rank {}, not 2.", words.rank());
  Operand sum = node.builder.add(lookUp(node, 2, words), positionEmbedding(node, words.shape()[1]));
  if (node.has(1)) sum = node.builder.add(sum, lookUp(node, 4, node.operand(1)));
  node.set(0,
           normalizeLayers(node, sum, lastAxis(node, sum), node.operand(5), node.operand(6), node.number("epsilon", kEpsilon)));
  if (node.wants(1)) node.set(1, countWords(node, words, 7));
  if (node.wants(2)) node.set(2, sum);
}

}  // namespace webnn::formats::onnx
