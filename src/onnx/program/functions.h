// Inlines the functions that a model defines: replaces each call by the function's nodes, so that a program can run them in
// graphs and on the host.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "onnx/read/model.h"

namespace webnn::formats::onnx {

struct InlinedModel {
  Model model;                    // has neither functions nor metadata
  std::deque<std::string> texts;  // names of the model's values and nodes, to which the model's views point
};

// Returns whether a graph or the host computes the node's operator.
bool isOperator(const Model& model, const NodeProto& node);
// Returns the function that the node calls. Null if it calls none, or if a graph or the host computes an operator of this name.
const Function* functionOf(const Model& model, const NodeProto& node);

// Returns the model with calls replaced by the nodes of the functions. Null if it defines no functions. Throws DataError if the
// calls nest too deep or a call does not fit its function, NotSupportedError if the nodes, names or attributes become too many
// for the file's size (see onnx/read/limits.h). Checks the thread's budget for each node.
std::unique_ptr<const InlinedModel> inlined(const Model& model);

}  // namespace webnn::formats::onnx
