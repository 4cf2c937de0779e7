#include "onnx/program/runner.h"

#include <algorithm>
#include <list>

#include "context/graph_state.h"
#include "onnx/program/elements.h"
#include "onnx/program/foreign.h"
#include "onnx/program/forms.h"
#include "onnx/program/host_node.h"
#include "onnx/program/step_recorder.h"
#include "onnx/read/repertoire.h"

namespace webnn::formats::onnx {

namespace {

constexpr std::size_t kDeepest = 32;
// If a part of the model needs a value at import, such as a shape, and that value depends only on graph inputs of at most this
// size, the inputs become constants. The import can then compute the value, and the part need not be cut before it.
constexpr std::size_t kTinyBytes = 64;

std::size_t bytesIn(const Value& value) {
  if (!value.sequence) return value.bytes ? value.bytes->bytes.size() : 0;
  std::size_t bytes = 0;
  for (const auto& element : *value.sequence) bytes += bytesIn(*element);
  return bytes;
}

const Value& valueAt(const Value& value, std::span<const std::size_t> positions) {
  return positions.empty() ? value : valueAt(*(*value.sequence)[positions[0]], positions.subspan(1));
}

bool isSequence(const Value* value) { return value && value->sequence; }

ElementType typeOf(const PartResult& result) {
  if (result.kind != PartResult::Kind::sequence) return result.type;
  return result.parts.empty() ? ElementType::undefined : typeOf(result.parts.front());
}

Value converted(const ProgramCall& call, const Value& value, ElementType type) {
  const std::size_t count = elementCount(value.dims);
  const MemoryCharge numbers(call.budget.memory(), count * sizeof(double), kMemoryOfStep);
  const std::shared_ptr<ValueBytes> memory = call.values.take(call.budget, packedBytes(type, count));
  std::ranges::fill(memory->bytes, std::byte{0});  // elements of up to 8 bits may be or-ed into their byte
  if (isIntegerType(value.type))
    fromIntegers(type, toIntegers(value.type, value.bytes->bytes, count), memory->bytes.data());
  else
    fromNumbers(type, toNumbers(value.type, value.bytes->bytes, count), memory->bytes.data());
  return {type, value.dims, {}, ExternalBytes{memory->bytes, memory}};
}

// Runs a graph. If this thread has a StepRecorder, records the times of the graph's steps, or of the whole graph if the backend
// does not measure steps.
void computeGraph(const webnn::Graph& graph, std::span<const std::span<const std::byte>> inputs,
                  std::span<const std::span<std::byte>> outputs, const ProgramCall& call) {
  StepRecorder* const recorder = StepRecorder::current();
  const double start = recorder ? recorder->now() : 0;
  const auto executable = recorder ? graph.state()->executable() : nullptr;
  std::vector<StepTime> steps = executable ? executable->profile(inputs, outputs) : std::vector<StepTime>();
  for (StepTime& step : steps) {
    step.start += start;
    recorder->add(std::move(step));
  }
  if (!steps.empty()) return;
  graph.compute(inputs, outputs, call.rest());
  if (recorder) recorder->add({"graph", "", "", start, recorder->now() - start});
}

}  // namespace

void appendForm(std::string& form, const Value& value, bool isByValue) {
  appendTo(form, value.isNone);
  appendTo(form, isByValue);
  if (value.sequence) {
    appendTo(form, std::int64_t{-1});
    appendTo(form, value.sequence->size());
    for (const auto& element : *value.sequence) appendForm(form, *element, isByValue);
    return;
  }
  appendTo(form, value.type);
  appendTo(form, value.dims.size());
  for (const std::int64_t size : value.dims) appendTo(form, size);
  if (isByValue && value.bytes) form.append(reinterpret_cast<const char*>(value.bytes->bytes.data()), value.bytes->bytes.size());
}

CallOptions ProgramCall::rest() const {
  CallOptions result = options;
  result.onProgress = nullptr;
  if (options.timeout == std::chrono::nanoseconds::max()) return result;
  result.timeout = std::max(std::chrono::nanoseconds(0), options.timeout - (std::chrono::steady_clock::now() - start));
  return result;
}

void runPart(const ImportedPart& part, Environment& environment, ProgramCall& call,
             FunctionRef<std::string_view(std::string_view)> nameOf) {
  const auto knownAt = [&](const ValuePath& path) -> const Value& {
    return valueAt(*environment.find(nameOf(path.name)), path.positions);
  };
  std::vector<std::span<const std::byte>> inputs;
  std::vector<std::span<std::byte>> outputs;
  std::vector<ExternalBytes> computed;
  if (part.graph) {
    for (const ValuePath& path : part.inputs) inputs.push_back(knownAt(path).bytes->bytes);
    // Results that are outputs of the model are computed in the caller's memory. `names[i]` is the name of output i of the graph.
    std::vector<std::string_view> names(part.graph->outputs().size());
    for (const auto& [name, result] : part.results) {
      if (call.outputMemory && !environment.outer && result.kind == PartResult::Kind::output && result.held == ElementType{})
        names[result.output] = nameOf(name);
    }
    for (std::size_t i = 0; const auto& [unused, descriptor] : part.graph->outputs()) {
      const std::string_view name = names[i++];
      if (const std::span<std::byte> own = name.empty() ? std::span<std::byte>() : call.outputMemory(name, descriptor);
          !own.empty()) {
        outputs.push_back(own);
        computed.push_back({own, nullptr});
        continue;
      }
      const std::shared_ptr<ValueBytes> memory = call.values.take(call.budget, byteLength(descriptor));
      outputs.emplace_back(memory->bytes);
      computed.push_back({memory->bytes, memory});
    }
    computeGraph(*part.graph, inputs, outputs, call);
  }
  const auto valueOf = [&](const auto& self, const PartResult& result) -> Value {
    switch (result.kind) {
      case PartResult::Kind::output: {
        if (result.held == ElementType::undefined) return {result.type, result.dims, {}, computed[result.output]};
        return converted(call, {result.held, result.dims, {}, computed[result.output]}, result.type);
      }
      case PartResult::Kind::known: {
        const Value& value = knownAt(result.known);
        return result.held == ElementType::undefined ? value : converted(call, value, result.type);
      }
      case PartResult::Kind::constant:
        return result.held == ElementType::undefined ? result.constant : converted(call, result.constant, result.type);
      case PartResult::Kind::sequence: break;
    }
    Sequence elements;
    for (const PartResult& element : result.parts) elements.push_back(std::make_shared<const Value>(self(self, element)));
    return {{}, {}, {}, {}, std::make_shared<Sequence>(std::move(elements))};
  };
  for (const auto& [name, result] : part.results) {
    Value value = valueOf(valueOf, result);
    environment.values.insert_or_assign(nameOf(name), std::move(value));
  }
}

Runner::Runner(Program& program, const Graph& graph, const Runner* outer) : program_(program), graph_(graph), outer_(outer) {
  for (const TensorProto& tensor : graph.initializers) initializers_.emplace(tensor.name, &tensor);
  for (const ValueInfo& output : graph.outputs) required_.insert(output.name);
  for (const NodeProto& node : graph.nodes) {
    Node& own = nodes_[&node];
    own = {valuesReadBy(node), findHostOperator(node.domain, node.opType) != nullptr};
    for (const std::string_view name : own.reads) ++readers_[name];
  }
}

const TensorProto* Runner::initializer(std::string_view name) const {
  for (const Runner* runner = this; runner; runner = runner->outer_) {
    if (const auto found = runner->initializers_.find(name); found != runner->initializers_.end()) return found->second;
  }
  return nullptr;
}

// A value of the environment takes precedence over the initializer of the same name, which is only an input's default.
const Value* Runner::find(std::string_view name, const Environment& environment) const {
  if (const Value* value = environment.find(name)) return value;
  const TensorProto* const tensor = initializer(name);
  return tensor ? &program_.valueOf(*tensor) : nullptr;
}

std::vector<Value> Runner::run(Environment& environment, ProgramCall& call) {
  if (call.depth >= kDeepest) fail(ErrorKind::dataError, "subgraphs nest deeper than {}.", kDeepest);
  ++call.depth;
  std::vector<const NodeProto*> all;
  for (const NodeProto& node : graph_.nodes) all.push_back(&node);
  std::shared_ptr<Part> part = partOf(std::move(all));
  if (std::ranges::any_of(part->reads, [&](std::string_view name) { return isSequence(environment.find(name)); }))
    part = withoutForeign(part, environment, call);
  while (part && !part->nodes.empty()) {
    call.budget.check();
    const std::shared_ptr<const Step> step = stepFor(*part, environment, call);
    runPart(step->imported, environment, call, [](std::string_view name) { return name; });
    for (const NodeProto* node : step->host) {
      call.budget.check();
      runHost(*node, environment, call);
    }
    for (const std::string_view name : step->ended) environment.values.erase(name);
    part = step->next ? withoutForeign(step->next, environment, call) : nullptr;
  }
  --call.depth;
  std::vector<Value> outputs;
  for (const ValueInfo& output : graph_.outputs) {
    const Value* const value = find(output.name, environment);
    if (!value) fail(ErrorKind::dataError, "the output {} is not defined.", webnn::quoted(output.name));
    outputs.push_back(*value);
  }
  return outputs;
}

bool Runner::isForeign(const NodeProto& node, const Environment& environment, const ImportedPart* before) const {
  if (!computesForeign(node.domain, node.opType)) return false;
  return std::ranges::any_of(node.inputs, [&](std::string_view name) {
    const auto isResult = [&](const auto& result) {
      const bool isEmpty = std::ranges::count(result.second.dims, 0) > 0 && computesEmpty(node.domain, node.opType);
      return result.first == name && (isEmpty || onnx::isForeign(typeOf(result.second)));
    };
    if (before && std::ranges::any_of(before->results, isResult)) return true;
    if (const Value* const value = environment.find(name)) {
      const bool isEmpty = !value->sequence && value->isEmpty() && computesEmpty(node.domain, node.opType);
      return isEmpty || onnx::isForeign(typeOf(*value));
    }
    const TensorProto* const tensor = initializer(name);
    return tensor && onnx::isForeign(tensor->type);
  });
}

bool Runner::readsSequence(const NodeProto& node, const Environment& environment) const {
  const Node& own = nodes_.at(&node);
  return own.hasStep && std::ranges::any_of(own.reads, [&](std::string_view name) { return isSequence(environment.find(name)); });
}

// Computes on the host the nodes of the part that read a sequence, a tensor without elements or an input of a type that WebNN
// lacks, if all their inputs are known. Returns a part of the remaining nodes. Computes all such nodes first, because the rest
// of the part would otherwise be imported again after each of them.
std::shared_ptr<Runner::Part> Runner::withoutForeign(const std::shared_ptr<Part>& part, Environment& environment,
                                                     ProgramCall& call) {
  const auto isKnown = [&](std::string_view name) { return environment.find(name) || initializer(name); };
  std::vector<const NodeProto*> rest;
  for (const NodeProto* node : part->nodes) {
    const bool isHost = readsSequence(*node, environment) || isForeign(*node, environment);
    if (!isHost || !std::ranges::all_of(nodes_.at(node).reads, isKnown)) {
      rest.push_back(node);
      continue;
    }
    call.budget.check();
    runHost(*node, environment, call);
  }
  if (rest.size() == part->nodes.size()) return part;
  const std::shared_ptr<Part> left = partOf(std::move(rest));
  const std::lock_guard lock(mutex_);
  left->byValue.insert(part->byValue.begin(), part->byValue.end());
  return left;
}

std::shared_ptr<Runner::Part> Runner::partOf(std::vector<const NodeProto*> nodes) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Part>& part = parts_[nodes];
  if (part) return part;
  part = std::make_shared<Part>();
  std::set<std::string_view> reads, defined;
  for (const NodeProto* node : nodes) {
    const Node& own = nodes_.at(node);
    reads.insert(own.reads.begin(), own.reads.end());
    if (!own.hasStep) part->imported.insert(own.reads.begin(), own.reads.end());
    defined.insert(node->outputs.begin(), node->outputs.end());
  }
  std::ranges::set_difference(reads, defined, std::back_inserter(part->reads));
  part->nodes = std::move(nodes);
  return part;
}

std::string Runner::formOf(const Part& part, const Environment& environment) {
  std::string form;
  for (const std::string_view name : part.reads) {
    const Value* const value = environment.find(name);
    appendTo(form, value != nullptr);
    if (isSequence(value) && !part.imported.contains(name))
      appendTo(form, std::int64_t{-1});  // only the host reads the sequence, so its length does not change the graph
    else if (value)
      appendForm(form, *value, part.byValue.contains(name));
  }
  return form;
}

std::shared_ptr<const Runner::Step> Runner::stepFor(Part& part, const Environment& environment, ProgramCall& call) {
  for (;;) {
    std::string form;
    {
      const std::lock_guard lock(mutex_);
      form = formOf(part, environment);
      const auto found = std::ranges::find(part.steps, form, [](const auto& step) { return std::string_view(step->form); });
      if (found != part.steps.end()) {
        part.steps.splice(part.steps.begin(), part.steps, found);
        return part.steps.front();
      }
    }
    bool needsValues = false;
    std::shared_ptr<const Step> step = import(part, environment, std::move(form), call, needsValues);
    if (needsValues) continue;
    const std::lock_guard lock(mutex_);
    part.steps.push_front(step);
    while (part.steps.size() > std::max<std::size_t>(1, program_.options().graphs)) part.steps.pop_back();
    return step;
  }
}

PartRequest Runner::requestFor(const Part& part, const Environment& environment) {
  PartRequest request{.nodes = part.nodes, .graphs = {}, .known = {}, .byValue = {}, .held = {}, .required = required_};
  for (const Runner* runner = this; runner; runner = runner->outer_) request.graphs.push_back(&runner->graph_);
  for (const std::string_view name : part.reads) {
    const Value* const value = environment.find(name);
    if (value && (!value->sequence || part.imported.contains(name))) request.known.emplace(name, value);
  }
  for (const NodeProto* node : part.nodes) {
    if (readsSequence(*node, environment)) request.held.insert(node);
  }
  const std::lock_guard lock(mutex_);
  request.byValue = part.byValue;
  return request;
}

// Imports the part. If more values must become constants first, sets `needsValues` and returns null: the part must then be
// imported again.
std::shared_ptr<const Runner::Step> Runner::import(Part& part, const Environment& environment, std::string form,
                                                   ProgramCall& call, bool& needsValues) {
  PartRequest request = requestFor(part, environment);
  const auto step = std::make_shared<Step>();
  step->form = std::move(form);
  LoadOptions load = program_.options().load;
  load.call = call.rest();
  load.dimensions.clear();
  load.values.clear();
  step->imported = importPart(program_.context(), program_.model(), request, load, program_.options().makeBudget(load.call),
                              wholeRepertoire());
  const ImportedPart& imported = step->imported;
  std::set<std::string_view> pending;
  for (const NodeProto* node : imported.rest) pending.insert(node->outputs.begin(), node->outputs.end());
  pending.erase("");
  std::set<std::string_view> now, next;  // values to make constants before importing this part again, or the next part
  std::vector<const NodeProto*> rest;
  const auto addHost = [&](const NodeProto* node) {
    step->host.push_back(node);
    for (const std::string_view output : node->outputs) pending.erase(output);
  };
  for (const NodeProto* node : imported.rest) {
    const auto blocked = std::ranges::find(imported.blocked, node, &BlockedNode::node);
    const auto isPending = [&](std::string_view name) { return pending.contains(name); };
    if (blocked == imported.blocked.end() || std::ranges::any_of(valuesReadBy(*node), isPending)) {
      rest.push_back(node);
      continue;
    }
    const auto isSmall = [&](std::string_view name, std::size_t most) {
      const auto known = request.known.find(name);
      return known != request.known.end() && bytesIn(*known->second) <= most && !request.byValue.contains(name);
    };
    const auto isTiny = [&](const std::string& name) { return isSmall(name, kTinyBytes); };
    const HostOperator* const host = findHostOperator(node->domain, node->opType);
    const bool needsOne = !blocked->needed.empty();
    if (!host && isForeign(*node, environment, &imported)) {
      addHost(node);
      continue;
    }
    if (!host || (host->onlyIfNeeded && needsOne)) {
      if (needsOne && isSmall(blocked->needed, kMostValueBytes)) {
        now.insert(blocked->needed);
      } else if (!blocked->inputs.empty() && std::ranges::all_of(blocked->inputs, isTiny)) {
        for (const std::string& name : blocked->inputs) now.insert(request.known.find(name)->first);
      } else if (needsOne && !request.known.contains(blocked->needed)) {
        next.insert(blocked->needed);
      } else if (!host) {
        failBlocked(imported, environment);
      } else {
        addHost(node);
        continue;
      }
      rest.push_back(node);
      continue;
    }
    addHost(node);
  }
  if (!now.empty()) {
    const std::lock_guard lock(mutex_);
    part.byValue.merge(now);
    needsValues = true;
    return nullptr;
  }
  if (rest.empty()) return step;
  if (rest.size() == part.nodes.size()) failBlocked(imported, environment);  // no progress
  step->next = partOf(std::move(rest));
  step->ended = endedBetween(part, *step->next);
  const std::lock_guard lock(mutex_);
  step->next->byValue.merge(next);
  return step;
}

std::vector<std::string_view> Runner::endedBetween(const Part& part, const Part& next) const {
  std::set<std::string_view> names(part.reads.begin(), part.reads.end());
  for (const NodeProto* node : part.nodes) names.insert(node->outputs.begin(), node->outputs.end());
  std::vector<std::string_view> ended;
  const std::set<std::string_view> later(next.reads.begin(), next.reads.end());
  std::ranges::set_difference(names, later, std::back_inserter(ended));
  std::erase_if(ended, [&](std::string_view name) { return required_.contains(name); });
  return ended;
}

void Runner::runHost(const NodeProto& node, Environment& environment, ProgramCall& call) {
  std::vector<const Value*> inputs;
  for (const std::string_view name : node.inputs) inputs.push_back(name.empty() ? nullptr : find(name, environment));
  // A tensor of strings without elements that a graph computed has no list of strings. Give it an empty list.
  std::list<Value> noStrings;
  for (const Value*& input : inputs) {
    if (!input || input->type != ElementType::string || input->sequence || input->strings || !input->isEmpty()) continue;
    noStrings.push_back(*input);
    noStrings.back().strings = std::make_shared<const std::vector<std::string>>();
    input = &noStrings.back();
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i] && !node.inputs[i].empty())
      fail(ErrorKind::dataError, "node {} ({}): its input {} is not defined before.", webnn::quoted(node.name),
           sanitized(node.opType), webnn::quoted(node.inputs[i]));
  }
  // If this node is the only reader of the sequence in input 0, the node takes the sequence and can change it without a copy.
  Value own;
  std::shared_ptr<const Sequence> ownSequence;
  const std::string_view first = node.inputs.empty() ? std::string_view() : node.inputs[0];
  const auto local = environment.values.find(first);
  const auto hasBody = [](const Attribute& attribute) { return attribute.g != nullptr; };
  if (local != environment.values.end() && local->second.sequence && readers_.at(first) == 1 && !required_.contains(first) &&
      std::ranges::count(node.inputs, first) == 1 && std::ranges::none_of(node.attributes, hasBody)) {
    own = std::move(local->second);
    environment.values.erase(local);
    inputs[0] = &own;
    ownSequence = own.sequence;
  }
  HostNode step(program_, *this, node, std::move(inputs), environment, call, std::move(ownSequence));
  StepRecorder* const recorder = std::ranges::any_of(node.attributes, hasBody) ? nullptr : StepRecorder::current();
  const double start = recorder ? recorder->now() : 0;
  const HostOperator* const host = findHostOperator(node.domain, node.opType);
  try {
    if (host)
      host->run(step);
    else
      runForeign(step);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::dataError && error.kind() != ErrorKind::notSupportedError) throw;
    const std::string subject = formatText("node {} (", webnn::quoted(node.name));
    // The graph of a foreign node may have named the node already.
    if (!host && std::string_view(error.what()).find(subject) != std::string_view::npos) throw;
    throw Error(error.kind(), formatText("{}{}): ", subject, sanitized(node.opType)) + error.what());
  }
  if (recorder) recorder->add({std::string(node.opType), std::string(node.name), "host", start, recorder->now() - start});
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (!step.wants(i)) continue;
    if (i >= step.results.size())
      fail(ErrorKind::dataError, "node {} ({}) has no output {}.", webnn::quoted(node.name), sanitized(node.opType), i);
    environment.values.insert_or_assign(node.outputs[i], std::move(step.results[i]));
  }
}

// Throws NotSupportedError, which lists the nodes that neither a graph nor the host can compute.
void Runner::failBlocked(const ImportedPart& part, const Environment& environment) const {
  std::string message = "WebNN cannot express:";
  for (const BlockedNode& blocked : part.blocked) {
    if (findHostOperator(blocked.node->domain, blocked.node->opType) || isForeign(*blocked.node, environment, &part)) continue;
    message += "\n  " + blocked.subject + ": " + blocked.reason + ".";
  }
  throw Error(ErrorKind::notSupportedError, message);
}

}  // namespace webnn::formats::onnx
