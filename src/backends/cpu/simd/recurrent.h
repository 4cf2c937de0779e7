// Kernels of recurrent networks.
#pragma once

#include <cstddef>

#include "backends/cpu/runtime/isa.h"
#include "webnn/options.h"

namespace webnn::cpu {

// A part of a step. A GRU that resets before multiplying needs two, because its new gate multiplies the results of all units of
// the first part.
enum class RecurrentPart { lstm, gru, gruGates, gruNew };

// Hidden units lie in panels of one vector each; the last panel is padded with unused units. Values of a panel's gates are
// [gate][lane]. Gates come as input, output, forget, cell gate and as update, reset, new gate.
struct RecurrentStep {
  RecurrentPart part = RecurrentPart::lstm;
  RecurrentNetworkActivation activations[3] = {};
  std::size_t hiddenSize = 0;
  std::size_t rowStride = 0;         // units of all panels: between rows of states
  const float* input = nullptr;      // what the inputs give: [row][panel][gate][lane], all gates
  std::size_t inputStride = 0;       // between rows
  const float* recurrent = nullptr;  // [panel][k][gate][lane], the gates of this part
  std::size_t panelStride = 0;       // between panels of recurrent weights
  const float* hidden = nullptr;     // [row][rowStride]: what is multiplied: the hidden state, or in gruNew that after reset
  const float* oldHidden = nullptr;  // GRU: the hidden state
  float* newHidden = nullptr;        // gruGates: the hidden state after reset
  float* state = nullptr;            // LSTM: the cell state; gruGates and gruNew: the update gate
  const float* bias = nullptr;       // [panel][gate][lane], all gates
  const float* peephole = nullptr;   // [input, output, forget][rowStride], or null
  const float* newBias = nullptr;    // GRU: what is added to the projection of the new gate before reset: [rowStride]
  std::byte* sequence = nullptr;     // where the new hidden state goes, [row][hiddenSize], or null
  bool isHalf = false;               // elements of `sequence` are float16
};

struct RecurrentKernels {
  std::size_t lanes;
  std::size_t panels;  // the most panels at once for a single row; more rows use one
  // Computes rows [row, row + rows) of panels [panel, panel + panels). Grouping panels changes no result.
  void (*step)(const RecurrentStep& step, std::size_t panel, std::size_t panels, std::size_t row, std::size_t rows);
  // Copies `count` values; bytes at any alignment.
  void (*load)(const std::byte* from, bool isHalf, float* to, std::size_t count);
  void (*store)(const float* from, bool isHalf, std::byte* to, std::size_t count);
};
const RecurrentKernels& recurrentKernels(Isa isa);

}  // namespace webnn::cpu
