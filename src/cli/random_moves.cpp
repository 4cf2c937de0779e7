#include "cli/random_maker.h"

namespace webnn::cli {

namespace {

using Results = std::vector<Operand>;
using enum DataType;

Operand anything(RandomMaker& m, std::size_t lowRank = 0, std::size_t highRank = 8) {
  return m.any({float32, float32, float16, int32, uint32, int64, uint64, int8, uint8, int4, uint4}, lowRank, highRank);
}

std::uint32_t axisOf(RandomMaker& m, const Operand& x) { return m.below(static_cast<std::uint32_t>(x.rank())); }

void concat(RandomMaker& m, Results& results) {
  const Operand x = anything(m, 1);
  const std::uint32_t axis = axisOf(m, x);
  std::vector<Operand> inputs{x};
  for (std::uint32_t i = m.below(4); i > 0; --i) {
    Shape shape = x.shape();
    shape[axis] = m.size();
    inputs.push_back(m.oneIn(4) ? x : m.fresh(x.dataType(), shape));
  }
  results.push_back(m.builder.concat(inputs, axis));
}

void expand(RandomMaker& m, Results& results) {
  const Shape target = m.shape(m.between(0, 5));
  results.push_back(m.builder.expand(m.broadcastable(m.pick({float32, float16, int32, uint8, int64}), target), target));
}

void pad(RandomMaker& m, Results& results) {
  const PaddingMode mode = m.pick({PaddingMode::constant, PaddingMode::edge, PaddingMode::reflection});
  const Operand x = m.any({float32, float16, int32, uint8, int64, int8}, 1);
  std::vector<std::uint32_t> before, after;
  for (const std::uint32_t size : x.shape()) {
    const std::uint32_t most = mode == PaddingMode::reflection ? std::min(size - 1, 3U) : 3U;
    before.push_back(m.below(most + 1)), after.push_back(m.below(most + 1));
  }
  results.push_back(m.builder.pad(x, before, after, {.mode = mode, .value = static_cast<int>(m.below(3))}));
}

void reshape(RandomMaker& m, Results& results) {
  const Operand x = anything(m);
  Shape shape;
  std::uint32_t run = 1;
  for (const std::uint32_t size : x.shape()) {  // merges some dimensions, and adds some of 1
    run *= size;
    if (m.oneIn(2)) shape.push_back(run), run = 1;
    if (m.oneIn(5)) shape.push_back(1);
  }
  if (run > 1 || shape.empty()) shape.push_back(run);
  results.push_back(m.builder.reshape(x, shape));
}

void reverse(RandomMaker& m, Results& results) {
  const Operand x = anything(m);
  ReverseOptions options;
  if (m.oneIn(2)) {
    options.axes.emplace();
    for (std::uint32_t i = 0; i < x.rank(); ++i) {
      if (m.oneIn(2)) options.axes->push_back(i);
    }
  }
  results.push_back(m.builder.reverse(x, options));
}

void slice(RandomMaker& m, Results& results) {
  const Operand x = anything(m, 1);
  std::vector<std::uint32_t> starts, sizes, strides;
  for (const std::uint32_t size : x.shape()) {
    starts.push_back(m.below(size));
    sizes.push_back(m.between(1, size - starts.back()));
    strides.push_back(m.between(1, 3));
  }
  SliceOptions options;
  if (m.oneIn(2)) options.strides = strides;
  results.push_back(m.builder.slice(x, starts, sizes, options));
}

void split(RandomMaker& m, Results& results) {
  const Operand x = anything(m, 1);
  const std::uint32_t axis = axisOf(m, x), size = x.shape()[axis];
  std::vector<std::uint32_t> parts;
  for (std::uint32_t left = size; left > 0; left -= parts.back()) parts.push_back(parts.size() == 3 ? left : m.between(1, left));
  for (const Operand& part : m.builder.split(x, parts, {.axis = axis})) results.push_back(part);
}

void tile(RandomMaker& m, Results& results) {
  const Operand x = anything(m);
  std::vector<std::uint32_t> repetitions;
  for (std::size_t i = 0; i < x.rank(); ++i) repetitions.push_back(m.oneIn(2) ? 1 : m.between(1, 3));
  results.push_back(m.builder.tile(x, repetitions));
}

void transpose(RandomMaker& m, Results& results) {
  const Operand x = anything(m);
  TransposeOptions options;
  if (!m.oneIn(4)) options.permutation = m.permutation(x.rank());
  results.push_back(m.builder.transpose(x, options));
}

void triangular(RandomMaker& m, Results& results) {
  const Operand x = m.any({float32, float16, int32, uint8, int64}, 2);
  results.push_back(m.builder.triangular(x, {.upper = m.oneIn(2), .diagonal = static_cast<std::int32_t>(m.below(7)) - 3}));
}

DataType indexType(RandomMaker& m) { return m.pick({int32, uint32, int64}); }

void gather(RandomMaker& m, Results& results) {
  const Operand x = anything(m, 1, 5);
  const std::uint32_t axis = axisOf(m, x), size = x.shape()[axis];
  const Operand indices = m.fresh(indexType(m), m.shape(m.between(0, 3), 64), -static_cast<double>(size), size);
  results.push_back(m.builder.gather(x, indices, {.axis = axis}));
}

void gatherElements(RandomMaker& m, Results& results) {
  const Operand x = anything(m, 1, 5);
  const std::uint32_t axis = axisOf(m, x), size = x.shape()[axis];
  Shape shape = x.shape();
  shape[axis] = m.size();
  results.push_back(m.builder.gatherElements(x, m.fresh(indexType(m), shape, -static_cast<double>(size), size), {.axis = axis}));
}

void gatherND(RandomMaker& m, Results& results) {
  const Operand x = anything(m, 1, 5);
  Shape shape = m.shape(m.between(0, 2), 32);
  shape.push_back(m.between(1, static_cast<std::uint32_t>(x.rank())));
  results.push_back(m.builder.gatherND(x, m.fresh(indexType(m), shape, -3, 5)));
}

void scatterElements(RandomMaker& m, Results& results) {
  const Operand x = m.any({float32, float16, int32, uint8, int64}, 1, 5);
  const std::uint32_t axis = axisOf(m, x), size = x.shape()[axis];
  Shape shape = x.shape();
  shape[axis] = m.size();
  const Operand indices = m.fresh(indexType(m), shape, -static_cast<double>(size), size - 1);
  results.push_back(m.builder.scatterElements(x, indices, m.fresh(x.dataType(), shape), {.axis = axis}));
}

void scatterND(RandomMaker& m, Results& results) {
  const Operand x = m.any({float32, float16, int32, uint8, int64}, 1, 5);
  Shape shape = m.shape(m.between(0, 2), 32), updates = shape;
  const std::uint32_t depth = m.between(1, static_cast<std::uint32_t>(x.rank()));
  shape.push_back(depth);
  updates.insert(updates.end(), x.shape().begin() + depth, x.shape().end());
  results.push_back(m.builder.scatterND(x, m.fresh(indexType(m), shape, -2, 3), m.fresh(x.dataType(), updates)));
}

Shape blocksOf(RandomMaker& m, const Shape& shape) {
  Shape blocks = shape;
  for (std::uint32_t& size : blocks) {
    if (m.oneIn(2)) size = 1;
    if (size % 2 == 0 && m.oneIn(4)) size /= 2;
  }
  return blocks;
}

void dequantize(RandomMaker& m, Results& results) {
  const Operand x = m.any({int8, uint8, int4, uint4, int32}, 0, 5);
  const Shape blocks = blocksOf(m, x.shape());
  const Operand scale = m.fresh(m.floatType(), blocks, 0.05, 1), zeroPoint = m.fresh(x.dataType(), blocks, 0, 5);
  results.push_back(m.builder.dequantizeLinear(x, scale, zeroPoint));
}

void quantize(RandomMaker& m, Results& results) {
  const Operand x = m.any({float32, float16}, 0, 5);
  const Shape blocks = blocksOf(m, x.shape());
  const Operand scale = m.fresh(x.dataType(), blocks, 0.05, 1);
  results.push_back(m.builder.quantizeLinear(x, scale, m.fresh(m.pick({int8, uint8, int4, uint4, int32}), blocks, 0, 5)));
}

}  // namespace

std::vector<RandomOperation> randomMoves() {
  return {
      {"concat", false, false, concat},
      {"expand", false, false, expand},
      {"pad", false, false, pad},
      {"reshape", false, false, reshape},
      {"reverse", false, false, reverse},
      {"slice", false, false, slice},
      {"split", false, false, split},
      {"tile", false, false, tile},
      {"transpose", false, false, transpose},
      {"transpose again", false, false, transpose},
      {"triangular", false, false, triangular},
      {"gather", false, false, gather},
      {"gatherElements", false, false, gatherElements},
      {"gatherND", false, false, gatherND},
      {"scatterElements", false, false, scatterElements},
      {"scatterND", false, false, scatterND},
      {"dequantizeLinear", true, true, dequantize},
      {"quantizeLinear", true, false, quantize},
  };
}

}  // namespace webnn::cli
