#include "onnx/program/program.h"

#include <algorithm>
#include <deque>

#include "base/text.h"
#include "onnx/program/branches.h"
#include "onnx/program/runner.h"
#include "onnx/program/sections.h"
#include "onnx/read/external_files.h"
#include "onnx/read/unsupported_operators.h"

namespace webnn::formats::onnx {

namespace {

constexpr std::size_t kMostListed = 100;
constexpr std::size_t kMostBranches = 4;  // maximum number of choices of branches whose programs are kept

// Returns the first nodes whose operators neither a graph nor the host computes. Visits all nodes, including the nodes of
// subgraphs, and once each function that a node calls. Functions can form a chain as long as the file, so the visit uses a queue
// instead of recursion.
std::vector<std::string> unknownIn(const Model& model) {
  std::vector<std::string> unknown;
  std::set<const Function*> visited;
  std::deque<const std::vector<NodeProto>*> open{&model.graph.nodes};
  for (; !open.empty(); open.pop_front()) {
    for (const NodeProto& node : *open.front()) {
      BudgetScope::current().check();
      const Function* const function = functionOf(model, node);
      if (function && visited.insert(function).second) open.push_back(&function->nodes);
      if (!function && !isOperator(model, node)) {
        unknown.push_back(formatText("node {} ({}{}{}): {}", webnn::quoted(node.name), sanitized(node.domain),
                                     node.domain.empty() ? "" : ".", sanitized(node.opType),
                                     whyUnsupported(node.domain, node.opType)));
        if (unknown.size() == kMostListed) return unknown;
      }
      for (const Attribute& attribute : node.attributes) {
        if (attribute.g) open.push_back(&attribute.g->nodes);
      }
    }
  }
  return unknown;
}

// Returns the value that LoadOptions::values gives to an input. At most one of its dimensions may be open.
Value givenValue(const ValueInfo& input, const std::vector<std::byte>& bytes) {
  Value value{input.type, {}, {}, ExternalBytes{bytes, nullptr}};
  std::optional<std::size_t> open;
  std::size_t known = 1;
  for (const Dimension& dimension : input.shape.value_or(std::vector<Dimension>())) {
    if (!dimension.value) {
      if (open) fail(ErrorKind::typeError, "the value of input {} has several open dimensions.", webnn::quoted(input.name));
      open = value.dims.size();
    }
    value.dims.push_back(dimension.value.value_or(1));
    known *= static_cast<std::size_t>(value.dims.back());
  }
  const std::size_t bits = webnn::onnx::bitsPerElement(input.type), count = bits == 0 ? 0 : bytes.size() * 8 / bits;
  if (open && known > 0) value.dims[*open] = static_cast<std::int64_t>(count / known);
  if (!open && count != known)
    fail(ErrorKind::typeError, "the value of input {} has {} elements, not {}.", webnn::quoted(input.name), count, known);
  return value;
}

// Returns the value with the declared element type. Throws TypeError if it is not of the declared kind.
Value typed(const Value& value, const ValueInfo& input) {
  if (value.isNone) {
    if (!input.isOptional()) fail(ErrorKind::typeError, "input {} is not optional.", webnn::quoted(input.name));
    return value;
  }
  Value result = value;
  const bool isMap = input.kind == ValueInfo::Kind::map;
  if (isMap != static_cast<bool>(value.keys))
    fail(ErrorKind::typeError, "input {} is a {}, not a {}.", webnn::quoted(input.name), isMap ? "map" : "tensor",
         isMap ? "tensor" : "map");
  if (isMap) {
    const auto keys = std::make_shared<Value>(*value.keys);
    keys->type = input.key;
    result.keys = keys;
  }
  if (!value.sequence) {
    if (input.holdsSequence) fail(ErrorKind::typeError, "input {} is a sequence, not a tensor.", webnn::quoted(input.name));
    result.type = input.kind == ValueInfo::Kind::tensor ? input.type : input.element;
    return result;
  }
  if (!input.holdsSequence) fail(ErrorKind::typeError, "input {} is a tensor, not a sequence.", webnn::quoted(input.name));
  Sequence elements;
  for (const auto& element : *value.sequence) {
    if (element->sequence || element->isNone || element->keys)
      fail(ErrorKind::typeError, "input {} is a sequence of tensors.", webnn::quoted(input.name));
    const auto own = std::make_shared<Value>(*element);
    own->type = input.element;
    elements.push_back(own);
  }
  result.sequence = std::make_shared<Sequence>(std::move(elements));
  return result;
}

}  // namespace

Program::Program(Context context, const Model& model, ProgramOptions options)
    : context_(std::move(context)),
      inlined_(inlined(model)),
      model_(inlined_ ? inlined_->model : model),
      options_(std::move(options)),
      values_(std::make_shared<ValuePool>()),
      branchInputs_(branchInputs(model_.graph)),
      random_(options_.seed.value_or(std::random_device()())) {
  for (const NodeProto& node : model_.graph.nodes) needed_.merge(valuesReadBy(node));
  for (const ValueInfo& output : model_.graph.outputs) needed_.insert(output.name);
  for (const TensorProto& tensor : model_.graph.initializers) needed_.erase(tensor.name);
  requireOperators(model_);
}

Program::~Program() = default;

void Program::requireOperators(const Model& model) {
  const std::vector<std::string> unknown = unknownIn(model);
  if (unknown.empty()) return;
  std::string message = "WebNN cannot express:";
  for (const std::string& node : unknown) message += "\n  " + node + ".";
  throw Error(ErrorKind::notSupportedError, message);
}

bool Program::knowsOperators(const Model& model) { return unknownIn(model).empty(); }

std::size_t Program::cut(const std::map<std::string, Shape>& before, const std::map<std::string, Shape>& after,
                         const CallOptions& options, bool always) {
  const std::shared_ptr<Budget> budget = options_.makeBudget(options);
  const BudgetScope scope(*budget);
  std::shared_ptr<Sections> sections = Sections::cut(*this, before, after, budget, always);
  if (!sections) return 0;
  const std::lock_guard lock(mutex_);
  sections_ = std::move(sections);
  return sections_->count();
}

void Program::clearSections() {
  const std::lock_guard lock(mutex_);
  if (sections_) sections_->clear();
}

std::shared_ptr<Branches> Program::branchesFor(const std::map<std::string, ArrayView>& inputs) {
  Conditions conditions;
  for (const std::string_view name : branchInputs_) {
    const auto given = inputs.find(std::string(name));
    if (given == inputs.end() || given->second.bytes.size() != 1) return nullptr;
    conditions[name] = given->second.bytes[0] != std::byte{0};
  }
  if (conditions.empty()) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto found = branches_.find(conditions);
  if (found != branches_.end()) return found->second;
  if (branches_.size() >= kMostBranches) return nullptr;
  return branches_.emplace(conditions, std::make_shared<Branches>(conditions)).first->second;
}

std::vector<Value> Program::run(const std::map<std::string, Value>& inputs, const CallOptions& options,
                                const OutputMemory& outputMemory, bool inSections) {
  const std::shared_ptr<Budget> budget = options_.makeBudget(options);
  const BudgetScope scope(*budget);
  values_->beginRun();
  ProgramCall call{*budget, options, outputMemory, *values_};
  Environment environment;
  for (const ValueInfo& input : model_.graph.inputs) {
    if (const auto given = inputs.find(std::string(input.name)); given != inputs.end()) {
      environment.values.emplace(input.name, typed(given->second, input));
    } else if (const auto known = options_.load.values.find(std::string(input.name)); known != options_.load.values.end()) {
      environment.values.emplace(input.name, givenValue(input, known->second));
    } else if (input.isOptional()) {
      Value none;
      none.isNone = true;
      environment.values.emplace(input.name, std::move(none));
    } else if (needed_.contains(input.name)) {
      fail(ErrorKind::typeError, "input {} is missing.", webnn::quoted(input.name));
    }
  }
  if (!inSections) return runnerOf(model_.graph, nullptr).run(environment, call);
  std::unique_lock lock(mutex_);
  const std::shared_ptr<Sections> sections = sections_;
  lock.unlock();
  return sections->run(environment, call);
}

Runner& Program::runnerOf(const Graph& graph, const Runner* outer) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Runner>& runner = runners_[&graph];
  if (!runner) runner = std::make_unique<Runner>(*this, graph, outer);
  return *runner;
}

const Value& Program::valueOf(const TensorProto& tensor) {
  const std::lock_guard lock(mutex_);
  if (const auto found = decoded_.find(&tensor); found != decoded_.end()) return found->second;
  Value value{tensor.type, tensor.dims, {}};  // inserted into decoded_ only if reading succeeds
  if (tensor.type == ElementType::string)
    value.strings = std::make_shared<const std::vector<std::string>>(stringsOf(tensor));
  else
    value.bytes = bytesOf(tensor, model_.file, model_.external.get());
  return decoded_.emplace(&tensor, std::move(value)).first->second;
}

void Program::withRandom(const std::function<void(std::mt19937_64&)>& draw) {
  const std::lock_guard lock(randomMutex_);
  draw(random_);
}

const void* Program::prepared(const NodeProto& node, FunctionRef<std::shared_ptr<const void>()> make) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = prepared_.find(&node); found != prepared_.end()) return found->second.get();
  }
  std::shared_ptr<const void> made = make();  // called without holding the lock, because it may call valueOf(), which takes it
  const std::lock_guard lock(mutex_);
  return prepared_.try_emplace(&node, std::move(made)).first->second.get();  // another thread may have been faster
}

std::int64_t Program::versionOf(const NodeProto& node) const {
  const OperatorSets& sets = node.operatorSets ? *node.operatorSets : model_.operatorSets;
  return versionOfDomain(sets, node.domain);
}

}  // namespace webnn::formats::onnx
