// The operation table: the only list of all operations. All other lists are derived from it, printed from it or checked against
// it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/function_ref.h"
#include "ops/activation.h"
#include "ops/conv.h"
#include "ops/elementwise_binary.h"
#include "ops/elementwise_unary.h"
#include "ops/gather_scatter.h"
#include "ops/matmul.h"
#include "ops/normalization.h"
#include "ops/pool.h"
#include "ops/quantize.h"
#include "ops/recurrent.h"
#include "ops/reduce.h"
#include "ops/resample.h"
#include "ops/shape.h"

namespace webnn {

using OperationVariant =
    std::variant<ops::ArgMinMax, ops::BatchNormalization, ops::Cast, ops::Clamp, ops::Concat, ops::Conv2d, ops::ConvTranspose2d,
                 ops::CumulativeSum, ops::Binary, ops::LogicalUnary, ops::Unary, ops::DequantizeLinear, ops::QuantizeLinear,
                 ops::Elu, ops::Expand, ops::Gather, ops::GatherElements, ops::GatherND, ops::Activation, ops::Gemm, ops::Gru,
                 ops::GruCell, ops::HardSigmoid, ops::InstanceNormalization, ops::LayerNormalization, ops::LeakyRelu, ops::Linear,
                 ops::Lstm, ops::LstmCell, ops::Matmul, ops::Pad, ops::Pool2d, ops::Prelu, ops::Reduce, ops::Resample2d,
                 ops::Reshape, ops::Reverse, ops::ScatterElements, ops::ScatterND, ops::Slice, ops::Softmax, ops::Split,
                 ops::Tile, ops::Transpose, ops::Triangular, ops::Where>;

// A variant of all operations. It is a struct so that public headers can forward-declare it. Its copy and move functions and its
// destructor are defined in one source file, so that other files compile quickly.
struct Operation : OperationVariant {
  template <typename Op>
  requires(!std::is_same_v<std::remove_cvref_t<Op>, Operation>) Operation(Op&& op)
      : OperationVariant(std::in_place_type<std::remove_cvref_t<Op>>, std::forward<Op>(op)) {}
  Operation(const Operation&);
  Operation(Operation&&) noexcept;
  Operation& operator=(const Operation&);
  Operation& operator=(Operation&&) noexcept;
  ~Operation();
};

// Returns the operation of a method ("conv2d", "relu") with default fields; nullopt if the method does not exist.
std::optional<Operation> makeOperation(std::string_view name);

// Returns all operations with default fields, one per method, sorted by name.
const std::vector<Operation>& allOperations();
// Returns allOperations()[index].
Operation makeOperation(std::size_t index);

// Returns the operation's row. Not inline, because every file would compile the variant's dispatch table.
const ops::OperationRow& rowOf(const Operation& operation);
const std::string& label(const Operation& operation);
inline std::string_view name(const Operation& operation) { return rowOf(operation).name; }

// Calls visit.argument(name, field) and visit.option(name, field) for each field except the label.
void visitFields(Operation& operation, auto&& visit) {
  std::visit([&](auto& op) { op.visitFields(op, visit); }, operation);
}
void visitFields(const Operation& operation, auto&& visit) {
  std::visit([&](const auto& op) { op.visitFields(op, visit); }, operation);
}

// Calls visit(name, operand) for each present operand (arguments, list items and options) in the order of the signature.
using OperandVisit = FunctionRef<void(std::string_view name, const Operand& operand)>;
void visitOperands(const Operation& operation, OperandVisit visit);

// Replaces each present operand by map(operand), in the order of the signature.
using OperandMap = FunctionRef<Operand(const Operand& operand)>;
void mapOperands(Operation& operation, OperandMap map);

// Calls visit(name, size) for each number of the operation's unsigned fields and lists, in the order of the signature.
void visitSizes(Operation& operation, FunctionRef<void(std::string_view name, std::uint32_t& size)> visit);
void visitSizes(const Operation& operation, FunctionRef<void(std::string_view name, std::uint32_t size)> visit);

// Check the operation against its row (types, ranks) and the specification's steps, resolve its options, and return its outputs.
// If validate() throws webnn::Error, `operation` is unchanged. validateInPlace() copies nothing; if it throws, some options of
// `operation` may be resolved.
ops::Outputs validate(Operation& operation);
ops::Outputs validateInPlace(Operation& operation);

namespace internal {

struct OperandVisitor {
  const OperandVisit& visit;
  void operand(std::string_view name, const Operand& operand) { visit(name, operand); }
  void operand(std::string_view name, const std::optional<Operand>& operand) {
    if (operand) visit(name, *operand);
  }
  void operand(std::string_view name, const std::vector<Operand>& operands) {
    for (const Operand& operand : operands) visit(name, operand);
  }
  template <typename Other>
  void operand(std::string_view, const Other&) {}
  void argument(std::string_view name, const auto& field) { operand(name, field); }
  void option(std::string_view name, const auto& field) { operand(name, field); }
};

struct OperandMapper {
  const OperandMap& map;
  void operand(Operand& operand) { operand = map(operand); }
  void operand(std::optional<Operand>& operand) {
    if (operand) operand = map(*operand);
  }
  void operand(std::vector<Operand>& operands) {
    for (Operand& operand : operands) operand = map(operand);
  }
  template <typename Other>
  void operand(Other&) {}
  void argument(std::string_view, auto& field) { operand(field); }
  void option(std::string_view, auto& field) { operand(field); }
};

}  // namespace internal

}  // namespace webnn
