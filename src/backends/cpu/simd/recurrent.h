// Kernels for one time step of an LSTM or GRU.
#pragma once

#include <cstddef>

#include "backends/cpu/runtime/isa.h"
#include "webnn/options.h"

namespace webnn::cpu {

// A part of a time step. A GRU that resets before multiplying (resetAfter is false) needs two parts, gruGates and gruNew, because
// the product of its new gate reads the results of gruGates for all units.
enum class RecurrentPart { lstm, gru, gruGates, gruNew };

// Hidden units lie in panels of one vector each; the last panel is padded with unused units. Values of a panel's gates are
// [gate][lane]. The order of gates is input, output, forget, cell (LSTM) or update, reset, new (GRU).
struct RecurrentStep {
  RecurrentPart part = RecurrentPart::lstm;
  RecurrentNetworkActivation activations[3] = {};
  std::size_t hiddenSize = 0;
  std::size_t rowStride = 0;         // floats between rows of states: the units of all panels
  const float* input = nullptr;      // products of inputs and weights: [row][panel][gate][lane], all gates
  std::size_t inputStride = 0;       // floats between rows of `input`
  const float* recurrent = nullptr;  // [panel][k][gate][lane], the gates of this part
  std::size_t panelStride = 0;       // floats between panels of `recurrent`
  const float* hidden = nullptr;     // left operand, [row][rowStride]: the hidden state; for gruNew, times the reset gate
  const float* oldHidden = nullptr;  // GRU: the hidden state
  float* newHidden = nullptr;        // result: the new hidden state; for gruGates, the hidden state times the reset gate
  float* state = nullptr;            // LSTM: the cell state; gruGates and gruNew: the update gate
  const float* bias = nullptr;       // [panel][gate][lane], all gates
  const float* peephole = nullptr;   // [input, output, forget][rowStride], or null
  const float* newBias = nullptr;    // gru: recurrent bias of the new gate, added before the reset gate multiplies: [rowStride]
  std::byte* sequence = nullptr;     // output for the new hidden state, [row][hiddenSize], or null
  bool isHalf = false;               // elements of `sequence` are float16
};

struct RecurrentKernels {
  std::size_t lanes;
  std::size_t panels;  // the maximum number of panels per call for a single row; more rows use one panel
  // Computes rows [row, row + rows) of panels [panel, panel + panels). Grouping panels changes no result.
  void (*step)(const RecurrentStep& step, std::size_t panel, std::size_t panels, std::size_t row, std::size_t rows);
  // Convert `count` floats from and to float32 or float16 (`isHalf`) elements at any alignment.
  void (*load)(const std::byte* from, bool isHalf, float* to, std::size_t count);
  void (*store)(const float* from, bool isHalf, std::byte* to, std::size_t count);
};
const RecurrentKernels& recurrentKernels(Isa isa);

}  // namespace webnn::cpu
