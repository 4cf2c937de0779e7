#include "worker/worker_state.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"

namespace webnn::service {

namespace {

struct CountedMapping {
  CountedMapping(Mapping&& whose, std::shared_ptr<std::atomic<std::uint64_t>> count)
      : mapping(std::move(whose)), bytes(std::move(count)) {
    *bytes += mapping.bytes().size();
  }
  CountedMapping(const CountedMapping&) = delete;
  CountedMapping& operator=(const CountedMapping&) = delete;
  ~CountedMapping() { *bytes -= mapping.bytes().size(); }

  const Mapping mapping;
  const std::shared_ptr<std::atomic<std::uint64_t>> bytes;
};

}  // namespace

bool readsIndices(const GraphDefinition& graph) {
  constexpr std::array<std::string_view, 5> kNames{"gather", "gatherElements", "gatherND", "scatterElements", "scatterND"};
  return std::ranges::any_of(graph.nodes,
                             [&](const Node& node) { return std::ranges::find(kNames, name(node.operation)) != kNames.end(); });
}

Error withMemoryLimit(Error error, std::uint64_t limit) {
  constexpr std::string_view kNotEnough = "there is not enough memory";
  const std::string_view text = error.what();
  if (limit == kNoMemoryLimit || error.kind() != ErrorKind::unknownError || text.find(kNotEnough) == std::string_view::npos)
    return error;
  return Error(ErrorKind::operationError, formatText("QuotaExceeded: {} The worker's limit of memory is {} bytes.", text, limit));
}

void WorkerState::addMemory(std::uint32_t number, Mapping mapping, bool isSealed, const WorkerLimits& limits) {
  const std::lock_guard lock(mutex_);
  if (memories_.size() > limits.memories)  // `>` instead of `>=`, because the mailbox is not counted
    fail(ErrorKind::operationError, "QuotaExceeded: there are {} tensors and graphs in shared memory, which is the limit.",
         limits.memories);
  const std::uint64_t size = mapping.bytes().size();
  if (size > limits.memory - std::min(limits.memory, sharedBytes_->load()))
    fail(ErrorKind::operationError, "QuotaExceeded: with {} bytes more, the shared memory would exceed the limit of {} bytes.",
         size, limits.memory);
  if (memories_.contains(number)) fail(ErrorKind::dataError, "there is a memory {} already.", number);
  const auto counted = std::make_shared<const CountedMapping>(std::move(mapping), sharedBytes_);
  memories_.emplace(number, Shared{Memory(counted, &counted->mapping), isSealed});
  status->sharedBytes = sharedBytes_->load();
}

void WorkerState::requireRoomForGraph(const WorkerLimits& limits) const {
  const std::lock_guard lock(mutex_);
  if (graphs_.size() >= limits.graphs)
    fail(ErrorKind::operationError, "QuotaExceeded: there are {} graphs, and the limit is {}.", graphs_.size(), limits.graphs);
}

void WorkerState::addGraph(std::uint32_t number, GraphPointer graph) {
  const std::lock_guard lock(mutex_);
  if (!graphs_.emplace(number, std::move(graph)).second) fail(ErrorKind::dataError, "there is a graph {} already.", number);
}

WorkerState::Shared WorkerState::shared(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = memories_.find(number);
  if (found == memories_.end()) fail(ErrorKind::dataError, "there is no memory {}.", number);
  return found->second;
}

WorkerState::Memory WorkerState::memory(std::uint32_t number) const { return shared(number).memory; }

WorkerState::Memory WorkerState::sealedMemory(std::uint32_t number) const {
  Shared found = shared(number);
  if (!found.isSealed) fail(ErrorKind::dataError, "memory {} is not sealed against writing.", number);
  return std::move(found.memory);
}

WorkerState::Memory WorkerState::tensorMemory(std::uint32_t number) const {
  if (number == 0) fail(ErrorKind::dataError, "memory 0 holds no tensors.");
  Shared found = shared(number);
  if (found.isSealed) fail(ErrorKind::dataError, "memory {} is sealed against writing: it holds no tensors.", number);
  return std::move(found.memory);
}

WorkerState::GraphPointer WorkerState::graph(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = graphs_.find(number);
  if (found == graphs_.end()) fail(ErrorKind::dataError, "there is no graph {}.", number);
  return found->second;
}

void WorkerState::dropMemory(std::uint32_t number) {
  const std::lock_guard lock(mutex_);
  if (memories_.erase(number) == 0) fail(ErrorKind::dataError, "there is no memory {}.", number);
  status->sharedBytes = sharedBytes_->load();
}

// The client also drops graphs that failed to compile. They have no entry here.
void WorkerState::dropGraph(std::uint32_t number) {
  GraphPointer dropped;
  {
    const std::lock_guard lock(mutex_);
    const auto found = graphs_.find(number);
    if (found == graphs_.end()) return;
    dropped = std::move(found->second);
    graphs_.erase(found);
  }
  dropped.reset();
  status->sharedBytes = sharedBytes_->load();
}

std::vector<StepTime> WorkerState::steps(const CompiledGraph& graph) const {
  const std::lock_guard lock(mutex_);
  return graph.steps;
}

void WorkerState::setSteps(CompiledGraph& graph, std::vector<StepTime> steps) {
  const std::lock_guard lock(mutex_);
  graph.steps = std::move(steps);
}

}  // namespace webnn::service
