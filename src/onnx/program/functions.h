// Puts the nodes of the functions that a model defines in place of their calls, so that a program can run them as graphs and
// steps on the host.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "onnx/read/model.h"

namespace webnn::formats::onnx {

struct InlinedModel {
  Model model;                    // without functions
  std::deque<std::string> texts;  // names of the model's values and nodes
};

// Returns whether the node is neither an operator that a graph or the host computes, nor a call of a function.
bool isUnknownOperator(const Model& model, const NodeProto& node);
// Returns the function that the node calls; null if it is an operator. Operators of a graph or the host come first.
const Function* functionOf(const Model& model, const NodeProto& node);

// Returns the model without calls. Null if it defines no functions. DataError if the calls nest too deep, a call does not fit its
// function, or the nodes become too many for the file's size (see onnx/read/limits.h).
std::unique_ptr<const InlinedModel> inlined(const Model& model);

}  // namespace webnn::formats::onnx
