#include "onnx/read/fold.h"

#include <algorithm>
#include <array>
#include <memory>

#include "base/budget.h"
#include "base/checked.h"
#include "ops/contiguous.h"

namespace webnn::formats::onnx {

namespace {

constexpr std::uint64_t kMaxResultBytes = 1 << 20;  // limit of one operation's results, in bytes
constexpr std::uint64_t kMaxWork = 1 << 24;         // limit of one operation's work, in elements read or written
constexpr std::uint64_t kBytesOfAConstant = 64;     // approximate bookkeeping of one constant, in bytes

// Operations that may read an input element for many output elements. Their work is estimated as inputs * results.
constexpr std::array<std::string_view, 11> kHeavy{"averagePool2d", "conv2d", "convTranspose2d", "gemm",   "gru",      "gruCell",
                                                  "l2Pool2d",      "lstm",   "lstmCell",        "matmul", "maxPool2d"};

ExternalBytes bytesOf(const Operand& constant) { return {constant.record().bytes, constant.record().keepAlive}; }

// Returns the part of the input's bytes that a slice selects; nullopt unless they are contiguous.
std::optional<ExternalBytes> aliased(const ops::Slice& slice, const OperandDescriptor& output) {
  const std::optional<std::size_t> offset = ops::contiguousOffset(slice);
  if (!offset) return std::nullopt;
  ExternalBytes bytes = bytesOf(slice.input);
  bytes.bytes = bytes.bytes.subspan(*offset, byteLength(output));
  return bytes;
}

// Returns the bytes of the input that the result shares, if the operation only changes the shape or selects one piece; otherwise
// nullopt.
std::optional<ExternalBytes> aliased(const Operation& operation, const ops::Outputs& outputs) {
  if (const auto* reshape = std::get_if<ops::Reshape>(&operation)) return bytesOf(reshape->input);
  if (const auto* slice = std::get_if<ops::Slice>(&operation)) return aliased(*slice, outputs[0]);
  const auto* unary = std::get_if<ops::Unary>(&operation);
  return unary && unary->kind == ops::UnaryKind::identity ? std::optional(bytesOf(unary->input)) : std::nullopt;
}

// Returns whether the operation widens 8-bit weights, which is not folded: float32 takes four times the bytes, a backend that
// computes with integers would have to quantize again, with rounding errors, and the exact int32 form of a product is often not
// used (see ImportedValue::asFloat). Few numbers are folded, because a shape may depend on them.
bool isWeight(const Operation& operation, const ops::Outputs& outputs) {
  constexpr std::size_t kFew = 1024;
  if (std::holds_alternative<ops::DequantizeLinear>(operation)) return elementCount(outputs[0]) > 1;
  const auto* cast = std::get_if<ops::Cast>(&operation);
  if (!cast || !isFloat(cast->dataType)) return false;
  const DataType from = cast->input.dataType();
  return (from == DataType::int8 || from == DataType::uint8) && elementCount(outputs[0]) > kFew;
}

std::uint64_t workOf(const Operation& operation, const ops::Outputs& outputs) {
  // element counts: each below 2^31, fewer than 2^16 operands, so the sums do not overflow
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
