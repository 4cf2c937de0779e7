// Computes nodes with elements of types that WebNN lacks: double, 16-bit integers, bfloat16, 8-bit floats, strings and others.
#pragma once

#include <span>
#include <string_view>

#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

// Returns whether the host computes nodes of the operator with elements of types that WebNN lacks.
bool computesForeign(std::string_view domain, std::string_view opType);
// Returns whether the host computes the operator's nodes that have an input without elements, which WebNN's graphs cannot have.
// For instance, the product of matrices [2, 0] and [0, 3] is a matrix [2, 3] of zeros. True for the operators that the host
// computes in double, and for recurrent networks, whose sequence may have the length 0.
bool computesEmpty(std::string_view domain, std::string_view opType);

// Returns the element type of a tensor, or of a sequence's elements; undefined for an empty sequence.
ElementType typeOf(const Value& value);

// Computes a node that has an input without elements, or of a type that WebNN lacks. If the operator only moves
// elements, moves their bits. Otherwise, if the type is double or an input has no elements, and doubleElementSteps() or
// doubleTensorSteps() has the operator, computes in double. Otherwise computes integers in int32 and floats in float32, and
// converts the results to the node's type. Throws NotSupportedError for a recurrent network if an input has no elements, unless
// its sequence has the length 0.
void runForeign(HostNode& node);

// Return whether a node is LSTM, GRU or RNN, and whether its sequence has the length 0. runEmptySequence() computes such a node.
bool isRecurrent(std::string_view domain, std::string_view opType);
bool hasEmptySequence(const HostNode& node);
void runEmptySequence(HostNode& node);

// Operators that the host computes in double. They take inputs of any numeric type.
struct DoubleStep {
  std::string_view opType;
  void (*run)(HostNode&);
};
std::span<const DoubleStep> doubleElementSteps();
std::span<const DoubleStep> doubleTensorSteps();

}  // namespace webnn::formats::onnx
