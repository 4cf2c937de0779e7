#include "base/text.h"
#include "onnx/read/operators/attention/attention_block.h"

namespace webnn::formats::onnx {

namespace {

// Splits the last dimension into the first and the second elements of the pairs.
std::vector<Operand> splitPairs(NodeContext& node, const Operand& operand, bool isInterleaved) {
  Shape shape = operand.shape();
  const auto last = static_cast<std::uint32_t>(shape.size() - 1);
  if (!isInterleaved) return node.builder.split(operand, 2u, {.axis = last, .label = {}});
  shape[last] /= 2;
  Shape pairs = shape;
  pairs.push_back(2);
  std::vector<Operand> parts = node.builder.split(node.reshape(operand, pairs), 2u, {.axis = last + 1, .label = {}});
  for (Operand& part : parts) part = node.reshape(part, shape);
  return parts;
}

Operand joinPairs(NodeContext& node, const Operand& first, const Operand& second, bool isInterleaved) {
  Shape shape = first.shape();
  const auto last = static_cast<std::uint32_t>(shape.size() - 1);
  if (!isInterleaved) return node.builder.concat({first, second}, last);
  Shape single = shape;
  single.push_back(1);
  shape[last] *= 2;
  return node.reshape(node.builder.concat({node.reshape(first, single), node.reshape(second, single)}, last + 1), shape);
}

// A tensor of heads to rotate, and the dimensions along which its cosines and sines vary.
struct Rotation {
  Operand heads;  // [batch, sequence, heads, size], or [batch, heads, sequence, size] if headsFirst
  bool headsFirst = false;
  std::uint32_t batch = 0, sequence = 0;
};

// Splits an input of rank 3 into heads; `headSize` applies if the attribute num_heads is absent.
Rotation rotationOf(NodeContext& node, std::uint32_t headSize) {
  const Operand input = node.operand(0);
  const Shape& shape = input.shape();
  if (shape.size() == 4) return {input, true, shape[0], shape[2]};
  if (shape.size() != 3) fail(ErrorKind::dataError, "the rank of its input ({}) is not 3 or 4.", shape.size());
  const bool saysHeads = headSize == 0 || node.integer("num_heads", 0) != 0;
  const std::uint32_t heads = saysHeads ? headCount(node, "num_heads") : shape[2] / headSize;
  if (heads == 0 || shape[2] % heads != 0) {
    fail(ErrorKind::dataError, "a tensor {} does not consist of {} heads.", toString(shape), heads);
  }
  return {node.reshape(input, {shape[0], shape[1], heads, shape[2] / heads}), false, shape[0], shape[1]};
}

// Rotates the first elements of each head, as many as rotary_embedding_dim says (0: all), and sets result 0. Cosines and sines
// have the shape [batch or 1, sequence, rotated elements / 2].
void setRotated(NodeContext& node, const Rotation& rotation, Operand cosines, Operand sines) {
  std::int64_t size = node.integer("rotary_embedding_dim", 0);
  if (size == 0) size = rotation.heads.shape()[3];
  for (Operand* operand : {&cosines, &sines}) {
    const Shape& shape = operand->shape();
    if (shape.size() != 3 || 2 * std::int64_t{shape[2]} != size || size > rotation.heads.shape()[3]) {
      fail(ErrorKind::dataError, "cosines or sines {} do not rotate {} elements of heads {}.", toString(shape), size,
           toString(rotation.heads.shape()));
    }
    *operand = node.reshape(
        *operand, rotation.headsFirst ? Shape{shape[0], 1, shape[1], shape[2]} : Shape{shape[0], shape[1], 1, shape[2]});
  }
  const Operand result = rotate(node, rotation.heads, cosines, sines, node.flag("interleaved"));
  node.set(0, node.reshape(result, node.shape(0)));
}

}  // namespace

Operand rotate(NodeContext& node, const Operand& operand, const Operand& cosines, const Operand& sines, bool isInterleaved) {
  GraphBuilder& builder = node.builder;
  const auto last = static_cast<std::uint32_t>(operand.rank() - 1);
  const std::uint32_t size = operand.shape()[last], pairs = cosines.shape().back();
  if (pairs > size / 2) fail(ErrorKind::dataError, "{} pairs cannot be rotated in heads of {} elements.", pairs, size);
  std::vector<Operand> parts{operand};
  if (2 * pairs < size) {
    parts = builder.split(operand, std::vector<std::uint32_t>{2 * pairs, size - 2 * pairs}, {.axis = last, .label = {}});
  }
  const std::vector<Operand> x = splitPairs(node, parts[0], isInterleaved);
  const Operand real = builder.sub(builder.mul(x[0], cosines), builder.mul(x[1], sines));
  const Operand imaginary = builder.add(builder.mul(x[0], sines), builder.mul(x[1], cosines));
  parts[0] = joinPairs(node, real, imaginary, isInterleaved);
  return parts.size() == 1 ? parts[0] : builder.concat(parts, last);
}

void importRotaryEmbedding(NodeContext& node) {
  Operand cosines = node.operand(1), sines = node.operand(2);
  if (const std::optional<Operand> positionIds = node.optionalOperand(3)) {
    cosines = node.builder.gather(cosines, *positionIds);
    sines = node.builder.gather(sines, *positionIds);
  }
  setRotated(node, rotationOf(node, 0), cosines, sines);
}

// The input order differs from ONNX's: positions precede the caches. A single position is the first position of every sequence.
void importContribRotaryEmbedding(NodeContext& node) {
  node.require(!node.flag("is_packed_batching"), "is_packed_batching: WebNN has no ragged tensors");
  const Operand cosines = node.operand(2), sines = node.operand(3);
  if (cosines.rank() != 2) fail(ErrorKind::dataError, "the rank of its cos_cache ({}) is not 2.", cosines.rank());
  const Rotation rotation = rotationOf(node, 2 * cosines.shape()[1]);
  Operand ids = node.operand(1);
  if (ids.rank() == 1) {
    const Operand following = node.reshape(positions(node, 1, rotation.sequence), {1, rotation.sequence});
    ids = node.builder.add(node.cast(following, ids.dataType()), ids);
  }
  setRotated(node, rotation, node.builder.gather(cosines, ids), node.builder.gather(sines, ids));
}

}  // namespace webnn::formats::onnx
