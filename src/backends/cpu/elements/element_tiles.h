// Runs the element programs of fused element-wise operations and epilogues, tile by tile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "backends/cpu/elements/broadcast.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "backends/cpu/simd/bytes/quantize.h"
#include "backends/cpu/simd/elements.h"
#include "compiler/ir/element_program.h"

namespace webnn::cpu {

// Elements per tile, so small that the registers of most programs (tiles that hold intermediate values) stay in the L1 cache.
inline constexpr std::size_t kTileElements = 1024;

// An input of a program: a tensor, or float values that the caller passes for each tile (`isGiven`).
struct TileInput {
  OperandDescriptor descriptor;
  Slot slot;
  bool isGiven = false;
};

// Returns the rough time per element in nanoseconds, which decides how many elements a thread takes at a time.
double elementCost(const ElementProgram& program);

class ElementTiles {
 public:
  // `keepsColumns`: whether a row is exactly the output's last dimension; see Broadcast.
  ElementTiles(Isa isa, const ElementProgram& program, std::vector<TileInput> inputs, const Shape& output, bool keepsColumns);

  const Broadcast& broadcast() const { return broadcast_; }
  std::size_t scratchBytes() const;  // scratch bytes per worker, a multiple of 64

  // A worker's state while it runs tiles. All arrays lie in its scratch memory.
  struct Worker {
    const Frame* frame;
    const float** places;  // for this tile, the addresses of the inputs, the registers and the result
    float** results;       // writable addresses of the registers and the result
    std::size_t* offsets;  // for each moving input, the offset of the cursor's row in elements
    float* buffers;
    RowCursor cursor;
    bool isReplicated;  // the buffers of fixed inputs hold one copy of the row for each row of a tile
  };

  // Prepares a worker for tiles of at most `rows` rows of `columns` elements; rows * columns must not exceed kTileElements.
  // `replicates`: tiles consist of whole rows, so the values that all rows share are copied to every row of a buffer once.
  Worker begin(const Frame& frame, std::byte* scratch, std::size_t rows, std::size_t columns, bool replicates) const;
  // Moves the worker to `row`, where its next tile begins.
  void seek(Worker& worker, std::size_t row) const;
  // Runs a tile that begins at `row` and `column`; `row` must be the row to which seek() or the previous tile has moved the
  // worker. `given` holds the values of the given input. Writes the result to `result`, or to scratch memory if `result` is null,
  // and returns the result's address. A program without instructions writes nothing; its result is input 0. `advances`: moves the
  // worker by `rows` rows; otherwise the next tile begins in the same row.
  const float* run(Worker& worker, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, const float* given,
                   float* result, bool advances = true) const;

 private:
  struct Input {
    // whole, uniform and fixed: see BroadcastOperand. moving: other tensors.
    enum class Kind : std::uint8_t { given, whole, uniform, fixed, moving } kind = Kind::given;
    std::uint8_t size = 4;  // bytes per element
    bool isFloat = true;
    std::uint16_t buffer = 0;
    Slot slot;
    void (*load)(const std::byte* from, float* to, std::size_t n) = nullptr;
    // Not null for 8-bit inputs that the program only dequantizes (see takeDequantizations()).
    QuantizeRun dequantize = nullptr;
    float scale = 1;
    std::uint8_t zeroPoint = 0;  // the byte of an int8 or uint8 zero point

    void read(const std::byte* from, float* to, std::size_t n) const {
      dequantize ? dequantize(from, &scale, &zeroPoint, n, to) : load(from, to, n);
    }
  };
  struct Instruction {
    ElementFunction run;
    std::uint16_t a, b, c;  // indices into Worker::places
    std::uint16_t y;        // index into Worker::results
    float p, q;
  };

  // Moves dequantizations from the program to inputs_ if kernels[k] can do them when it loads input k. Returns the remaining
  // program.
  ElementProgram takeDequantizations(const ElementProgram& program, const std::vector<QuantizeRun>& kernels);
  void compile(const ElementProgram& program);
  const std::byte* at(const Worker& worker, const Input& input, std::size_t offset) const {
    return worker.frame->in<std::byte>(input.slot) + offset * input.size;
  }
  float* buffer(const Worker& worker, std::size_t index) const { return worker.buffers + index * kTileElements; }
  // Returns the address of `count` elements from `offset` on, as floats. Elements of other types are converted into the input's
  // buffer.
  const float* load(const Worker& worker, const Input& input, std::size_t offset, std::size_t count) const;
  void expand(Worker& worker, std::size_t rows, std::size_t column, std::size_t columns, bool advances) const;
  void advance(Worker& worker, std::size_t rows) const;
  void readRows(const Worker& worker, const Input& input, std::size_t offset, const BroadcastOperand& operand, float* to,
                std::size_t rows, std::size_t columns) const;

  const ElementKernels& kernels_;
  Isa isa_;
  Broadcast broadcast_;
  std::vector<Input> inputs_;
  std::vector<std::uint16_t> moving_;  // indices of the inputs of Kind::moving
  std::vector<Instruction> instructions_;
  std::uint16_t registers_ = 0, buffers_ = 0;
};

}  // namespace webnn::cpu
