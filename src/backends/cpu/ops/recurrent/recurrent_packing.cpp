#include <algorithm>

#include "backends/cpu/ops/recurrent/recurrent_network.h"
#include "backends/cpu/runtime/compiler.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

PackedB RecurrentPacking::inputWeight() const { return {network.isa, network.inputSize, network.columns()}; }

std::size_t RecurrentPacking::inputWeightBytes() const { return aligned(inputWeight().bytes()); }

std::size_t RecurrentPacking::recurrentWeightBytes() const {
  const bool hasParts = !network.isLstm && !network.resetAfter;
  const std::size_t panel = hasParts ? panelStride(2) + panelStride(1) : panelStride(network.gates());
  return aligned(network.panels() * panel * sizeof(float));
}

// Pads long panels, because cache lines that are read at the same time would otherwise compete for the same sets of the L1 cache.
// With the padding, they are a quarter of the sets apart.
std::size_t RecurrentPacking::panelStride(std::size_t gates) const {
  constexpr std::size_t kSets = 4096 / sizeof(float), kApart = kSets / 4 + 16, kLong = 4 * kSets;
  const std::size_t floats = network.hiddenSize * gates * network.kernels().lanes;
  return floats < kLong ? floats : roundUp(floats, kSets) + kApart;
}

std::size_t RecurrentPacking::vectorBytes() const {
  return aligned((network.columns() + 4 * network.rowStride()) * sizeof(float));
}

std::size_t RecurrentPacking::temporaryFloats() const {
  return std::max(network.columns() * network.inputSize, network.hiddenSize);
}

const std::byte* RecurrentPacking::row(const std::byte* weight, std::size_t direction, std::size_t gate, std::size_t unit,
                                       std::size_t size) const {
  const std::size_t index = (direction * network.gates() + network.gatePlaces[gate]) * network.hiddenSize + unit;
  return weight + index * size * network.elementSize();
}

void RecurrentPacking::packInputWeight(const std::byte* weight, std::size_t direction, float* temporary, std::byte* to) const {
  const std::size_t lanes = network.kernels().lanes, size = network.inputSize;
  float* next = temporary;
  RunWatch watch;
  for (std::size_t panel = 0; panel < network.panels(); ++panel) {
    for (std::size_t gate = 0; gate < network.gates(); ++gate) {
      for (std::size_t unit = panel * lanes; unit < (panel + 1) * lanes; ++unit, next += size) {
        if (watch.isOver(size)) return;
        if (unit < network.hiddenSize) {
          network.kernels().load(row(weight, direction, gate, unit, size), network.isHalf, next, size);
        } else {
          std::fill_n(next, size, 0.0F);
        }
      }
    }
  }
  inputWeight().pack(temporary, 1, size, to);
}

void RecurrentPacking::packRecurrentWeight(const std::byte* weight, std::size_t direction, float* temporary,
                                           std::byte* to) const {
  const std::size_t lanes = network.kernels().lanes, size = network.hiddenSize;
  auto* part = reinterpret_cast<float*>(to);
  RunWatch watch;
  const auto packGates = [&](std::size_t firstGate, std::size_t gates) {
    for (std::size_t panel = 0; panel < network.panels(); ++panel, part += panelStride(gates)) {
      for (std::size_t gate = 0; gate < gates; ++gate) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          if (watch.isOver(size)) return;
          const std::size_t unit = panel * lanes + lane;
          const bool isThere = unit < size;
          if (isThere)
            network.kernels().load(row(weight, direction, firstGate + gate, unit, size), network.isHalf, temporary, size);
          for (std::size_t k = 0; k < size; ++k) part[(k * gates + gate) * lanes + lane] = isThere ? temporary[k] : 0;
        }
      }
    }
  };
  if (network.isLstm || network.resetAfter) {
    packGates(0, network.gates());
  } else {
    packGates(0, 2);
    packGates(2, 1);
  }
}

void RecurrentPacking::packVectors(const std::byte* bias, const std::byte* recurrentBias, const std::byte* peephole,
                                   std::size_t direction, std::byte* to) const {
  const std::size_t lanes = network.kernels().lanes, size = network.hiddenSize, rowStride = network.rowStride();
  const auto number = [&](const std::byte* from, std::size_t index) {
    float value = 0;
    if (from) network.kernels().load(from + index * network.elementSize(), network.isHalf, &value, 1);
    return value;
  };
  auto* columns = reinterpret_cast<float*>(to);
  float *newBias = columns + newBiasOffset(), *peepholes = columns + peepholeOffset();
  std::fill_n(columns, network.columns() + 4 * rowStride, 0.0F);
  for (std::size_t unit = 0; unit < size; ++unit) {
    for (std::size_t gate = 0; gate < network.gates(); ++gate) {
      const std::size_t index = (direction * network.gates() + network.gatePlaces[gate]) * size + unit;
      const std::size_t column = (unit / lanes * network.gates() + gate) * lanes + unit % lanes;
      const bool isBeforeReset = !network.isLstm && network.resetAfter && gate == 2;
      columns[column] = number(bias, index) + (isBeforeReset ? 0 : number(recurrentBias, index));
      if (isBeforeReset) newBias[unit] = number(recurrentBias, index);
    }
    for (std::size_t i = 0; i < 3; ++i) peepholes[i * rowStride + unit] = number(peephole, (direction * 3 + i) * size + unit);
  }
}

}  // namespace webnn::cpu
