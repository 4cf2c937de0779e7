#include "worker/dispatches.h"

#include <algorithm>
#include <cstring>

#include "base/as_errors.h"
#include "base/copy_bytes.h"
#include "base/text.h"

namespace webnn::service {

namespace {

using Tensors = std::vector<std::span<std::byte>>;

// A copy of a command from the mailbox. The client may modify the original concurrently.
struct CopiedCommand {
  bool isProfile = false;
  std::vector<TensorReference> inputs, outputs;
};

CopiedCommand copyCommand(const Mailbox& box, const CompiledGraph& graph) {
  const std::size_t inputs = readOnce(box.inputs), outputs = readOnce(box.outputs);
  if (inputs != graph.inputLengths.size() || outputs != graph.outputLengths.size())
    fail(ErrorKind::dataError, "a dispatch has {} inputs and {} outputs, not {} and {}.", inputs, outputs,
         graph.inputLengths.size(), graph.outputLengths.size());
  if (inputs + outputs > kMailboxTensors) fail(ErrorKind::dataError, "a dispatch has more than {} tensors.", kMailboxTensors);
  CopiedCommand command{readOnce(box.isProfile) != 0, {}, {}};
  command.inputs.assign(box.tensors, box.tensors + inputs);
  command.outputs.assign(box.tensors + inputs, box.tensors + inputs + outputs);
  std::atomic_thread_fence(std::memory_order_seq_cst);  // keeps the compiler from reading the mailbox again instead of the copy
  return command;
}

// Throws DataError if an output overlaps another tensor.
void requireApart(const Tensors& inputs, const Tensors& outputs) {
  struct Range {
    const std::byte *begin, *end;
    bool isOutput;
  };
  std::vector<Range> ranges;
  for (const auto& input : inputs) ranges.push_back({input.data(), input.data() + input.size(), false});
  for (const auto& output : outputs) ranges.push_back({output.data(), output.data() + output.size(), true});
  std::ranges::sort(ranges, {}, &Range::begin);
  const Range* furthest = nullptr;
  const Range* furthestOutput = nullptr;
  for (const Range& range : ranges) {
    const Range* const other = range.isOutput ? furthest : furthestOutput;
    if (other && range.begin < other->end) fail(ErrorKind::dataError, "an output of a dispatch overlaps another tensor.");
    if (!furthest || range.end > furthest->end) furthest = &range;
    if (range.isOutput) furthestOutput = &range;
  }
}

Tensors own(std::vector<std::vector<std::byte>>& tensors, const std::vector<std::size_t>& lengths) {
  tensors.resize(lengths.size());
  Tensors spans;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    tensors[i].resize(lengths[i]);
    spans.emplace_back(tensors[i]);
  }
  return spans;
}

}  // namespace

Dispatcher::Dispatcher(WorkerState& state, std::shared_ptr<const Mapping> mailbox)
    : state_(state), mailbox_(std::move(mailbox)), box_(*reinterpret_cast<Mailbox*>(mailbox_->bytes().data())) {}

void Dispatcher::serve() {
  std::uint32_t seen = 0;
  while (true) {
    waiter_.wait(box_.submitted, seen, box_.workerSleeps, std::chrono::seconds(1), [] { return false; });
    const std::uint32_t submitted = box_.submitted.load(std::memory_order_acquire);
    if (submitted == seen) continue;
    seen = submitted;
    state_.status->runs.fetch_add(1, std::memory_order_relaxed);
    state_.status->run.store(Phase::running, std::memory_order_relaxed);
    answer();
    state_.status->run.store(Phase::idle, std::memory_order_relaxed);
    announce(box_.completed, seen, box_.clientSleeps);
  }
}

void Dispatcher::answer() noexcept {
  try {
    run();
    box_.failed = 0;
  } catch (...) {
    const Error error = withMemoryLimit(errorOfCurrentException("dispatch"), state_.memoryLimit);
    const std::string_view text = textForClient(error.what());
    std::memcpy(box_.text, text.data(), text.size());
    box_.textLength = static_cast<std::uint32_t>(text.size());
    box_.failed = 1 + static_cast<std::uint32_t>(error.kind());
  }
  memories_.clear();  // releases memory that the client may have dropped during the dispatch
}

void Dispatcher::run() {
  const WorkerState::GraphPointer graph = state_.graph(readOnce(box_.graph));
  const CopiedCommand command = copyCommand(box_, *graph);
  const Tensors inputs = map(command.inputs, graph->inputLengths), outputs = map(command.outputs, graph->outputLengths);
  requireApart(inputs, outputs);
  // The client cancels a run by setting a flag in the mailbox.
  const std::shared_ptr<const std::atomic<bool>> cancelled(mailbox_, &box_.cancelRun);
  const Budget budget("dispatch", {}, nullptr, cancelled);
  if (!graph->copiesTensors) return execute(*graph, inputs, outputs, command.isProfile, budget);
  const Tensors ownInputs = own(graph->inputs, graph->inputLengths), ownOutputs = own(graph->outputs, graph->outputLengths);
  for (std::size_t i = 0; i < inputs.size(); ++i) copyBytes(inputs[i], ownInputs[i].data());
  execute(*graph, ownInputs, ownOutputs, command.isProfile, budget);
  for (std::size_t i = 0; i < outputs.size(); ++i) copyBytes(ownOutputs[i], outputs[i].data());
}

void Dispatcher::execute(CompiledGraph& graph, const Tensors& inputs, const Tensors& outputs, bool isProfile,
                         const Budget& budget) {
  const std::vector<std::span<const std::byte>> read(inputs.begin(), inputs.end());
  if (isProfile) {
    state_.setSteps(graph, graph.executable->profile(read, outputs));
  } else {
    graph.executable->run(read, outputs, budget);
  }
}

Tensors Dispatcher::map(const std::vector<TensorReference>& references, const std::vector<std::size_t>& lengths) {
  Tensors tensors;
  tensors.reserve(references.size());
  for (std::size_t i = 0; i < references.size(); ++i) {
    const TensorReference& reference = references[i];
    if (memories_.empty() || memoryNumbers_.back() != reference.memory) {
      memories_.push_back(state_.tensorMemory(reference.memory));
      memoryNumbers_.resize(memories_.size());
      memoryNumbers_.back() = reference.memory;
    }
    const std::span<std::byte> all = memories_.back()->bytes();
    if (reference.length != lengths[i] || reference.offset > all.size() || reference.length > all.size() - reference.offset)
      fail(ErrorKind::dataError, "tensor {} of a dispatch is not inside of its memory, or not of {} bytes.", i, lengths[i]);
    if (reference.offset % kTensorAlignment != 0)
      fail(ErrorKind::dataError, "tensor {} of a dispatch is not at a multiple of {} bytes.", i, kTensorAlignment);
    tensors.push_back(all.subspan(reference.offset, reference.length));
  }
  return tensors;
}

}  // namespace webnn::service
