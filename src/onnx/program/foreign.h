// Nodes with elements of types that WebNN lacks: double, 16-bit integers, bfloat16, 8-bit floats, strings and others.
#pragma once

#include <span>
#include <string_view>

#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

// Returns whether the host computes nodes of the operator with such elements.
bool computesForeign(std::string_view domain, std::string_view opType);
// Returns whether the host computes nodes of the operator with inputs without elements, which no graph has: the product of [2, 0]
// and [0, 3] is [2, 3] zeros. Those are the operators that it computes in double, and recurrent networks.
bool computesEmpty(std::string_view domain, std::string_view opType);

// Returns the element type of a tensor, or of a sequence's elements; undefined for an empty sequence.
ElementType typeOf(const Value& value);

// Computes a node that has an input without elements, or of a type that WebNN lacks. In double, if that is the type and
// doubleElementSteps() or doubleTensorSteps() have the operator. By moving the elements' bits, if the operator only moves
// elements. Otherwise in the wider type int32 or float32, which gives results rounded to the node's type.
void runForeign(HostNode& node);

// Whether a node is LSTM, GRU or RNN, and whether its sequence has the length 0. runEmptySequence() computes such a node.
bool isRecurrent(std::string_view domain, std::string_view opType);
bool hasEmptySequence(const HostNode& node);
void runEmptySequence(HostNode& node);

// Operators that compute in double. They take inputs of any numeric type.
struct DoubleStep {
  std::string_view opType;
  void (*run)(HostNode&);
};
std::span<const DoubleStep> doubleElementSteps();
std::span<const DoubleStep> doubleTensorSteps();

}  // namespace webnn::formats::onnx
