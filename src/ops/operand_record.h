// What an Operand refers to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "webnn/operand.h"
#include "webnn/types.h"

namespace webnn {

// Identity of a builder: records of one builder share one.
struct BuilderToken {};

enum class OperandKind : std::uint8_t { input, constant, intermediate };

struct OperandRecord {
  std::shared_ptr<const BuilderToken> builder;
  OperandKind kind = OperandKind::intermediate;
  std::uint32_t index = 0;  // in the order of creation in its builder
  OperandDescriptor descriptor;
  std::string name;                       // of an input; else for printing only, and may be empty
  std::span<const std::byte> bytes;       // of a constant: packed, any alignment
  std::shared_ptr<const void> keepAlive;  // what owns `bytes`
};

// An operand of no builder.
Operand makeOperand(OperandKind kind, std::size_t index, const OperandDescriptor& descriptor);

}  // namespace webnn
