// Unrolls recurrent nodes that WebNN's lstm and gru cannot express.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// An activation that recurrent nodes can name.
struct ActivationFunction {
  std::string_view name;              // lower case
  std::optional<double> alpha, beta;  // defaults of the parameters; absent if the function takes none
  std::optional<RecurrentNetworkActivation> webnn;
  Operand (*apply)(NodeContext& node, Operand x, double alpha, double beta);
};

struct Activation {
  const ActivationFunction* function = nullptr;
  double alpha = 0, beta = 0;

  bool operator==(const Activation&) const = default;
};

// Reads the activations of all directions. `defaults` names the activations of one direction.
std::vector<Activation> readActivations(const NodeContext& node, std::span<const std::string_view> defaults,
                                        std::size_t directions);

// The parameters of an LSTM (4 gates), GRU (3) or RNN (1), in layout 0: steps or directions are the first dimension.
struct Recurrence {
  std::uint32_t gates = 0, directions = 0, steps = 0, batchSize = 0, hiddenSize = 0;
  bool isBackward = false;                            // whether the node has one direction, which is backward
  Operand input, weight, recurrentWeight;             // [steps, batchSize, inputSize], [directions, gates * hiddenSize, ...]
  std::optional<Operand> bias, recurrentBias;         // [directions, gates * hiddenSize]
  std::optional<Operand> peephole;                    // [directions, 3 * hiddenSize]
  std::optional<Operand> initialHidden, initialCell;  // [directions, batchSize, hiddenSize]
  std::optional<Operand> lengths;                     // [batchSize, 1]; absent if all sequences have `steps` steps
  std::vector<Activation> activations;
  std::optional<double> clip;  // bound of |x| for the inputs x of the gates' activations
  bool couplesInputAndForget = false, resetAfter = false;
};

// A recurrent node's results: all hidden states [steps, directions, batchSize, hiddenSize], and the last hidden and cell states
// [directions, batchSize, hiddenSize].
struct RecurrenceResult {
  Operand sequence, hidden, cell;
};

// Computes the recurrence with separate WebNN operations for each step. Throws Unsupported if steps * directions exceeds 4096.
RecurrenceResult unroll(NodeContext& node, const Recurrence& recurrence);

}  // namespace webnn::formats::onnx
