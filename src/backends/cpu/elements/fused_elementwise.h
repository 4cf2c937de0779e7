#pragma once

#include "backends/cpu/elements/element_tiles.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/ir/module.h"

namespace webnn::cpu {

StepPtr plan(const FusedElementwise& op, Planner& planner);

// An epilogue on blocks of a result while they are in cache: input 0 of the program is the block, which it overwrites; the
// operands are broadcast to the output's shape. The output is treated as rows of its last dimension, in float32 for any type.
// Fits GemmEpilogue::apply.
class TileProgram {
 public:
  // An empty epilogue is allowed: run() does nothing then. Asks the planner for the slots of the operands, not for scratch.
  TileProgram(const Epilogue& epilogue, const OperandDescriptor& output, Planner& planner);

  bool empty() const { return isEmpty_; }
  // Bytes that each worker needs, a multiple of 64; aligned to 64.
  std::size_t scratchBytes() const { return isEmpty_ ? 0 : tiles_.scratchBytes(); }
  // Rows [row, row + rows) and columns [column, column + columns) of the output, whose first element is at `c` and whose rows
  // are `rowStride` elements apart. `scratch` is the worker's own.
  void run(const Frame& frame, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, float* c,
           std::size_t rowStride, std::byte* scratch) const;

 private:
  bool isEmpty_;
  ElementTiles tiles_;
};

}  // namespace webnn::cpu
