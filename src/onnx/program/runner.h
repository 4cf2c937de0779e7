// Runs one graph of a model: the main graph, or the body of a branch or loop.
#pragma once

#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "onnx/program/program.h"
#include "onnx/program/value_pool.h"
#include "onnx/read/part.h"

namespace webnn::formats::onnx {

// The values of a graph during a run. Values of outer graphs are visible.
struct Environment {
  const Environment* outer = nullptr;
  std::unordered_map<std::string_view, Value> values{};

  const Value* find(std::string_view name) const {
    for (const Environment* here = this; here; here = here->outer) {
      if (const auto found = here->values.find(name); found != here->values.end()) return &found->second;
    }
    return nullptr;
  }
};

// One run of a program.
struct ProgramCall {
  const Budget& budget;
  const CallOptions& options;
  const OutputMemory& outputMemory;
  ValuePool& values;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::size_t depth = 0;  // nesting of bodies

  // Returns the options for a part of the run, with the time that is left.
  CallOptions rest() const;
};

// Name for memory that a run charges, for error messages.
inline constexpr std::string_view kMemoryOfStep = "memory for a step between graphs";

// Runs the graph of a part and adds the part's results to the environment. `nameOf` returns the environment's name for a name in
// the part.
void runPart(const ImportedPart& part, Environment& environment, ProgramCall& call,
             FunctionRef<std::string_view(std::string_view)> nameOf);

// Runs a graph in parts. A part begins with all nodes that earlier parts left over. The import builds one WebNN graph of as many
// of them as possible, and leaves the rest to the host and the next part. Which nodes fit depends on the form of the values that
// the part reads: their types and shapes, and the bytes of values that become constants. A part is therefore imported once for
// each form.
class Runner {
 public:
  Runner(Program& program, const Graph& graph, const Runner* outer);

  // Computes the graph's outputs. `environment` holds its inputs.
  std::vector<Value> run(Environment& environment, ProgramCall& call);
  const Graph& graph() const { return graph_; }
  // Returns the initializer of this graph or an outer graph; null if there is none.
  const TensorProto* initializer(std::string_view name) const;

 private:
  struct Part;
  // A part as imported for one form of its values. A run computes its graph, then its nodes on the host, then the next part.
  struct Step {
    std::string form;
    ImportedPart imported;
    std::vector<const NodeProto*> host;   // run after the graph, in this order
    std::shared_ptr<Part> next;           // null if no nodes are left
    std::vector<std::string_view> ended;  // values of the part that neither `next` nor the caller reads
  };
  struct Part {
    std::vector<const NodeProto*> nodes;
    std::vector<std::string_view> reads;           // values that the nodes read but do not compute, in a fixed order
    std::set<std::string_view> byValue;            // values that become constants
    std::set<std::string_view> imported;           // values that nodes without a host operator read
    std::list<std::shared_ptr<const Step>> steps;  // most recently used first
  };

  // Returns whether the host must and can compute the node, because one of its inputs has a type that WebNN lacks, or no
  // elements. The input is in the environment, an initializer, or a result of the part `before`, which has not run yet. For an
  // initializer, only the type counts.
  bool isForeign(const NodeProto& node, const Environment& environment, const ImportedPart* before = nullptr) const;
  // Returns whether the host computes the node because it reads a sequence that is in the environment. A graph would be imported
  // again for each length of the sequence.
  bool readsSequence(const NodeProto& node, const Environment& environment) const;
  std::shared_ptr<Part> withoutForeign(const std::shared_ptr<Part>& part, Environment& environment, ProgramCall& call);
  std::shared_ptr<Part> partOf(std::vector<const NodeProto*> nodes);
  std::shared_ptr<const Step> stepFor(Part& part, const Environment& environment, ProgramCall& call);
  PartRequest requestFor(const Part& part, const Environment& environment);
  std::shared_ptr<const Step> import(Part& part, const Environment& environment, std::string form, ProgramCall& call,
                                     bool& needsValues);
  std::string formOf(const Part& part, const Environment& environment);
  std::vector<std::string_view> endedBetween(const Part& part, const Part& next) const;
  void runHost(const NodeProto& node, Environment& environment, ProgramCall& call);
  const Value* find(std::string_view name, const Environment& environment) const;
  [[noreturn]] void failBlocked(const ImportedPart& part, const Environment& environment) const;

  Program& program_;
  const Graph& graph_;
  const Runner* const outer_;
  std::unordered_map<std::string_view, const TensorProto*> initializers_;
  std::set<std::string_view> required_;  // outputs of the graph
  struct Node {
    std::set<std::string_view> reads;  // valuesReadBy()
    bool hasStep = false;              // whether findHostOperator() finds its operator
  };
  std::unordered_map<const NodeProto*, Node> nodes_;
  std::unordered_map<std::string_view, std::size_t> readers_;  // the number of nodes that read a value
  std::mutex mutex_;
  std::map<std::vector<const NodeProto*>, std::shared_ptr<Part>> parts_;
};

}  // namespace webnn::formats::onnx
