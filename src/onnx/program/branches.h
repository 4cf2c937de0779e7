// Replaces If nodes whose condition is an input of the model by the nodes of the chosen branch, so that the model can be cut into
// sections (sections.h). An example is a decoder that has its first and its later steps in one file (optimum's
// decoder_model_merged.onnx, with the input use_cache_branch).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "onnx/program/cut_choice.h"
#include "onnx/program/functions.h"
#include "onnx/program/program.h"

namespace webnn::formats::onnx {

// The values of the inputs on which branches depend, by name.
using Conditions = std::map<std::string_view, bool>;

// Returns the graph's boolean inputs without a default that are conditions of its If nodes.
std::set<std::string_view> branchInputs(const Graph& graph);

// Returns the model with the nodes of the chosen branches in place of the If nodes whose conditions are in `conditions`. Null if
// names would collide, or if a branch lacks an output or has inputs or sparse initializers. Checks the thread's budget for each
// node.
std::unique_ptr<const InlinedModel> withBranches(const Model& model, const Conditions& conditions);

// A model with one choice of branches, which the values of the inputs determine. Thread safe.
class Branches {
 public:
  explicit Branches(Conditions conditions) : conditions_(std::move(conditions)) {}

  CutChoice choice;

  // Returns the program of the model with these branches, made at the first call; null if withBranches() returns null.
  std::shared_ptr<Program> program(Program& whole, const CallOptions& call);

 private:
  const Conditions conditions_;
  std::mutex mutex_;
  bool isMade_ = false;
  std::unique_ptr<const InlinedModel> model_;
  std::shared_ptr<Program> program_;
};

}  // namespace webnn::formats::onnx
