#include "onnx/read/fold.h"

#include <algorithm>
#include <array>
#include <memory>

#include "base/budget.h"
#include "base/checked.h"

namespace webnn::formats::onnx {

namespace {

constexpr std::uint64_t kMaxResultBytes = 1 << 20;  // limit of one operation's results, in bytes
constexpr std::uint64_t kMaxWork = 1 << 24;         // limit of one operation's work, in elements read or written
constexpr std::uint64_t kBytesOfAConstant = 64;     // approximate bookkeeping of one constant, in bytes

// Operations that read many input elements for each output element. Folding them could take long.
constexpr std::array<std::string_view, 11> kHeavy{"averagePool2d", "conv2d", "convTranspose2d", "gemm",   "gru",      "gruCell",
                                                  "l2Pool2d",      "lstm",   "lstmCell",        "matmul", "maxPool2d"};

ExternalBytes bytesOf(const Operand& constant) { return {constant.record().bytes, constant.record().keepAlive}; }

// Returns the part of the input's bytes that a slice selects; nullopt unless the slice is contiguous and consists of whole bytes.
std::optional<ExternalBytes> aliased(const ops::Slice& slice, const OperandDescriptor& output) {
  const Shape& shape = slice.input.shape();
  const auto& strides = *slice.options.strides;
  if (bitsPerElement(output.dataType) < 8) return std::nullopt;
  std::size_t axis = 0;  // the first axis along which more than one element is selected; the axes after it must be whole
  while (axis < shape.size() && slice.sizes[axis] == 1) ++axis;
  if (axis < shape.size() && strides[axis] != 1) return std::nullopt;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) {
    if (slice.sizes[i] != shape[i] || strides[i] != 1) return std::nullopt;
  }
  std::size_t first = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) first = first * shape[i] + slice.starts[i];
  ExternalBytes bytes = bytesOf(slice.input);
  bytes.bytes = bytes.bytes.subspan(first * bitsPerElement(output.dataType) / 8, byteLength(output));
  return bytes;
}

// Returns the bytes of the input that the result shares, if the operation only changes the shape or selects a contiguous part;
// otherwise nullopt.
std::optional<ExternalBytes> aliased(const Operation& operation, const ops::Outputs& outputs) {
  if (const auto* reshape = std::get_if<ops::Reshape>(&operation)) return bytesOf(reshape->input);
  if (const auto* slice = std::get_if<ops::Slice>(&operation)) return aliased(*slice, outputs[0]);
  const auto* unary = std::get_if<ops::Unary>(&operation);
  return unary && unary->kind == ops::UnaryKind::identity ? std::optional(bytesOf(unary->input)) : std::nullopt;
}

// Returns whether the operation dequantizes weights. Weights are not folded, because float32 takes four times the bytes, and
// quantizing them again would change them. A single number is not a weight, and a shape may depend on it.
bool isWeight(const Operation& operation, const ops::Outputs& outputs) {
  return std::holds_alternative<ops::DequantizeLinear>(operation) && elementCount(outputs[0]) > 1;
}

std::uint64_t workOf(const Operation& operation, const ops::Outputs& outputs) {
  // these element counts cannot overflow: each tensor has fewer than 2^31 elements, and there are fewer than 2^16 operands
  std::uint64_t inputs = 0, results = 0;
  visitOperands(operation, [&](std::string_view, const Operand& operand) { inputs += elementCount(operand.descriptor()); });
  for (const OperandDescriptor& output : outputs) results += elementCount(output);
  if (!std::ranges::binary_search(kHeavy, name(operation))) return inputs + results;
  return checkedMul(inputs, results).value_or(std::numeric_limits<std::uint64_t>::max());
}

}  // namespace

std::optional<std::vector<ExternalBytes>> Folder::operator()(const Operation& operation, const ops::Outputs& outputs) {
  if (isWeight(operation, outputs)) return std::nullopt;
  std::uint64_t bytes = kBytesOfAConstant * outputs.size();
  if (std::optional<ExternalBytes> same = aliased(operation, outputs); same && bytes <= bytesLeft_) {
    bytesLeft_ -= bytes;
    return {{std::move(*same)}};
  }
  for (const OperandDescriptor& output : outputs) bytes += byteLength(output);
  const std::uint64_t work = workOf(operation, outputs);
  if (bytes > std::min(kMaxResultBytes, bytesLeft_) || work > std::min(kMaxWork, workLeft_)) return std::nullopt;
  if (!BudgetScope::current().spendCompileWork(work)) return std::nullopt;
  bytesLeft_ -= bytes;
  workLeft_ -= work;
  std::vector<ExternalBytes> results;
  for (std::vector<std::byte>& result : reference::evaluate(operation, outputs, compute_)) {
    auto owned = std::make_shared<const std::vector<std::byte>>(std::move(result));
    results.push_back({*owned, owned});
  }
  return results;
}

}  // namespace webnn::formats::onnx
