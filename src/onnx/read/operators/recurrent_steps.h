// Recurrent nodes that no operation of WebNN expresses, step by step.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// An activation of gates or states.
struct ActivationFunction {
  std::string_view name;              // in lower case
  std::optional<double> alpha, beta;  // defaults; absent: the function takes none
  std::optional<RecurrentNetworkActivation> webnn;
  Operand (*apply)(NodeContext& node, Operand x, double alpha, double beta);
};

struct Activation {
  const ActivationFunction* function = nullptr;
  double alpha = 0, beta = 0;

  bool operator==(const Activation&) const = default;
};

// The activations of a node, `count` for each direction. `defaults` are names, for one direction.
std::vector<Activation> readActivations(const NodeContext& node, std::span<const std::string_view> defaults,
                                        std::size_t directions);

// An LSTM (4 gates), GRU (3) or RNN (1), its inputs in the order that has the steps, or the directions, first.
struct Recurrence {
  std::uint32_t gates = 0, directions = 0, steps = 0, batchSize = 0, hiddenSize = 0;
  bool isBackward = false;                            // the only direction is
  Operand input, weight, recurrentWeight;             // [steps, batchSize, inputSize], [directions, gates * hiddenSize, ...]
  std::optional<Operand> bias, recurrentBias;         // [directions, gates * hiddenSize]
  std::optional<Operand> peephole;                    // [directions, 3 * hiddenSize]
  std::optional<Operand> initialHidden, initialCell;  // [directions, batchSize, hiddenSize]
  std::optional<Operand> lengths;                     // [batchSize, 1], if some may be shorter than `steps`
  std::vector<Activation> activations;
  std::optional<double> clip;  // of the activations' inputs
  bool couplesInputAndForget = false, resetAfter = false;
};

// A recurrent node's results: all hidden states [steps, directions, batchSize, hiddenSize], and the last hidden and cell states
// [directions, batchSize, hiddenSize].
struct RecurrenceResult {
  Operand sequence, hidden, cell;
};

// Computes it with an operation or several for each step; 4096 steps at most.
RecurrenceResult unroll(NodeContext& node, const Recurrence& recurrence);

}  // namespace webnn::formats::onnx
