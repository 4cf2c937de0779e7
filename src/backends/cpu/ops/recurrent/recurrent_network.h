// Recurrent networks in the form that the kernels take. A cell is a network of one time step.
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
  bool resetAfter = false;      // for a GRU: whether the reset gate is applied after the product
  bool startsBackward = false;  // whether the first direction is backward
  bool isHalf = false;          // operands and results are float16; computation is float32
  std::size_t steps = 1, batch = 1, inputSize = 1, hiddenSize = 1, directions = 1;
  // gatePlaces[i] is the position of the kernels' i-th gate in the operation's weights (its option `layout`).
  std::array<std::size_t, 4> gatePlaces{};
  RecurrentNetworkActivation activations[3] = {};

  // The operands, such as input [steps, batch, inputSize] and weight [directions, gates * hiddenSize, inputSize].
  Slot input;
  std::optional<Operand> weight, recurrentWeight, bias, recurrentBias, peephole;
  std::optional<Slot> initialHidden, initialCell;
  Slot hiddenOutput;
  std::optional<Slot> cellOutput, sequenceOutput;

  const RecurrentKernels& kernels() const { return recurrentKernels(isa); }
  std::size_t gates() const { return isLstm ? 4 : 3; }
  std::size_t panels() const { return divideUp(hiddenSize, kernels().lanes); }
  std::size_t rowStride() const { return panels() * kernels().lanes; }  // units of all panels, including padding
  std::size_t columns() const { return rowStride() * gates(); }
  std::size_t elementSize() const { return isHalf ? 2 : 4; }
  bool isBackward(std::size_t direction) const { return direction == 1 || startsBackward; }
};

// Packs one direction's operands, which may be unaligned, into the format that kernels read. The packed parts of all directions
// are contiguous.
struct RecurrentPacking {
  const RecurrentNetwork& network;

  // Returns the layout of the input weights as the B of a GEMM with columns [panel][gate][lane].
  PackedB inputWeight() const;
  std::size_t inputWeightBytes() const;
  void packInputWeight(const std::byte* weight, std::size_t direction, float* temporary, std::byte* to) const;
  std::size_t temporaryFloats() const;

  // The following functions pack the recurrent weights for RecurrentStep. A panel holds all gates. Exception: for a GRU without
  // resetAfter, the panels of the update and reset gates come first, then the panels of the new gate.
  std::size_t recurrentWeightBytes() const;
  std::size_t panelStride(std::size_t gates) const;  // floats between panels of `gates` gates
  void packRecurrentWeight(const std::byte* weight, std::size_t direction, float* temporary, std::byte* to) const;

  // Packs RecurrentStep's bias, newBias and peephole. Null operands give zeros.
  std::size_t vectorBytes() const;
  std::size_t newBiasOffset() const { return network.columns(); }  // offset of newBias in floats
  std::size_t peepholeOffset() const { return network.columns() + network.rowStride(); }
  void packVectors(const std::byte* bias, const std::byte* recurrentBias, const std::byte* peephole, std::size_t direction,
                   std::byte* to) const;

 private:
  const std::byte* row(const std::byte* weight, std::size_t direction, std::size_t gate, std::size_t unit,
                       std::size_t size) const;
};

StepPtr planRecurrent(RecurrentNetwork network, Planner& planner);

}  // namespace webnn::cpu
