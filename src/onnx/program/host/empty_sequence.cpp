// Computes LSTM, GRU and RNN of sequences of length 0, which WebNN's graphs cannot have: the final states are the initial states.
#include <algorithm>

#include "onnx/program/foreign.h"

namespace webnn::formats::onnx {

namespace {

constexpr std::size_t kFirstState = 5;  // index of the input initial_h; initial_c is the next input

std::size_t timeAxis(const HostNode& node) { return node.integer("layout", 0) == 0 ? 0 : 1; }

}  // namespace

bool isRecurrent(std::string_view domain, std::string_view opType) {
  return domain.empty() && (opType == "LSTM" || opType == "GRU" || opType == "RNN");
}

bool hasEmptySequence(const HostNode& node) {
  if (!isRecurrent(node.node.domain, node.node.opType) || !node.has(0)) return false;
  return node.dims(0).size() == 3 && node.dims(0)[timeAxis(node)] == 0;
}

void runEmptySequence(HostNode& node) {
  const Dims &dims = node.dims(0), &weights = node.dims(2);
  const std::size_t time = timeAxis(node);
  if (weights.size() != 3) fail(ErrorKind::dataError, "its weights [{}] are not of rank 3.", textOf(weights));
  const std::int64_t batch = dims[1 - time], directions = weights[0], hidden = node.integer("hidden_size", weights[2]);
  const ElementType type = node.value(0).type;
  std::byte* bytes = nullptr;
  const Dims all = time == 0 ? Dims{0, directions, batch, hidden} : Dims{batch, 0, directions, hidden};
  const Dims state = time == 0 ? Dims{directions, batch, hidden} : Dims{batch, directions, hidden};
  node.set(0, node.make(type, all, bytes));
  for (std::size_t i = 0; i < (node.node.opType == "LSTM" ? 2 : 1); ++i) {
    const std::size_t initial = kFirstState + i;
    if (node.has(initial) && (node.dims(initial) != state || node.value(initial).type != type)) {
      fail(ErrorKind::dataError, "its initial state [{}] of {} is not [{}] of {}.", textOf(node.dims(initial)),
           webnn::onnx::name(node.value(initial).type), textOf(state), webnn::onnx::name(type));
    }
    node.set(1 + i, node.has(initial) ? node.value(initial) : node.make(type, state, bytes));
  }
}

}  // namespace webnn::formats::onnx
