// Recurrent networks and cells in the form that the kernels take; a cell is a network of one step.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "backends/cpu/gemm/packed_b.h"
#include "backends/cpu/runtime/step.h"
#include "backends/cpu/simd/recurrent.h"
#include "base/divide_up.h"

namespace webnn::cpu {

struct RecurrentNetwork {
  Isa isa = Isa::sse4;
  bool isLstm = false;
  bool resetAfter = false;      // GRU
  bool startsBackward = false;  // the first direction
  bool isHalf = false;          // tensors are float16; what is computed is float32
  std::size_t steps = 1, batch = 1, inputSize = 1, hiddenSize = 1, directions = 1;
  // Where the kernels' i-th gate is in the specification's weights.
  std::array<std::size_t, 4> gatePlaces{};
  RecurrentNetworkActivation activations[3] = {};

  // Operands: [steps, batch, inputSize], [directions, gates * hiddenSize, ...], ...
  Slot input;
  std::optional<Operand> weight, recurrentWeight, bias, recurrentBias, peephole;
  std::optional<Slot> initialHidden, initialCell;
  Slot hiddenOutput;
  std::optional<Slot> cellOutput, sequenceOutput;

  const RecurrentKernels& kernels() const { return recurrentKernels(isa); }
  std::size_t gates() const { return isLstm ? 4 : 3; }
  std::size_t panels() const { return divideUp(hiddenSize, kernels().lanes); }
  std::size_t rowStride() const { return panels() * kernels().lanes; }  // units of all panels
  std::size_t columns() const { return rowStride() * gates(); }
  std::size_t elementSize() const { return isHalf ? 2 : 4; }
  bool isBackward(std::size_t direction) const { return direction == 1 || startsBackward; }
};

// The operands in the form that steps read, for one direction. Each part is made from operands at any alignment; the parts of all
// directions are contiguous.
struct RecurrentPacking {
  const RecurrentNetwork& network;

  // The input weights as the B of a GEMM, whose columns are [panel][gate][lane].
  PackedB inputWeight() const;
  std::size_t inputWeightBytes() const;
  void packInputWeight(const std::byte* weight, std::size_t direction, float* temporary, std::byte* to) const;
  std::size_t temporaryFloats() const;

  // Packs the recurrent weights for RecurrentStep. Without resetAfter, a GRU's new-gate weights follow the others.
  std::size_t recurrentWeightBytes() const;
  std::size_t panelStride(std::size_t gates) const;  // floats between panels of a part with this many gates
  void packRecurrentWeight(const std::byte* weight, std::size_t direction, float* temporary, std::byte* to) const;

  // bias, newBias and peephole of RecurrentStep. Absent operands are null and give zeros.
  std::size_t vectorBytes() const;
  std::size_t newBiasOffset() const { return network.columns(); }  // in floats
  std::size_t peepholeOffset() const { return network.columns() + network.rowStride(); }
  void packVectors(const std::byte* bias, const std::byte* recurrentBias, const std::byte* peephole, std::size_t direction,
                   std::byte* to) const;

 private:
  const std::byte* row(const std::byte* weight, std::size_t direction, std::size_t gate, std::size_t unit,
                       std::size_t size) const;
};

StepPtr planRecurrent(RecurrentNetwork network, Planner& planner);

}  // namespace webnn::cpu
