// The record behind Operand handles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "webnn/open_dimensions.h"
#include "webnn/operand.h"
#include "webnn/types.h"

namespace webnn {

// The identity of a builder, which its operands share.
struct BuilderToken {};

enum class OperandKind : std::uint8_t { input, constant, intermediate };

struct OperandRecord {
  std::shared_ptr<const BuilderToken> builder;
  OperandKind kind = OperandKind::intermediate;
  std::uint32_t index = 0;  // position in the creation order of its builder
  OperandDescriptor descriptor;
  std::vector<Dimension> dimensions;      // the result of Operand::dimensions(), only for a shape with open sizes
  std::string name;                       // the name of an input; for other operands, a name for printing, which may be empty
  std::span<const std::byte> bytes;       // the value of a constant: packed, with any alignment
  std::shared_ptr<const void> keepAlive;  // the owner of `bytes`
};

// Makes an operand that does not belong to a builder.
Operand makeOperand(OperandKind kind, std::size_t index, const OperandDescriptor& descriptor);

}  // namespace webnn
