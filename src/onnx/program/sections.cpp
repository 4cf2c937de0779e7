#include "onnx/program/sections.h"

#include <algorithm>
#include <array>
#include <optional>

#include "onnx/program/forms.h"
#include "onnx/program/host_node.h"
#include "onnx/read/repertoire.h"
#include "webnn/onnx_types.h"

namespace webnn::formats::onnx {

namespace {

constexpr std::size_t kMostSections = 1000;
// At least this many graphs are kept for a section, because most of them hold no weights.
constexpr std::size_t kLeastForms = 16;
// Weights with at least this many elements are large: compiling packs them or reads them.
constexpr std::size_t kLargeElements = 1024;
// Sections share graphs if their nodes, results and initializers are equal. Initializers of up to this many bytes are compared by
// content; larger ones must be the same initializer.
constexpr std::size_t kMostComparedBytes = std::size_t{16} << 10;

void appendString(std::string& text, std::string_view value) {
  appendTo(text, value.size());
  text.append(value);
}

using Shapes = std::map<std::string, Shape>;

// Returns whether the node only moves elements. No pass needs such a node to recognize a pattern.
bool isMove(const NodeProto& node) {
  constexpr std::array<std::string_view, 6> kMoves{"Flatten", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze"};
  return node.domain.empty() && std::ranges::count(kMoves, node.opType) > 0;
}

}  // namespace

// The nodes of a model in their order, and the kind of each: computed from constants only, fixed, or dependent on what varies
// between runs.
struct Sections::Division {
  enum class Kind : std::uint8_t { constant, fixed, varying };
  std::vector<const NodeProto*> nodes;
  std::vector<std::set<std::string_view>> reads;
  std::vector<Kind> kinds;
  std::vector<bool> readsLarge;  // whether a node reads large weights, or a constant computed from them
  std::unordered_map<std::string_view, std::size_t> producers;  // keyed by value: index of the node that computes it
  const std::map<std::string_view, const TensorProto*>& initializers;

  explicit Division(const std::map<std::string_view, const TensorProto*>& tensors) : initializers(tensors) {}

  bool isConstant(std::string_view name) const {
    const auto producer = producers.find(name);
    return producer == producers.end() ? initializers.contains(name) : kinds[producer->second] == Kind::constant;
  }

  // Adds the next node of the model. `varying` has the names of the values whose forms differ between runs.
  void add(const NodeProto& node, const std::set<std::string_view>& varying) {
    const std::set<std::string_view>& own = reads.emplace_back(valuesReadBy(node));
    const auto isLarge = [&](std::string_view name) {
      if (const auto producer = producers.find(name); producer != producers.end())
        return kinds[producer->second] == Kind::constant && readsLarge[producer->second];
      const auto tensor = initializers.find(name);
      return tensor != initializers.end() && elementCount(tensor->second->dims) >= kLargeElements;
    };
    const auto varies = [&](std::string_view name) { return varying.contains(name); };
    const bool isVarying = std::ranges::any_of(own, varies) || std::ranges::any_of(node.outputs, varies);
    readsLarge.push_back(std::ranges::any_of(own, isLarge));
    kinds.push_back(std::ranges::all_of(own, [&](std::string_view name) { return isConstant(name); }) ? Kind::constant
                    : isVarying                                                                       ? Kind::varying
                                                                                                      : Kind::fixed);
    for (const std::string_view output : node.outputs) {
      if (!output.empty()) producers.emplace(output, nodes.size());
    }
    nodes.push_back(&node);
  }

  // Changes fixed nodes beside varying nodes to varying, so that passes which recognize attention or a normalization find all of
  // its nodes in one section. Keeps nodes that read large weights or only move elements. A node changes if each of its inputs is
  // a constant or comes from a varying node, or if all its results go only to varying nodes.
  void widen(const std::set<std::string_view>& varyingInputs, const std::set<std::string_view>& outputs) {
    std::unordered_map<std::string_view, std::vector<std::size_t>> readers;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const std::string_view name : reads[i]) readers[name].push_back(i);
      open.push_back(i);
    }
    const auto isVarying = [&](std::size_t i) { return kinds[i] == Kind::varying; };
    const auto comesFromVarying = [&](std::string_view name) {
      const auto producer = producers.find(name);
      if (producer == producers.end()) return varyingInputs.contains(name);
      return isVarying(producer->second);
    };
    const auto goesToVarying = [&](std::string_view name) {
      return !outputs.contains(name) && std::ranges::all_of(readers[name], isVarying);
    };
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      if (kinds[i] != Kind::fixed || readsLarge[i] || isMove(*nodes[i])) continue;
      const bool follows = std::ranges::all_of(reads[i], [&](auto name) { return isConstant(name) || comesFromVarying(name); });
      if (!follows && !std::ranges::all_of(nodes[i]->outputs, goesToVarying)) continue;
      kinds[i] = Kind::varying;
      for (const std::string_view name : nodes[i]->outputs) open.insert(open.end(), readers[name].begin(), readers[name].end());
      for (const std::string_view name : reads[i]) {
        if (const auto producer = producers.find(name); producer != producers.end()) open.push_back(producer->second);
      }
    }
  }

  // Returns the nodes of each section. A section takes all nodes of one kind whose inputs are known: given to the model,
  // constant, or results of nodes that were taken before. Nodes that compute constants are left to the sections that read them.
  std::vector<std::vector<std::size_t>> sections() const {
    std::vector<std::vector<std::size_t>> sections;
    std::vector<bool> isDone(nodes.size());
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (kinds[i] == Kind::constant)
        isDone[i] = true;
      else
        left.push_back(i);
    }
    for (Kind kind = Kind::fixed; !left.empty() && sections.size() <= kMostSections;
         kind = kind == Kind::fixed ? Kind::varying : Kind::fixed) {
      std::vector<std::size_t> section, rest;
      for (const std::size_t i : left) {
        const auto isKnown = [&](std::string_view name) {
          const auto producer = producers.find(name);
          return producer == producers.end() || isDone[producer->second];
        };
        if (kinds[i] == kind && std::ranges::all_of(reads[i], isKnown)) {
          isDone[i] = true;
          section.push_back(i);
        } else {
          rest.push_back(i);
        }
      }
      left = std::move(rest);
      if (!section.empty()) sections.push_back(std::move(section));
    }
    return sections;
  }

  // Returns the nodes of the section and the nodes that compute constants for them.
  std::vector<std::size_t> withConstants(const std::vector<std::size_t>& section) const {
    std::set<std::size_t> all(section.begin(), section.end());
    std::vector<std::size_t> open = section;
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      for (const std::string_view name : reads[i]) {
        const auto producer = producers.find(name);
        if (producer == producers.end() || kinds[producer->second] != Kind::constant) continue;
        if (all.insert(producer->second).second) open.push_back(producer->second);
      }
    }
    return {all.begin(), all.end()};
  }
};

// Returns the forms of the values for these shapes of the inputs; nullopt if WebNN cannot express a node.
std::optional<Sections::Forms> Sections::formsFor(Program& program, const Shapes& shapes, const std::shared_ptr<Budget>& budget) {
  const Model& model = program.model();
  PartRequest request{.nodes = {}, .graphs = {&model.graph}, .known = {}, .byValue = {}, .held = {}, .required = {}};
  for (const NodeProto& node : model.graph.nodes) request.nodes.push_back(&node);
  std::map<std::string_view, Value> values;
  for (const ValueInfo& input : model.graph.inputs) {
    if (const auto shape = shapes.find(std::string(input.name)); shape != shapes.end()) {
      values[input.name] = Value{input.type, {shape->second.begin(), shape->second.end()}, {}};
      request.known.emplace(input.name, &values[input.name]);
    }
  }
  LoadOptions load = program.options().load;
  load.call = {};
  load.dimensions.clear();
  return formsOf(program.context(), model, request, load, budget, wholeRepertoire());
}

std::shared_ptr<Sections> Sections::cut(Program& program, const Shapes& before, const Shapes& after,
                                        const std::shared_ptr<Budget>& budget, bool always) {
  const Graph& graph = program.model().graph;
  if (!program.options().load.values.empty()) return nullptr;
  const std::shared_ptr<Sections> cut(new Sections(program));
  const auto isInitializer = [&](const auto& input) { return cut->initializers_.contains(input.first); };
  if (std::ranges::any_of(after, isInitializer)) return nullptr;
  std::optional<Forms> old, now;
  try {
    old = formsFor(program, before, budget);
    now = formsFor(program, after, budget);
  } catch (const Error& error) {  // the run will report this error
    if (error.kind() != ErrorKind::typeError && error.kind() != ErrorKind::dataError &&
        error.kind() != ErrorKind::notSupportedError)
      throw;
  }
  if (!old || !now) return nullptr;
  std::set<std::string_view> varying;
  for (const auto& [name, shape] : after) {
    if (const auto other = before.find(name); other == before.end() || other->second != shape) varying.insert(name);
  }
  for (const auto& [name, form] : *now) {
    if (old->at(name).text != form.text) varying.insert(name);
  }
  Division division(cut->initializers_);
  for (const NodeProto& node : graph.nodes) {
    budget->check();
    division.add(node, varying);
  }
  division.widen(varying, cut->outputs_);
  std::vector<std::vector<std::size_t>> sections = division.sections();
  if (sections.empty() || sections.size() > kMostSections) return nullptr;
  const auto isOutput = [&](std::string_view name) { return cut->outputs_.contains(name); };
  for (std::size_t i = 0; i < division.nodes.size(); ++i) {
    if (division.kinds[i] == Division::Kind::constant && std::ranges::any_of(division.nodes[i]->outputs, isOutput))
      sections.front().push_back(i);
  }
  std::size_t all = 0;
  for (const auto& section : sections) all += section.size();
  const std::size_t varyingNodes = cut->add(division, sections, *now);
  // A section costs about as much time in each run as compiling a node.
  return always || varyingNodes + sections.size() <= all / 2 ? cut : nullptr;
}

Sections::Sections(Program& program) : program_(program) {
  for (const TensorProto& tensor : program.model().graph.initializers) initializers_.emplace(tensor.name, &tensor);
  for (const ValueInfo& output : program.model().graph.outputs) outputs_.insert(output.name);
}

// Sets `sections_`. Returns the number of nodes that depend on the changing sizes. The nodes of sections that share graphs count
// once.
std::size_t Sections::add(const Division& division, const std::vector<std::vector<std::size_t>>& sections, const Forms& forms) {
  std::unordered_map<std::string_view, std::size_t> lastReaders;  // the last section that reads a value
  for (std::size_t s = 0; s < sections.size(); ++s) {
    for (const std::size_t i : sections[s]) {
      for (const std::string_view name : division.reads[i]) lastReaders[name] = s;
    }
  }
  std::map<std::string, std::size_t> known;  // keyed by textOf(): the first section with this text
  std::size_t varyingNodes = 0;
  std::vector<std::size_t> same;  // for each section, the first section with the same text
  for (std::size_t s = 0; s < sections.size(); ++s) {
    BudgetScope::current().check();
    Section& section = sections_.emplace_back();
    for (const std::size_t i : division.withConstants(sections[s])) section.nodes.push_back(division.nodes[i]);
    for (const std::size_t i : sections[s]) {
      for (const std::string_view name : division.nodes[i]->outputs) {
        const auto reader = lastReaders.find(name);
        const bool isRead = reader != lastReaders.end() && reader->second > s;
        if (!name.empty() && (isRead || outputs_.contains(name))) section.results.push_back(name);
      }
    }
    same.push_back(known.try_emplace(textOf(section), s).first->second);
    for (const std::string_view name : section.reads) {
      const auto form = forms.find(name);
      section.byValue.push_back(form != forms.end() && form->second.isConstant);
      if (lastReaders.at(name) == s && division.producers.contains(name) && !outputs_.contains(name))
        section.ended.push_back(name);
    }
    if (same[s] == s) section.graphs = std::make_shared<Graphs>();
    if (same[s] == s && division.kinds[sections[s].front()] == Division::Kind::varying) varyingNodes += sections[s].size();
  }
  for (std::size_t s = 0; s < sections.size(); ++s) {
    sections_[s].same = &sections_[same[s]];
    sections_[s].graphs = sections_[same[s]].graphs;
    ++sections_[s].graphs->sections;
  }
  return varyingNodes;
}

void Sections::appendText(std::string& text, const TensorProto& tensor) {
  const std::size_t count = elementCount(tensor.dims);
  const std::size_t bits = webnn::onnx::bitsPerElement(tensor.type);
  if (bits == 0 || count > kMostComparedBytes * 8 / bits) return appendTo(text, &tensor);
  appendTo(text, tensor.type);
  appendTo(text, tensor.dims.size());
  for (const std::int64_t size : tensor.dims) appendTo(text, size);
  const Value value = program_.valueOf(tensor);
  appendString(text, std::string_view(reinterpret_cast<const char*>(value.bytes->bytes.data()), value.bytes->bytes.size()));
}

void Sections::appendText(std::string& text, const Attribute& attribute) {
  appendString(text, attribute.name);
  appendTo(text, attribute.type);
  appendTo(text, attribute.f);
  appendTo(text, attribute.i);
  appendString(text, attribute.s);
  appendTo(text, attribute.floats.size());
  for (const float value : attribute.floats) appendTo(text, value);
  appendTo(text, attribute.ints.size());
  for (const std::int64_t value : attribute.ints) appendTo(text, value);
  appendTo(text, attribute.strings.size());
  for (const std::string_view value : attribute.strings) appendString(text, value);
  if (attribute.t) appendText(text, *attribute.t);
  if (attribute.g) appendTo(text, attribute.g.get());
  appendString(text, attribute.reference);
}

// Returns the nodes as a text in which values are numbered, so that it does not depend on names. Sets `reads` and `initializers`.
std::string Sections::textOf(Section& section) {
  section.reads.clear();
  section.initializers.clear();
  std::unordered_map<std::string_view, std::size_t> numbers;
  std::string text;
  const auto numberOf = [&](std::string_view name) { return numbers.try_emplace(name, numbers.size()).first->second; };
  std::set<std::string_view> defined;
  for (const NodeProto* node : section.nodes) defined.insert(node->outputs.begin(), node->outputs.end());
  const auto appendRead = [&](std::string_view name) {
    appendTo(text, name.empty());
    if (name.empty()) return;
    const auto tensor = initializers_.find(name);
    const bool isInitializer = !defined.contains(name) && tensor != initializers_.end();
    appendTo(text, isInitializer);
    if (isInitializer) {
      section.initializers.push_back(tensor->second);
      return appendText(text, *tensor->second);
    }
    if (!defined.contains(name) && !numbers.contains(name)) section.reads.push_back(name);
    appendTo(text, numberOf(name));
  };
  for (const NodeProto* node : section.nodes) {
    appendString(text, node->domain);
    appendString(text, node->opType);
    appendString(text, node->overload);
    appendTo(text, program_.versionOf(*node));
    appendTo(text, node->inputs.size());
    std::set<std::string_view> others = valuesReadBy(*node);  // after the loop: values that only subgraphs read
    for (const std::string_view name : node->inputs) {
      appendRead(name);
      others.erase(name);
    }
    for (const std::string_view name : others) appendRead(name);
    appendTo(text, node->outputs.size());
    for (const std::string_view name : node->outputs) {
      appendTo(text, name.empty());
      if (name.empty()) continue;
      appendTo(text, numberOf(name));
      appendTo(text, std::ranges::count(section.results, name) > 0);
    }
    appendTo(text, node->attributes.size());
    for (const Attribute& attribute : node->attributes) appendText(text, attribute);
  }
  return text;
}

std::string Sections::formOf(const Section& section, const Environment& environment) const {
  std::string form;
  for (std::size_t i = 0; i < section.reads.size(); ++i) {
    const Value& value = *environment.find(section.reads[i]);
    appendForm(form, value, isByValue(section, i, value));
  }
  return form;
}

bool Sections::isByValue(const Section& section, std::size_t read, const Value& value) {
  return section.byValue[read] && value.bytes && value.bytes->bytes.size() <= kMostValueBytes;
}

std::shared_ptr<const Sections::Graphs::Step> Sections::stepFor(const Section& section, const Environment& environment,
                                                                ProgramCall& call) {
  std::string form = formOf(section, environment);
  auto& steps = section.graphs->steps;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(steps, form, [](const auto& step) { return std::string_view(step->form); });
    if (found != steps.end()) {
      steps.splice(steps.begin(), steps, found);
      return steps.front();
    }
  }
  const Section& same = *section.same;
  PartRequest request{.nodes = same.nodes,
                      .graphs = {},
                      .initializers = same.initializers,
                      .known = {},
                      .byValue = {},
                      .held = {},
                      .required = {same.results.begin(), same.results.end()}};
  for (std::size_t i = 0; i < section.reads.size(); ++i) {
    const Value* const value = environment.find(section.reads[i]);
    request.known.emplace(same.reads[i], value);
    if (isByValue(section, i, *value)) request.byValue.insert(same.reads[i]);
  }
  LoadOptions load = program_.options().load;
  load.call = call.rest();
  load.dimensions.clear();
  const auto step = std::make_shared<Graphs::Step>();
  step->form = std::move(form);
  step->part = importPart(program_.context(), program_.model(), request, load, program_.options().makeBudget(load.call),
                          wholeRepertoire());
  if (!step->part.rest.empty()) fail(ErrorKind::notSupportedError, "the model cannot be cut where its sizes change.");
  const std::lock_guard lock(mutex_);
  steps.push_front(step);
  const std::size_t most = std::max(kLeastForms, program_.options().graphs) * section.graphs->sections;
  while (steps.size() > most) steps.pop_back();
  return step;
}

void Sections::clear() {
  const std::lock_guard lock(mutex_);
  for (Section& section : sections_) section.graphs->steps.clear();
}

std::vector<Value> Sections::run(Environment& environment, ProgramCall& call) {
  for (const Section& section : sections_) {
    call.budget.check();
    const std::shared_ptr<const Graphs::Step> step = stepFor(section, environment, call);
    const Section& same = *section.same;
    runPart(step->part, environment, call, [&](std::string_view name) {
      if (&same == &section) return name;
      if (const auto read = std::ranges::find(same.reads, name); read != same.reads.end())
        return section.reads[static_cast<std::size_t>(read - same.reads.begin())];
      return section.results[static_cast<std::size_t>(std::ranges::find(same.results, name) - same.results.begin())];
    });
    for (const std::string_view name : section.ended) environment.values.erase(name);
  }
  std::vector<Value> outputs;
  for (const ValueInfo& output : program_.model().graph.outputs) {
    const Value* value = environment.find(output.name);
    if (!value) {
      const auto tensor = initializers_.find(output.name);
      if (tensor == initializers_.end()) fail(ErrorKind::dataError, "the output {} is not defined.", webnn::quoted(output.name));
      outputs.push_back(program_.valueOf(*tensor->second));
      continue;
    }
    outputs.push_back(*value);
  }
  return outputs;
}

}  // namespace webnn::formats::onnx
