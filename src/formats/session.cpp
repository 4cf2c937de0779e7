#include "webnn/session.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/as_errors.h"
#include "base/files/file_stamp.h"
#include "base/fork.h"
#include "base/function_ref.h"
#include "base/text.h"
#include "builder/builder_state.h"
#include "context/context_state.h"
#include "context/graph_state.h"
#include "formats/build_turns.h"
#include "formats/graph_source.h"
#include "formats/kept_graphs.h"
#include "formats/open_graph_source.h"
#include "formats/session_values.h"
#include "onnx/program/branches.h"
#include "onnx/program/elements.h"
#include "onnx/program/host_node.h"

namespace webnn {

namespace {

using Dimensions = std::map<std::string, std::uint32_t>;

bool hasAnyShape(const DeclaredInput& input) {
  return input.shape.size() == 1 && input.shape[0].name == formats::onnx::kAnyShape;
}

// Returns the shape as text, such as "[batch, 3, 4]".
std::string textOf(const std::vector<DeclaredDimension>& shape) {
  std::string text = "[";
  for (const DeclaredDimension& dimension : shape) {
    if (text.size() > 1) text += ", ";
    text += dimension.name.empty() ? std::to_string(dimension.size) : sanitized(dimension.name);
  }
  return text + "]";
}

// Returns a list of the names in quotes, with at most ten names.
template <typename Declared>
std::string namesOf(const std::vector<Declared>& declared) {
  constexpr std::size_t kMost = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(declared.size(), kMost); ++i) list += (i ? ", " : "") + webnn::quoted(declared[i].name);
  return declared.size() > kMost ? formatText("{} and {} more", list, declared.size() - kMost) : list.empty() ? "none" : list;
}

template <typename Declared>
const Declared* find(std::span<const Declared> all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Declared::name);
  return found == all.end() ? nullptr : &*found;
}

// Return whether a size is outside of the declared bounds of its dimension. isTooSmall() accepts 0, which models that run as
// programs take. For other models, Measurement::add() or the build of the graph refuses a 0 below the declared minimum.
bool isTooSmall(std::uint32_t size, const DeclaredDimension& dimension) { return size != 0 && size < dimension.min; }
bool isTooLarge(std::uint32_t size, const DeclaredDimension& dimension) { return dimension.size != 0 && size > dimension.size; }

// A dimension's size and the input that determined it.
struct Measured {
  std::uint32_t size = 0;
  const std::string* input = nullptr;  // null: fixed
};

class Measurement {
 public:
  // `allowsZero`: whether dimensions may be 0, as for models that run as programs. `takesPlaces`: see GraphSource.
  explicit Measurement(const Dimensions& fixed, bool allowsZero = false, bool takesPlaces = false)
      : allowsZero_(allowsZero), takesPlaces_(takesPlaces) {
    for (const auto& [name, size] : fixed) sizes_[name] = {size, nullptr};
  }

  void add(const DeclaredInput& input, const Shape& shape) {
    if (hasAnyShape(input)) return;
    if (shape.size() != input.shape.size()) failShape(input, shape);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const DeclaredDimension& dimension = input.shape[axis];
      const std::string& name = dimension.name;
      if (name.empty()) {
        if (shape[axis] != dimension.size) failShape(input, shape);
        continue;
      }
      if (shape[axis] == 0 && dimension.min > 0 && !allowsZero_)
        fail(ErrorKind::typeError, "input {}: the dimension {} is 0.", webnn::quoted(input.name), webnn::quoted(name));
      if (isTooSmall(shape[axis], dimension)) {
        fail(ErrorKind::typeError, "input {}: the dimension {} is {}, less than its smallest size ({}).",
             webnn::quoted(input.name), webnn::quoted(name), shape[axis], dimension.min);
      }
      if (isTooLarge(shape[axis], dimension)) {
        fail(ErrorKind::typeError, "input {}: the dimension {} is {}, more than its largest size ({}).",
             webnn::quoted(input.name), webnn::quoted(name), shape[axis], dimension.size);
      }
      agree(input, axis, shape[axis]);
    }
  }

  // Returns a sentence that says which inputs disagree about the size of a dimension; empty if they agree.
  const std::string& disagreement() const { return disagreement_; }
  // Returns the sizes of all open dimensions, including those that the options fix. Throws TypeError if a size is not known.
  Dimensions sizes(std::span<const DeclaredInput> inputs) const {
    Dimensions result;
    for (const DeclaredInput& input : inputs) {
      if (hasAnyShape(input)) continue;
      for (const DeclaredDimension& dimension : input.shape) {
        if (dimension.name.empty() || sizes_.contains(dimension.name)) continue;
        fail(ErrorKind::typeError, "the size of the dimension {} is not known: input {} {}, which has it, is missing.",
             webnn::quoted(dimension.name), webnn::quoted(input.name), textOf(input.shape));
      }
    }
    for (const auto& [name, measured] : sizes_) result[name] = measured.size;
    return result;
  }

 private:
  [[noreturn]] static void failShape(const DeclaredInput& input, const Shape& shape) {
    const bool isFlat = shape.size() == 1 && input.shape.size() != 1;  // the caller may have given values without a shape
    fail(ErrorKind::typeError, "the shape of input {} is {}, not {}{}.", webnn::quoted(input.name), toString(shape),
         textOf(input.shape), isFlat ? "; values without a shape have one dimension" : "");
  }
  void agree(const DeclaredInput& input, std::size_t axis, std::uint32_t size) {
    const std::string& name = input.shape[axis].name;
    const auto [known, isNew] = sizes_.try_emplace(name, Measured{size, &input.name});
    if (isNew || known->second.size == size) return;
    Measured& before = known->second;
    // In the first run of a decoder, the cache of the encoder's keys is empty. Its length has the same name as the length of the
    // encoder's output, which is not 0.
    if (allowsZero_ && before.input && (size == 0 || before.size == 0)) {
      if (before.size == 0) before = {size, &input.name};
      return;
    }
    try {
      failSizes(input, name, before, size);
    } catch (const Error& error) {
      if (!takesPlaces_ || !before.input) throw;
      sizes_[formats::onnx::keyOfPlace(input.name, axis)] = {size, &input.name};
      if (disagreement_.empty()) disagreement_ = error.what();
    }
  }
  [[noreturn]] static void failSizes(const DeclaredInput& input, const std::string& name, const Measured& before,
                                     std::uint32_t size) {
    if (before.input == &input.name) {
      fail(ErrorKind::typeError, "input {} {} gives the dimension {} two sizes, {} and {}.", webnn::quoted(input.name),
           textOf(input.shape), webnn::quoted(name), before.size, size);
    }
    fail(ErrorKind::typeError, "the dimension {} is {} {} and {} in input {}.", webnn::quoted(name), before.size,
         before.input ? "in input " + webnn::quoted(*before.input) : "as fixed when the model was loaded", size,
         webnn::quoted(input.name));
  }

  const bool allowsZero_, takesPlaces_;
  std::map<std::string, Measured> sizes_;
  std::string disagreement_;
};

// Throws TypeError for an unknown dimension name or a size outside its bounds; otherwise only the first run would report it.
void requireKnownDimensions(const std::vector<DeclaredInput>& inputs, const Dimensions& given) {
  std::map<std::string, DeclaredDimension> known;
  for (const DeclaredInput& input : inputs) {
    for (const DeclaredDimension& dimension : input.shape) {
      if (!dimension.name.empty()) known.emplace(dimension.name, dimension);
    }
  }
  for (const auto& [name, size] : given) {
    if (const auto found = known.find(name); found != known.end()) {
      const DeclaredDimension& dimension = found->second;
      if (!isTooSmall(size, dimension) && !isTooLarge(size, dimension)) continue;
      fail(ErrorKind::typeError, "the size ({}) of the dimension {} is not between {} and {}.", size, webnn::quoted(name),
           dimension.min, dimension.size == 0 ? kMaxDimension : dimension.size);
    }
    std::vector<DeclaredDimension> all;
    for (const auto& [unused, dimension] : known) all.push_back(dimension);
    fail(ErrorKind::typeError, "the dimension {} is not in the model. The model's dynamic dimensions: {}.", webnn::quoted(name),
         namesOf(all));
  }
}

DeclaredDimension fixedDimension(std::uint32_t size) { return {size, {}}; }

std::vector<DeclaredDimension> declared(const Shape& shape) {
  std::vector<DeclaredDimension> result;
  std::ranges::transform(shape, std::back_inserter(result), fixedDimension);
  return result;
}

}  // namespace

void detail::failForeignElement(std::string_view method, onnx::ElementType wanted, onnx::ElementType actual) {
  const auto text = [](onnx::ElementType type) {
    return type == onnx::ElementType::undefined ? "a type of WebNN" : onnx::name(type);
  };
  fail(ErrorKind::typeError, "{}: the elements are of {}, not of {}.", method, text(actual), text(wanted));
}

namespace {

void add(Measurement& measurement, std::span<const DeclaredInput> inputs, const std::map<std::string, Shape>& shapes) {
  for (const auto& [name, shape] : shapes) {
    const DeclaredInput* input = find(inputs, name);
    if (!input) {
      fail(ErrorKind::typeError, "the model has no input {}; it has {}.", webnn::quoted(name),
           namesOf(std::vector<DeclaredInput>(inputs.begin(), inputs.end())));
    }
    measurement.add(*input, shape);
  }
}

}  // namespace

Dimensions dimensionsOf(std::span<const DeclaredInput> inputs, const std::map<std::string, Shape>& shapes,
                        const Dimensions& fixed, bool allowsZero) {
  Measurement measurement(fixed, allowsZero);
  add(measurement, inputs, shapes);
  return measurement.sizes(inputs);
}

// The options of a run. All graphs and host nodes of the run share its time.
class RunOptions {
 public:
  RunOptions(const CallOptions& options, std::chrono::nanoseconds maxTime) : options_(options) {
    options_.timeout = std::min(options.timeout, maxTime);
  }
  // Returns the options with the time that is left.
  CallOptions left() const {
    CallOptions options = options_;
    if (options.timeout == std::chrono::nanoseconds::max()) return options;
    const std::chrono::nanoseconds passed = Budget::Clock::now() - start_;
    options.timeout = std::max(std::chrono::nanoseconds(0), options.timeout - passed);
    return options;
  }
  // Returns the options with half of the remaining time, for optional work.
  CallOptions half() const {
    CallOptions options = left();
    if (options.timeout != std::chrono::nanoseconds::max()) options.timeout /= 2;
    return options;
  }

 private:
  const Budget::Clock::time_point start_ = Budget::Clock::now();
  CallOptions options_;
};

struct SessionState {
  Context context;
  std::filesystem::path path;  // empty if there is no file
  LoadOptions options;
  std::size_t most = 0;  // maximum number of compiled graphs that are kept
  std::optional<std::uint64_t> seed;
  bool onlyWebnnTypes = false;
  bool inputsMayDisagree = false;
  std::optional<FileStamp> stamp;                // stamp of the mapped file
  std::unique_ptr<formats::GraphSource> source;  // null if the session was made of a compiled graph
  std::vector<DeclaredInput> inputs;
  std::vector<DeclaredOutput> outputs;

  // Replaces open dimensions of the outputs by sizes if the options fix all names in their expressions.
  void fixOutputs() {
    for (DeclaredOutput& output : outputs) {
      if (!output.shape || options.dimensions.empty()) continue;
      for (DeclaredDimension& dimension : *output.shape) {
        if (const auto size = OpenSizes::valueOf(dimension.name, options.dimensions)) dimension = {*size, {}};
      }
    }
  }

  // If the file does not declare the outputs' types, takes the outputs from the open graph.
  void describeOutputs(std::shared_ptr<Budget> budget) {
    const auto isComplete = [](const DeclaredOutput& output) { return output.dataType.has_value(); };
    if (!outputs.empty() && std::ranges::all_of(outputs, isComplete)) return;
    try {
      if (auto graph = source->openGraph(context, std::move(budget))) outputs = formats::sourceOf(graph)->declarations().outputs;
      fixOutputs();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::operationError) throw;
      // Ignores the error, because some graphs can only be built for given sizes. A run with unsuitable sizes reports the error.
    }
  }

  bool hasOpenDimensions() const {
    return std::ranges::any_of(inputs, [&](const DeclaredInput& input) {
      return std::ranges::any_of(input.shape, [&](const DeclaredDimension& dimension) {
        return !dimension.name.empty() && !options.dimensions.contains(dimension.name);
      });
    });
  }

  // The sizes of all dimensions in a run.
  struct Sizes {
    Dimensions dimensions;
    std::string disagreement;  // see Measurement
  };
  Sizes sizesFor(const std::map<std::string, Shape>& shapes, bool allowsZero = false) const {
    Measurement measurement(options.dimensions, allowsZero, inputsMayDisagree && source && source->takesPlaces());
    add(measurement, inputs, shapes);
    return {measurement.sizes(inputs), measurement.disagreement()};
  }
  // Returns the graph for inputs of these shapes.
  FixedGraph graphFor(const std::map<std::string, Shape>& shapes, const CallOptions& call);
  FixedGraph graphFor(const Dimensions& dimensions, const CallOptions& call);
  // Keeps a graph without open dimensions and records its outputs.
  void keepOnly(const Graph& graph);
  // Returns the program that runs the model in several graphs and on the host, made at the first call; null if the file's
  // format has no programs. Checks the limits of `call`, or if `call` is null, the thread's budget.
  std::shared_ptr<formats::onnx::Program> program(const CallOptions* call = nullptr);
  // Whether no single graph can hold the model.
  std::atomic<bool> needsProgram = false;
  formats::onnx::CutChoice choice;  // decides whether to cut program()
  using MadeProgram = FunctionRef<std::shared_ptr<formats::onnx::Program>(const CallOptions&)>;
  // Returns whether a run with new sizes should use the sections of a program (onnx/program/sections.h). May cut the program for
  // these sizes. `given`: the shapes of the run's inputs.
  bool prefersSections(formats::onnx::CutChoice& of, const Dimensions& dimensions, const std::map<std::string, Shape>& given,
                       const RunOptions& call, const MadeProgram& made);
  bool prefersSections(const Dimensions& dimensions, const std::map<std::string, Shape>& given, const RunOptions& call) {
    return prefersSections(choice, dimensions, given, call, [&](const CallOptions& limits) { return program(&limits); });
  }
  RunOptions runOptions(const CallOptions& call) const {
    const auto maxTime = context.state() ? context.state()->limits.maxTime : std::chrono::nanoseconds::max();
    return {call, std::min(options.limits.maxTime, maxTime)};
  }
  bool hasGraph(const Dimensions& dimensions) { return kept_.find(dimensions).has_value(); }

 private:
  const ProcessOfOrigin process_{};
  formats::BuildTurns builds_;
  formats::KeptGraphs kept_;
  std::mutex mutex_;  // protects program_
  std::shared_ptr<formats::onnx::Program> program_;
};

std::shared_ptr<formats::onnx::Program> SessionState::program(const CallOptions* call) {
  const std::lock_guard lock(mutex_);
  if (program_ || !source) return program_;
  // All runs share one memory account, which counts their values and the graphs that are kept.
  const auto makeBudget = [this, memory = formats::memoryFor(context, options)](const CallOptions& limits) {
    LoadOptions load = options;
    load.call = limits;
    return formats::loadBudget(context, load, memory);
  };
  const std::shared_ptr<Budget> budget = call ? makeBudget(*call) : nullptr;
  const BudgetScope scope(budget ? *budget : BudgetScope::current());
  // `most` is 0 if the caller caches compiled graphs itself, as the Python package does. The caller never sees the graphs
  // inside a program, so the program caches the default number of them.
  const std::size_t graphs = most > 0 ? most : SessionOptions().graphs;
  program_ = source->program(context, {.load = options, .graphs = graphs, .seed = seed, .makeBudget = makeBudget});
  return program_;
}

bool SessionState::prefersSections(formats::onnx::CutChoice& of, const Dimensions& dimensions,
                                   const std::map<std::string, Shape>& given, const RunOptions& call, const MadeProgram& made) {
  if (!process_.isHere()) return false;  // a thread of the parent may have held the mutex
  const auto isGiven = [&](const DeclaredInput& input) { return given.contains(input.name); };
  // Values between sections are in the memory of this process.
  const bool mayCut = context.backend() == "cpu" && context.service().empty() && std::ranges::all_of(inputs, isGiven);
  const auto shapesFor = [&](const Dimensions& sizes) {
    std::map<std::string, Shape> shapes;
    for (const DeclaredInput& input : inputs) {
      Shape& shape = shapes[input.name];
      for (const DeclaredDimension& dimension : input.shape)
        shape.push_back(dimension.name.empty() ? dimension.size : sizes.at(dimension.name));
    }
    return shapes;
  };
  return of.prefersSections(dimensions, mayCut, [&](const Dimensions& before) {
    const std::shared_ptr<formats::onnx::Program> whole = made(call.half());
    return whole && whole->cut(shapesFor(before), shapesFor(dimensions), call.half()) > 0;
  });
}

// Calls f. If inputs disagree about a size, puts `disagreement` before the text of errors of these kinds and throws them as
// TypeErrors, because the disagreement is the likely cause.
auto withSizes(const std::string& disagreement, std::initializer_list<ErrorKind> kinds, const auto& f) {
  try {
    return f();
  } catch (const Error& error) {
    if (disagreement.empty() || std::ranges::find(kinds, error.kind()) == kinds.end()) throw;
    throw Error(ErrorKind::typeError, disagreement + " " + error.what());
  }
}

FixedGraph SessionState::graphFor(const std::map<std::string, Shape>& shapes, const CallOptions& call) {
  const Sizes sizes = sizesFor(shapes);
  return withSizes(sizes.disagreement, {ErrorKind::typeError, ErrorKind::dataError},
                   [&] { return graphFor(sizes.dimensions, call); });
}

FixedGraph SessionState::graphFor(const Dimensions& dimensions, const CallOptions& call) {
  if (!process_.isHere())  // after a fork, a thread of the parent process may hold the mutex for ever
    fail(ErrorKind::invalidStateError, "the session is of the process that forked this one; create one here.");
  if (std::optional<FixedGraph> graph = kept_.find(dimensions)) return *std::move(graph);
  if (stamp && !stamp->isUnchanged()) {
    fail(ErrorKind::dataError, "{}: the file has been changed since the session was made of it; make another one.",
         sanitized(path.string()));
  }
  LoadOptions load = options;
  load.dimensions = dimensions;
  load.call = call;
  const Budget::Clock::time_point start = Budget::Clock::now();
  const LoadOptions whole = load;
  // All builds below are one call, so a later build only gets the time that the earlier ones have left.
  const auto useTimeLeft = [&] {
    const auto spent = Budget::Clock::now() - start;
    load.limits.maxTime = std::min(whole.limits.maxTime, context.state()->limits.maxTime) - spent;
    load.call.timeout = whole.call.timeout - spent;
  };
  std::shared_ptr<Budget> waiting;
  const auto checkTime = [&] {
    if (!waiting) {
      useTimeLeft();
      waiting = formats::loadBudget(context, load);
    }
    waiting->check();
  };
  bool isFirst = true;
  const auto build = [&] {
    if (!std::exchange(isFirst, false)) {
      if (std::optional<FixedGraph> graph = kept_.findAlive(dimensions)) return *std::move(graph);  // another thread built it
      useTimeLeft();
    }
    std::shared_ptr<Budget> budget = formats::loadBudget(context, load);
    FixedGraph graph = formats::reading(path, *budget, [&] { return source->buildFixed(context, load, budget); });
    return kept_.add(dimensions, std::move(graph), most);
  };
  const auto buildInTurn = [&] { return builds_.run(checkTime, build); };
  try {
    return buildInTurn();
  } catch (const Error& error) {  // the memory may suffice without the graphs for other sizes
    if (error.kind() != ErrorKind::operationError || !kept_.dropAll()) throw;
  }
  return buildInTurn();
}

void SessionState::keepOnly(const Graph& graph) {
  most = std::max<std::size_t>(most, 1);
  kept_.add(options.dimensions, {graph, {}}, most);
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < outputs.size(); ++i) places.emplace(outputs[i].name, i);
  const std::vector<NamedDescriptor> computed = graph.outputs();
  for (const auto& [name, descriptor] : computed) {
    const auto [place, isNew] = places.try_emplace(name, outputs.size());
    if (isNew) outputs.emplace_back();
    DeclaredOutput& output = outputs[place->second];
    output = {name, descriptor.dataType, declared(descriptor.shape), output.isBoolean};
  }
}

namespace {

void requireWebnnType(std::string_view kind, const std::string& name, onnx::ElementType type) {
  if (type == onnx::ElementType::undefined) return;
  fail(ErrorKind::notSupportedError,
       "the {} {} is of {}, a type that WebNN lacks. Session in C++ and InferenceSession in Python take it.", kind,
       webnn::quoted(name), onnx::name(type));
}

std::shared_ptr<SessionState> openSession(Context context, const std::filesystem::path& path, const SessionOptions& options,
                                          const std::function<ExternalBytes()>& content) {
  const auto state = std::make_shared<SessionState>();
  std::shared_ptr<Budget> budget = formats::loadBudget(context, options.load);
  state->context = std::move(context);
  state->path = path;
  state->options = options.load;
  state->options.call = {};
  state->most = options.graphs;
  state->seed = options.seed;
  state->onlyWebnnTypes = options.onlyWebnnTypes;
  state->inputsMayDisagree = options.inputsMayDisagree;
  const BudgetScope scope(*budget);
  if (!path.empty() && options.load.mapFiles) state->stamp.emplace(path);
  ExternalBytes file = content();
  formats::reading(path, *budget, [&] {
    state->source = formats::openGraph(std::move(file), path, options.load);
    FileDescription description = state->source->declarations();
    state->inputs = std::move(description.inputs);
    state->outputs = std::move(description.outputs);
    if (state->onlyWebnnTypes) {
      for (const DeclaredInput& input : state->inputs) requireWebnnType("input", input.name, input.elementType);
    }
    requireKnownDimensions(state->inputs, options.load.dimensions);
    if (std::ranges::any_of(state->inputs, hasAnyShape)) state->needsProgram = state->program() != nullptr;
    if (state->hasOpenDimensions()) {
      state->source->check();
      return state->describeOutputs(budget);
    }
    try {
      state->keepOnly(state->source->build(state->context, options.load, budget));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::notSupportedError || !state->program()) throw;
      state->needsProgram = true;
    }
  });
  return state;
}

const SessionState& stateOf(const std::shared_ptr<SessionState>& state, std::string_view method) {
  if (!state) fail(ErrorKind::typeError, "{}: the session refers to nothing.", method);
  return *state;
}

// Returns the bytes of an input of the graph. Throws TypeError if they are missing or have another length.
std::span<const std::byte> bytesOf(const NamedDescriptor& input, const std::map<std::string, ArrayView>& arrays) {
  const auto found = arrays.find(input.first);
  if (found == arrays.end()) fail(ErrorKind::typeError, "input {} is missing.", webnn::quoted(input.first));
  const std::size_t expected = byteLength(input.second);
  if (found->second.bytes.size() != expected) {
    fail(ErrorKind::typeError, "input {} has {} bytes, not the {} of {}.", webnn::quoted(input.first), found->second.bytes.size(),
         expected, toString(input.second));
  }
  return found->second.bytes;
}

std::map<std::string, Shape> shapesOf(const std::vector<DeclaredInput>& inputs, const std::map<std::string, ArrayView>& arrays) {
  std::map<std::string, Shape> shapes;
  for (const auto& [name, array] : arrays) {
    const DeclaredInput* input = find(std::span(inputs), name);
    if (input) requireType(*input, array);
    shapes.emplace(name, array.descriptor.shape);
  }
  return shapes;
}

}  // namespace

Session Session::load(Context context, const std::filesystem::path& path, const SessionOptions& options) try {
  return Session(openSession(std::move(context), path, options, [&] { return mapFile(path, formats::accessOf(options.load)); }));
} catch (...) {
  throwAsError("load");
}

Session Session::load(Context context, ExternalBytes content, const SessionOptions& options) try {
  return Session(openSession(std::move(context), {}, options, [&] { return std::move(content); }));
} catch (...) {
  throwAsError("load");
}

Session Session::load(const std::filesystem::path& path, const SessionOptions& options) {
  return load(Context::create(), path, options);
}

Session::Session(Graph graph) try : state_(std::make_shared<SessionState>()) {
  const GraphDefinition& definition = definitionOf(graph, "session");
  for (const Operand& input : definition.inputs)
    state_->inputs.push_back({input.record().name, input.dataType(), declared(input.shape())});
  state_->keepOnly(graph);
} catch (...) {
  throwAsError("session");
}

const std::vector<DeclaredInput>& Session::inputs() const { return stateOf(state_, "inputs").inputs; }
const std::vector<DeclaredOutput>& Session::outputs() const { return stateOf(state_, "outputs").outputs; }

bool Session::takesSequence(std::string_view input) const {
  const SessionState& state = stateOf(state_, "takesSequence");
  return state.source && state.source->takesSequence(input);
}

Graph Session::graph(const std::map<std::string, Shape>& shapes, const CallOptions& options) const try {
  stateOf(state_, "graph");
  return state_->graphFor(shapes, options).whole();
} catch (...) {
  throwAsError("graph");
}

std::shared_ptr<const OpenGraph> Session::openGraph() const {
  const SessionState& state = stateOf(state_, "openGraph");
  return state.source ? state.source->openGraph(state.context, nullptr) : nullptr;
}

Session Session::build(GraphBuilder& builder, std::vector<NamedOperand> outputs, const SessionOptions& options) try {
  const auto state = std::make_shared<SessionState>();
  state->context = builder.state().context;
  state->options = options.load;
  state->options.call = {};
  state->most = options.graphs;
  state->source = formats::sourceOf(takeOpenGraph(builder, std::move(outputs)));
  FileDescription description = state->source->declarations();
  state->inputs = std::move(description.inputs);
  state->outputs = std::move(description.outputs);
  requireKnownDimensions(state->inputs, options.load.dimensions);
  state->fixOutputs();
  return Session(state);
} catch (...) {
  throwAsError("build");
}

namespace {

bool hasSizeZero(const std::map<std::string, ArrayView>& inputs) {
  return std::ranges::any_of(inputs, [](const auto& input) { return std::ranges::count(input.second.descriptor.shape, 0U) > 0; });
}

// Gives the outputs of a run their memory: the caller's arrays, or new arrays. Both count against the limit during the run.
class OutputArrays {
 public:
  OutputArrays(std::shared_ptr<MemoryAccount> account, const OutputMemory& memory)
      : charge_(std::move(account)), memory_(memory) {}

  std::span<std::byte> add(const std::string& name, const OperandDescriptor& descriptor) {
    const std::size_t bytes = byteLength(descriptor);
    charge_.add(bytes, kMemoryOfResult);
    Array& array = arrays[name] = {descriptor, {}};
    std::span<std::byte> given;
    if (memory_) given = memory_(name, descriptor);
    if (given.empty()) {
      array.bytes.resize(bytes);
      given = array.bytes;
    }
    return spans_[name] = given;
  }
  // Sets an output to a value that a program has computed, perhaps in the memory that add() returned.
  void set(const std::string& name, const formats::onnx::Value& value) {
    const auto span = spans_.find(name);
    const bool isThere = span != spans_.end() && value.bytes && value.bytes->bytes.data() == span->second.data();
    if (!isThere) arrays[name] = arrayOf(value);
  }

  std::map<std::string, Array> arrays;

 private:
  MemoryCharge charge_;
  const OutputMemory& memory_;
  std::map<std::string, std::span<std::byte>> spans_;
};

std::map<std::string, Array> runProgram(SessionState& state, formats::onnx::Program& program,
                                        const std::map<std::string, ArrayView>& inputs, const OutputMemory& memory,
                                        const RunOptions& options, bool inSections = false) {
  const std::string disagreement = state.sizesFor(shapesOf(state.inputs, inputs), true).disagreement;
  std::map<std::string, formats::onnx::Value> values;
  for (const auto& [name, array] : inputs) {
    values[name] = valueOf(name, array);
  }
  OutputArrays outputs(formats::memoryFor(state.context, state.options), memory);
  const OutputMemory memoryFor = [&](std::string_view name, const OperandDescriptor& descriptor) {
    const bool isOutput = find(std::span<const DeclaredOutput>(state.outputs), name) != nullptr;
    return isOutput ? outputs.add(std::string(name), descriptor) : std::span<std::byte>();
  };
  const std::vector<formats::onnx::Value> results =
      withSizes(disagreement, {ErrorKind::typeError, ErrorKind::dataError, ErrorKind::notSupportedError},
                [&] { return program.run(values, options.left(), memoryFor, inSections); });
  for (std::size_t i = 0; i < results.size(); ++i) {
    // state.outputs has each name once, but a model may list an output twice.
    const std::string name(program.model().graph.outputs[i].name);
    outputs.set(name, results[i]);
    if (!state.onlyWebnnTypes) continue;
    const Array& output = outputs.arrays.at(name);
    if (output.isSequence || output.isNone)
      fail(ErrorKind::notSupportedError, "the output {} is a sequence, which no array of WebNN holds.", webnn::quoted(name));
    requireWebnnType("output", name, output.elementType);
  }
  return std::move(outputs.arrays);
}

// Runs the sections of a program; nullopt if the whole model has to run instead.
std::optional<std::map<std::string, Array>> runSections(SessionState& state, formats::onnx::Program& program,
                                                        formats::onnx::CutChoice& choice,
                                                        const std::map<std::string, ArrayView>& inputs,
                                                        const OutputMemory& memory, const RunOptions& options) {
  try {
    return runProgram(state, program, inputs, memory, options, true);
  } catch (const Error& error) {
    // After any error except a timeout or a cancellation, the caller runs the whole model. That run throws the same error, or
    // succeeds if only the cut was wrong or took too much memory.
    if (error.kind() == ErrorKind::timeoutError || error.kind() == ErrorKind::abortError) throw;
    if (error.kind() == ErrorKind::notSupportedError) choice.refuse();
    program.clearSections();
    return std::nullopt;
  }
}

// Runs the model with the If branches that the inputs choose, cut into sections, if a session with these inputs prefers that;
// otherwise returns nullopt.
std::optional<std::map<std::string, Array>> runBranches(SessionState& state, formats::onnx::Program& whole,
                                                        const std::map<std::string, ArrayView>& inputs,
                                                        const OutputMemory& memory, const RunOptions& options) {
  if (hasSizeZero(inputs) || !state.hasOpenDimensions() || inputs.size() < state.inputs.size()) return std::nullopt;
  if (std::ranges::any_of(state.inputs, hasAnyShape)) return std::nullopt;
  const std::shared_ptr<formats::onnx::Branches> branches = whole.branchesFor(inputs);
  if (!branches) return std::nullopt;
  const std::map<std::string, Shape> shapes = shapesOf(state.inputs, inputs);
  const auto [dimensions, disagreement] = state.sizesFor(shapes);
  const auto program = [&](const CallOptions& call) { return branches->program(whole, call); };
  if (!disagreement.empty() || !state.prefersSections(branches->choice, dimensions, shapes, options, program))
    return std::nullopt;
  return runSections(state, *program(options.left()), branches->choice, inputs, memory, options);
}

// Runs the sections of the model, if a session with these inputs prefers them; otherwise returns nullopt.
std::optional<std::map<std::string, Array>> runInSections(SessionState& state, const std::map<std::string, ArrayView>& inputs,
                                                          const OutputMemory& memory, const RunOptions& options) {
  if (!state.source || !state.hasOpenDimensions()) return std::nullopt;
  const std::map<std::string, Shape> shapes = shapesOf(state.inputs, inputs);
  const auto [dimensions, disagreement] = state.sizesFor(shapes);
  if (!disagreement.empty() || state.hasGraph(dimensions) || !state.prefersSections(dimensions, shapes, options))
    return std::nullopt;
  if (state.stamp && !state.stamp->isUnchanged()) return std::nullopt;  // graphFor() throws
  return runSections(state, *state.program(), state.choice, inputs, memory, options);
}

}  // namespace

std::map<std::string, Array> Session::run(const std::map<std::string, ArrayView>& inputs, const CallOptions& options) const {
  return runInto(inputs, {}, options);
}

std::map<std::string, Array> Session::runInto(const std::map<std::string, ArrayView>& inputs, const OutputMemory& memory,
                                              const CallOptions& options) const try {
  stateOf(state_, "run");
  const CallName callName("run");
  const RunOptions run = state_->runOptions(options);
  const auto graphFor = [&] { return state_->graphFor(shapesOf(state_->inputs, inputs), run.left()); };
  std::optional<FixedGraph> compiled;
  if (!state_->needsProgram && !hasSizeZero(inputs)) {
    if (auto results = runInSections(*state_, inputs, memory, run)) return *std::move(results);
    try {
      compiled = graphFor();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::notSupportedError) throw;
      const CallOptions left = run.left();
      if (!state_->program(&left)) throw;
      // If inputs disagree, other runs may need no program.
      if (state_->sizesFor(shapesOf(state_->inputs, inputs)).disagreement.empty()) state_->needsProgram = true;
    }
  }
  if (!compiled) {
    const CallOptions left = run.left();
    const std::shared_ptr<formats::onnx::Program> program = state_->program(&left);
    if (program) {
      if (auto results = runBranches(*state_, *program, inputs, memory, run)) return *std::move(results);
      return runProgram(*state_, *program, inputs, memory, run);
    }
    compiled = graphFor();  // open graphs may have sizes of 0; for other files, throws an error about the size
  }
  // The session of a compiled graph has no context of its own.
  const Graph& graph = compiled->graph;
  OutputArrays outputs(
      state_->source || !graph.state() ? formats::memoryFor(state_->context, state_->options) : graph.state()->context->memory,
      memory);
  for (const auto& [name, descriptor] : compiled->emptyOutputs) outputs.arrays[name] = {descriptor, {}};
  if (!graph.state()) return std::move(outputs.arrays);
  std::vector<std::span<const std::byte>> inputBytes;
  for (const NamedDescriptor& input : graph.inputs()) inputBytes.push_back(bytesOf(input, inputs));
  std::vector<std::span<std::byte>> outputBytes;
  for (const auto& [name, descriptor] : graph.outputs()) outputBytes.push_back(outputs.add(name, descriptor));
  graph.compute(inputBytes, outputBytes, run.left());
  return std::move(outputs.arrays);
} catch (...) {
  throwAsError("run");
}

bool Session::prefersRun(const std::map<std::string, Shape>& shapes, const CallOptions& options) const try {
  stateOf(state_, "run");
  const CallName callName("run");
  if (!state_->source || !state_->hasOpenDimensions() || state_->needsProgram) return false;
  const auto [dimensions, disagreement] = state_->sizesFor(shapes);
  return disagreement.empty() && state_->prefersSections(dimensions, shapes, state_->runOptions(options));
} catch (...) {
  throwAsError("run");
}

}  // namespace webnn
