#include "compiler/passes/fold_node.h"

#include <algorithm>

#include "backends/reference/reference_backend.h"
#include "base/progress.h"
#include "base/unaligned.h"
#include "ops/contiguous.h"

namespace webnn::compiler {

namespace {

// The reference kernels compute operations with at most this many bytes of operands and results, because planning a step of the
// engine would take longer.
constexpr double kSmall = 1 << 16;

double countOf(const Operand& operand) { return static_cast<double>(elementCount(operand.descriptor())); }
double countOf(const Operand& operand, std::size_t without) { return countOf(operand) / operand.shape()[without]; }

// Returns the number of multiply-adds of an operation; 0 if it reads each element only a few times.
template <typename Op>
double macsOf(const Op& op, const Operand& result) {
  if constexpr (std::is_same_v<Op, ops::Matmul>) {
    return countOf(result) * op.a.shape().back();
  } else if constexpr (std::is_same_v<Op, ops::Gemm>) {
    return countOf(result) * op.a.shape()[op.options.aTranspose ? 0 : 1];
  } else if constexpr (std::is_same_v<Op, ops::Conv2d>) {
    return countOf(result) * countOf(op.filter, ops::axesOf(op.options.filterLayout).output);
  } else if constexpr (std::is_same_v<Op, ops::ConvTranspose2d>) {
    return std::max(countOf(op.input), countOf(result)) * countOf(op.filter, ops::axesOf(op.options.filterLayout).input);
  } else if constexpr (std::is_same_v<Op, ops::Pool2d>) {
    const auto [height, width] = ops::poolingAxes(op);
    return countOf(result) * static_cast<double>(height.windowSize) * static_cast<double>(width.windowSize);
  } else if constexpr (requires { op.recurrentWeight; }) {
    // In recurrent networks, each row of the input is multiplied by all weights.
    const auto last = static_cast<std::uint32_t>(op.input.rank() - 1);
    return countOf(op.input, last) * (countOf(op.weight) + countOf(op.recurrentWeight));
  } else {
    return 0;
  }
}

// Returns the work of a node. If `isVectorized`, the engine evaluates the node, and kProductsPerWork multiply-adds of a matrix
// product count as one unit of work.
double workOf(const ModuleNode& node, bool isVectorized) {
  constexpr double kProductsPerWork = 16;
  const bool isProduct = as<ops::Matmul>(node.operation) || as<ops::Gemm>(node.operation);
  double work = visitOperation(node.operation, [&](const auto& op) { return macsOf(op, node.outputs[0]); });
  if (isVectorized && isProduct) work /= kProductsPerWork;
  visitOperands(node.operation, [&](std::string_view, const Operand& operand) { work += countOf(operand); });
  for (const Operand& output : node.outputs) work += countOf(output);
  return work;
}

// Returns a constant with the descriptor of `like` that shares the bytes of `constant` from `offset` on.
Operand partOf(Module& module, const Operand& constant, const Operand& like, std::size_t offset) {
  const OperandRecord& record = constant.record();
  const std::size_t bytes = byteLength(like.descriptor());
  return module.constant(like.descriptor(), record.bytes.subspan(offset, bytes), record.keepAlive, like.record().name);
}

// Returns the output of an operation that only reinterprets its operand's bytes or takes a large contiguous part of them, as a
// constant that shares these bytes; nullopt for other operations.
std::optional<Operand> sharedPart(Module& module, const ModuleNode& node) {
  const Operand& output = node.outputs[0];
  if (const auto* reshape = as<ops::Reshape>(node.operation)) return partOf(module, reshape->input, output, 0);
  if (const auto* unary = as<ops::Unary>(node.operation); unary && unary->kind == ops::UnaryKind::identity) return unary->input;
  const auto* slice = as<ops::Slice>(node.operation);
  // A small part is copied instead, because sharing would keep the whole constant in memory.
  const bool isLarge = static_cast<double>(byteLength(output.descriptor())) > kSmall;
  const std::optional<std::size_t> offset = slice && isLarge ? ops::contiguousOffset(*slice) : std::nullopt;
  return offset ? std::optional(partOf(module, slice->input, output, *offset)) : std::nullopt;
}

template <typename T>
std::vector<double> numbersOf(std::span<const std::byte> bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(T));
  inParts(numbers.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) numbers[i] = static_cast<double>(loadUnaligned<T>(bytes.data() + i * sizeof(T)));
  });
  return numbers;
}

int nibbleAt(std::span<const std::byte> bytes, std::size_t i, bool isSigned) {
  const int nibble = std::to_integer<int>(bytes[i / 2]) >> (i % 2 * 4) & 0xF;
  return isSigned && nibble > 7 ? nibble - 16 : nibble;
}

std::vector<double> nibblesOf(std::span<const std::byte> bytes, std::size_t count, bool isSigned) {
  std::vector<double> numbers(count);
  inParts(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) numbers[i] = nibbleAt(bytes, i, isSigned);
  });
  return numbers;
}

}  // namespace

std::optional<std::vector<Operand>> foldNode(Module& module, const ModuleNode& node, const PassOptions& options) {
  const auto* operation = std::get_if<Operation>(static_cast<const EngineVariant*>(&node.operation));
  if (!operation) return std::nullopt;
  bool isKnown = true;
  double bytes = 0, results = 0;
  visitOperands(node.operation, [&](std::string_view, const Operand& operand) {
    isKnown = isKnown && isConstant(operand);
    bytes += static_cast<double>(byteLength(operand.descriptor()));
  });
  if (!isKnown) return std::nullopt;
  if (const std::optional<Operand> part = sharedPart(module, node)) return std::vector{*part};
  ops::Outputs descriptors;
  for (const Operand& output : node.outputs) {
    descriptors.push_back(output.descriptor());
    results += static_cast<double>(byteLength(output.descriptor()));
  }
  if (!BudgetScope::current().spendCompileWork(static_cast<std::uint64_t>(bytes + results))) return std::nullopt;
  const bool isVectorized = options.evaluate && bytes + results > kSmall;
  if (options.folding && !options.folding->take(workOf(node, isVectorized), results)) return std::nullopt;
  std::vector<UnsetVector<std::byte>> values;
  if (isVectorized) {
    values = options.evaluate(*operation, descriptors);
  } else {
    for (const auto& value : reference::evaluate(*operation, descriptors, reference::compute))
      values.emplace_back(value.begin(), value.end());
  }
  std::vector<Operand> constants;
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto held = options.folding ? options.folding->hold(std::move(values[i]))
                                : std::make_shared<const UnsetVector<std::byte>>(std::move(values[i]));
    const std::span<const std::byte> span = *held;
    constants.push_back(module.constant(descriptors[i], span, std::move(held), node.outputs[i].record().name));
  }
  return constants;
}

std::optional<Operand> foldOperation(Module& module, Operation operation, const PassOptions& options) {
  std::vector<ModuleNode> nodes;
  module.append(nodes, std::move(operation));
  const auto results = foldNode(module, nodes[0], options);
  return results ? std::optional(results->front()) : std::nullopt;
}

std::vector<double> constantNumbers(const Operand& constant) {
  const std::span<const std::byte> bytes = constant.record().bytes;
  switch (constant.dataType()) {
    case DataType::float32: return numbersOf<float>(bytes);
    case DataType::int32: return numbersOf<std::int32_t>(bytes);
    case DataType::uint32: return numbersOf<std::uint32_t>(bytes);
    case DataType::int8: return numbersOf<std::int8_t>(bytes);
    case DataType::uint8: return numbersOf<std::uint8_t>(bytes);
    case DataType::int4:
    case DataType::uint4: return nibblesOf(bytes, elementCount(constant.descriptor()), constant.dataType() == DataType::int4);
    case DataType::float16: {
      std::vector<double> numbers;
      Progress progress;
      for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        progress.count();
        numbers.push_back(static_cast<double>(Half::fromBits(loadUnaligned<std::uint16_t>(bytes.data() + i))));
      }
      return numbers;
    }
    case DataType::int64:
    case DataType::uint64: break;
  }
  return {};
}

Operand widenedNibbles(Module& module, const Operand& constant) {
  const bool isSigned = constant.dataType() == DataType::int4;
  std::vector<std::byte> bytes(elementCount(constant.descriptor()));
  const std::span<const std::byte> packed = constant.record().bytes;
  inParts(bytes.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) bytes[i] = static_cast<std::byte>(nibbleAt(packed, i, isSigned));
  });
  return module.constant({isSigned ? DataType::int8 : DataType::uint8, constant.shape()}, std::move(bytes),
                         constant.record().name);
}

}  // namespace webnn::compiler
