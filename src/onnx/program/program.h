// Runs a model that no single WebNN graph can hold: for example, it computes the conditions of branches or loops, its shapes
// depend on values, or WebNN lacks some of its types or operators. Parts of the model run as WebNN graphs. Between them, the host
// (C++ code in this directory) computes the other nodes. Each part is imported for the sizes that a run gives it; the most
// recently used graphs are kept.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/budget.h"
#include "base/function_ref.h"
#include "onnx/program/functions.h"
#include "onnx/read/import.h"
#include "onnx/read/node_context.h"
#include "webnn/context.h"
#include "webnn/session.h"

namespace webnn::formats::onnx {

// A tensor with bytes or strings, a map, a sequence or an empty optional.
using Value = ImportedValue;

struct ProgramOptions {
  LoadOptions load;
  std::size_t graphs = 4;             // maximum number of graphs kept for each part
  std::optional<std::uint64_t> seed;  // seed of random operators; absent: each program draws one
  std::function<std::shared_ptr<Budget>(const CallOptions&)> makeBudget;
};

class Branches;
class Runner;
class Sections;
class ValuePool;

// A model that is ready to run. Thread safe.
class Program {
 public:
  // The model must outlive the program. Throws NotSupportedError if neither a graph nor the host can compute some operators;
  // the message lists up to 100 nodes with such operators.
  Program(Context context, const Model& model, ProgramOptions options);
  ~Program();
  // Throws the NotSupportedError of the constructor.
  static void requireOperators(const Model& model);
  // Returns whether the host or a graph can compute each of the model's operators.
  static bool knowsOperators(const Model& model);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Runs on the calling thread. Returns the model's outputs in the model's order. A missing input is an error only if a node or
  // an output reads it. If `inSections` is set, runs the sections of cut().
  std::vector<Value> run(const std::map<std::string, Value>& inputs, const CallOptions& options,
                         const OutputMemory& outputMemory = {}, bool inSections = false);

  // Cuts a model that one graph can hold into sections, so that a run with new sizes compiles only a small part of it. `before`
  // and `after` are shapes of the inputs in two runs: they differ in the sizes that change often. Returns the number of sections,
  // which run() may then use; 0 if the model cannot be cut or cutting does not pay. `always`: cuts a model even if it does not
  // pay. See Sections.
  std::size_t cut(const std::map<std::string, Shape>& before, const std::map<std::string, Shape>& after,
                  const CallOptions& options, bool always = false);

  void clearSections();

  // Returns the branches that the inputs choose. The program of the branches can be cut. Null if no If node of the main graph
  // has an input of the model as its condition, if such an input is not given, or if too many other choices are kept.
  std::shared_ptr<Branches> branchesFor(const std::map<std::string, ArrayView>& inputs);

  // The functions below are for this directory only.
  Context& context() { return context_; }
  const Model& model() const { return model_; }
  const ProgramOptions& options() const { return options_; }
  // Returns the runner of a graph of the model. `outer` is the runner of the enclosing graph, or null.
  Runner& runnerOf(const Graph& graph, const Runner* outer);
  const Value& valueOf(const TensorProto& tensor);  // valid as long as the program
  // Calls `draw` with the program's random number generator, which no other thread uses at the same time.
  void withRandom(const std::function<void(std::mt19937_64&)>& draw);
  std::int64_t versionOf(const NodeProto& node) const;  // version of the operator set of the node's domain
  // Returns the result of make() that is kept for a node. See HostNode::prepared().
  const void* prepared(const NodeProto& node, FunctionRef<std::shared_ptr<const void>()> make);

 private:
  Context context_;
  const std::unique_ptr<const InlinedModel> inlined_;  // null if the model has no functions
  const Model& model_;
  const ProgramOptions options_;
  const std::shared_ptr<ValuePool> values_;
  std::set<std::string_view> needed_;  // values that nodes and outputs read, without initializers
  std::mutex mutex_;
  std::unordered_map<const Graph*, std::unique_ptr<Runner>> runners_;
  std::shared_ptr<Sections> sections_;
  const std::set<std::string_view> branchInputs_;
  std::map<std::map<std::string_view, bool>, std::shared_ptr<Branches>> branches_;
  std::unordered_map<const TensorProto*, Value> decoded_;
  std::unordered_map<const NodeProto*, std::shared_ptr<const void>> prepared_;
  std::mutex randomMutex_;
  std::mt19937_64 random_;
};

}  // namespace webnn::formats::onnx
