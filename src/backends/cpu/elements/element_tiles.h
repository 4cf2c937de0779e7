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

// Elements of a tile: registers of this size stay in the first-level cache.
inline constexpr std::size_t kTileElements = 1024;

// An input of a program: a tensor, or a value that the caller gives per tile (as float).
struct TileInput {
  OperandDescriptor descriptor;
  Slot slot;
  bool isGiven = false;
};

// Returns the rough time per element in nanoseconds, which decides how much work justifies another thread.
double elementCost(const ElementProgram& program);

class ElementTiles {
 public:
  // keepsColumns as in Broadcast.
  ElementTiles(Isa isa, const ElementProgram& program, std::vector<TileInput> inputs, const Shape& output, bool keepsColumns);

  const Broadcast& broadcast() const { return broadcast_; }
  std::size_t scratchBytes() const;  // for each worker, a multiple of 64

  // A worker's state while it runs tiles, in its scratch memory.
  struct Worker {
    const Frame* frame;
    const float** places;  // addresses in this tile of inputs, registers and the result
    float** results;       // of registers and the result: the same, to be written
    std::size_t* offsets;  // offsets of moving inputs in the cursor's row
    float* buffers;
    RowCursor cursor;
    bool isReplicated;  // fixed inputs lie in their buffers, for as many rows as a tile has
  };

  // For tiles of at most `rows` rows of `columns` elements; rows * columns is at most kTileElements. replicates: tiles hold whole
  // rows, so values that all rows share are prepared once.
  Worker begin(const Frame& frame, std::byte* scratch, std::size_t rows, std::size_t columns, bool replicates) const;
  // The next tile begins in this row.
  void seek(Worker& worker, std::size_t row) const;
  // Runs a tile from `row` (the end of the last tile, or the row of seek()) and `column`. `given` is the given input; `result` is
  // the output, or null for a register. Returns the result. advances: the next tile begins in another row.
  const float* run(Worker& worker, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, const float* given,
                   float* result, bool advances = true) const;

 private:
  struct Input {
    enum class Kind : std::uint8_t { given, whole, uniform, fixed, moving } kind = Kind::given;
    std::uint8_t size = 4;  // of an element in bytes
    bool isFloat = true;
    std::uint16_t buffer = 0;
    Slot slot;
    void (*load)(const std::byte* from, float* to, std::size_t n) = nullptr;
    // Set for byte inputs that the program only dequantizes.
    QuantizeRun dequantize = nullptr;
    float scale = 1;
    std::uint8_t zeroPoint = 0;  // its bits

    void read(const std::byte* from, float* to, std::size_t n) const {
      dequantize ? dequantize(from, &scale, &zeroPoint, n, to) : load(from, to, n);
    }
  };
  struct Instruction {
    ElementFunction run;
    std::uint16_t a, b, c;  // places
    std::uint16_t y;        // of the results
    float p, q;
  };

  // Returns the program without dequantizations of inputs, which their loads perform with `kernels`.
  ElementProgram takeDequantizations(const ElementProgram& program, const std::vector<QuantizeRun>& kernels);
  void compile(const ElementProgram& program);
  const std::byte* at(const Worker& worker, const Input& input, std::size_t offset) const {
    return worker.frame->in<std::byte>(input.slot) + offset * input.size;
  }
  float* buffer(const Worker& worker, std::size_t index) const { return worker.buffers + index * kTileElements; }
  // Returns the address of `count` elements from `offset`, as floats.
  const float* load(const Worker& worker, const Input& input, std::size_t offset, std::size_t count) const;
  void expand(Worker& worker, std::size_t rows, std::size_t column, std::size_t columns, bool advances) const;
  void advance(Worker& worker) const;

  const ElementKernels& kernels_;
  Isa isa_;
  Broadcast broadcast_;
  std::vector<Input> inputs_;
  std::vector<std::uint16_t> moving_;  // inputs that move from row to row
  std::vector<Instruction> instructions_;
  std::uint16_t registers_ = 0, buffers_ = 0;
};

}  // namespace webnn::cpu
