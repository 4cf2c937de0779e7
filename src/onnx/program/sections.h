// Cuts a model that one graph can hold into sections: nodes whose shapes depend on sizes that change often, and nodes whose
// shapes do not. A decoder whose cache grows by one entry in each run is cut around the attention of each layer: the other
// nodes, such as projections, have the same shapes in each run, so their graphs are compiled once. Layers whose attention is
// written with the same nodes share a graph: a run with a new size compiles the attention of one layer, not the whole model.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "onnx/program/runner.h"

namespace webnn::formats::onnx {

// A model that is cut into sections, with the compiled graphs of each section. Thread safe.
class Sections {
 public:
  // Cuts the program's model. `before` and `after`: two shapes of each input, which differ in the sizes that change often.
  // Returns null if the model cannot be imported for these shapes, if one of the inputs in `after` has a default, if
  // LoadOptions::values is not empty, or if there would be no section or too many. Unless `always` is set, also returns null if
  // cutting does not pay, because most nodes depend on these sizes.
  static std::shared_ptr<Sections> cut(Program& program, const std::map<std::string, Shape>& before,
                                       const std::map<std::string, Shape>& after, const std::shared_ptr<Budget>& budget,
                                       bool always = false);

  std::size_t count() const { return sections_.size(); }

  // Releases the compiled graphs. Later runs compile them again.
  void clear();
  // Computes the model's outputs. `environment` holds its inputs.
  std::vector<Value> run(Environment& environment, ProgramCall& call);

 private:
  // The compiled graphs of sections that have the same nodes. Each graph is for one form of the values that the section reads.
  struct Graphs {
    struct Step {
      std::string form;  // from formOf()
      ImportedPart part;
    };
    std::list<std::shared_ptr<const Step>> steps;  // most recently used first
    std::size_t sections = 0;                      // number of sections that share these graphs
  };
  struct Section {
    std::vector<const NodeProto*> nodes;
    std::vector<std::string_view> reads;           // values from inputs and earlier sections, in the order of their first use
    std::vector<const TensorProto*> initializers;  // initializers that the nodes read
    std::vector<bool> byValue;                     // for each of `reads`: whether it is a constant that shapes may depend on
    std::vector<std::string_view> results;         // values that later sections or the caller read, in the order of `nodes`
    // Values of `reads` that this section reads last: erased after its run. Without inputs and outputs of the model.
    std::vector<std::string_view> ended;
    // The first section with the same nodes apart from names; `this` if there is none. Its graphs serve both.
    const Section* same = nullptr;
    std::shared_ptr<Graphs> graphs;
  };

  struct Division;
  using Forms = std::unordered_map<std::string_view, ValueForm>;

  explicit Sections(Program& program);
  static std::optional<Forms> formsFor(Program& program, const std::map<std::string, Shape>& shapes,
                                       const std::shared_ptr<Budget>& budget);
  std::size_t add(const Division& division, const std::vector<std::vector<std::size_t>>& sections, const Forms& forms);
  std::string textOf(Section& section);
  void appendText(std::string& text, const Attribute& attribute);
  void appendText(std::string& text, const TensorProto& tensor);
  // Returns whether a value is passed to the section as a constant.
  static bool isByValue(const Section& section, std::size_t read, const Value& value);
  std::string formOf(const Section& section, const Environment& environment) const;
  std::shared_ptr<const Graphs::Step> stepFor(const Section& section, const Environment& environment, ProgramCall& call);

  Program& program_;
  std::map<std::string_view, const TensorProto*> initializers_;
  std::set<std::string_view> outputs_;
  std::vector<Section> sections_;  // in the order of execution
  std::mutex mutex_;               // guards Graphs::steps
};

}  // namespace webnn::formats::onnx
