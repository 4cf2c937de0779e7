#pragma once

#include "backends/cpu/elements/element_tiles.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/ir/module.h"

namespace webnn::cpu {

StepPtr plan(const FusedElementwise& op, Planner& planner);

// Applies an epilogue to blocks of a result while they are in cache. Input 0 of the program is the block, which the program
// overwrites; the other inputs are broadcast to the output's shape. Blocks are float32 for every output type, and a row is the
// output's last dimension. Callbacks such as GemmEpilogue::apply call run().
class TileProgram {
 public:
  // If the epilogue is empty, run() does nothing. Takes the operands' slots from the planner; the caller provides scratch memory.
  TileProgram(const Epilogue& epilogue, const OperandDescriptor& output, Planner& planner);

  bool empty() const { return isEmpty_; }
  // Bytes of scratch memory per worker, a multiple of 64. The memory must be aligned to 64 bytes.
  std::size_t scratchBytes() const { return isEmpty_ ? 0 : tiles_.scratchBytes(); }
  // Processes rows [row, row + rows) and columns [column, column + columns) of the output. The block's first element is at `c`,
  // and its rows are `rowStride` elements apart. Each worker needs a `scratch` of its own.
  void run(const Frame& frame, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, float* c,
           std::size_t rowStride, std::byte* scratch) const;

 private:
  bool isEmpty_;
  ElementTiles tiles_;
};

}  // namespace webnn::cpu
