// Normalization operators of com.microsoft that first add their inputs.
#include <functional>
#include <optional>

#include "onnx/read/node_context.h"
#include "onnx/read/operators/normalization.h"
#include "onnx/read/operators/quantized/quantization.h"

namespace webnn::formats::onnx {

namespace {

constexpr double kEpsilon = 1e-12;

// Returns the sum of inputs 0 and 1, plus the input `bias` if it is present.
Operand sumWithSkip(NodeContext& node, std::size_t bias) {
  const Operand sum = node.builder.add(node.operand(0), node.operand(1));
  return node.has(bias) ? node.builder.add(sum, node.operand(bias)) : sum;
}

std::uint32_t lastAxis(const NodeContext& node, const Operand& operand) { return node.axis(-1, operand.rank()); }

// The indices of the inputs that EmbedLayerNormalization and QEmbedLayerNormalization have in common.
constexpr std::size_t kWords = 0, kSegments = 1, kWordTable = 2, kPositionTable = 3, kSegmentTable = 4, kGamma = 5, kBeta = 6,
                      kMask = 7;

// Chooses rows of a table, or all of it.
using Select = std::function<Operand(const Operand& table)>;
// Returns the chosen rows of an input as floats.
using ReadRows = std::function<Operand(std::size_t input, const Select& select)>;

// Returns the sum of the embeddings of words, positions and segments (if present). Sets result 0 to the normalized sum.
// `positions` is the index of the input with the positions. Without this input, row i of the position table belongs to word i of
// a sequence.
Operand normalizeEmbeddings(NodeContext& node, const ReadRows& read, std::optional<std::size_t> positions) {
  const Operand words = node.operand(kWords);
  if (words.rank() != 2) fail(ErrorKind::dataError, "input_ids has the rank {}, not 2.", words.rank());
  const auto at = [&](std::size_t indices) -> Select {
    return [&node, indices](const Operand& table) { return node.builder.gather(table, node.operand(indices)); };
  };
  const Select first = [&](const Operand& table) {
    if (table.rank() != 2) fail(ErrorKind::dataError, "the table of positions has the rank {}, not 2.", table.rank());
    return node.builder.slice(table, {0, 0}, {words.shape()[1], table.shape()[1]});
  };
  const Select all = [](const Operand& table) { return table; };
  const Operand places = read(kPositionTable, positions && node.has(*positions) ? at(*positions) : first);
  Operand sum = node.builder.add(read(kWordTable, at(kWords)), places);
  if (node.has(kSegments)) sum = node.builder.add(sum, read(kSegmentTable, at(kSegments)));
  const double epsilon = node.number("epsilon", kEpsilon);
  node.set(0, normalizeLayers(node, sum, lastAxis(node, sum), read(kGamma, all), read(kBeta, all), epsilon));
  return sum;
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

void importEmbedLayerNormalization(NodeContext& node) {
  const auto read = [&](std::size_t input, const Select& select) { return select(node.operand(input)); };
  const Operand sum = normalizeEmbeddings(node, read, 8);
  if (node.wants(1)) node.set(1, countWords(node, node.operand(kWords), kMask));
  if (node.wants(2)) node.set(2, sum);
}

// The scale of input i is input i + 6, the zero point input i + 11.
void importQEmbedLayerNormalization(NodeContext& node) {
  const auto read = [&](std::size_t input, const Select& select) {
    return dequantize(node, select(node.operand(input)), node.operand(input + 6), node.optionalOperand(input + 11));
  };
  normalizeEmbeddings(node, read, std::nullopt);
  if (node.wants(1)) node.set(1, countWords(node, node.operand(kWords), kMask));
}

}  // namespace webnn::formats::onnx
