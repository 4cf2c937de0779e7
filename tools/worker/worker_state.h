// State shared by a worker's two threads, for requests and dispatches.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/unset_vector.h"
#include "graph/backend.h"
#include "service/mailbox.h"
#include "service/shared_memory.h"
#include "service/worker_status.h"
#include "worker/worker.h"

namespace webnn::service {

// A graph of the client, compiled.
struct CompiledGraph {
  std::shared_ptr<const GraphDefinition> definition;
  std::unique_ptr<Executable> executable;
  std::vector<std::size_t> inputLengths, outputLengths;
  // Whether runs use copies of the tensors, because the client may modify its own concurrently.
  bool copiesTensors = false;
  // The copies, and the last profile; used by the dispatch thread only (steps: under the mutex).
  std::vector<std::vector<std::byte>> inputs, outputs;
  std::vector<StepTime> steps;
};

// Returns whether an operation of the graph reads memory positions from a tensor: shared memory may change between an index's
// check and its use.
bool readsIndices(const GraphDefinition& graph);

// Returns the error text for a client.
inline std::string_view textForClient(std::string_view text) { return text.substr(0, kMailboxTextBytes); }

// Returns the error; if the system refused memory, it names the limit, if there is one.
Error withMemoryLimit(Error error, std::uint64_t limit);

class WorkerState {
 public:
  using Memory = std::shared_ptr<const Mapping>;
  using GraphPointer = std::shared_ptr<CompiledGraph>;

  explicit WorkerState(WorkerStatus& ofBroker) : status(&ofBroker) {}

  // DataError if the number is in use; OperationError beyond the limits. `isSealed`: nobody can write it any more.
  void addMemory(std::uint32_t number, Mapping mapping, bool isSealed, const WorkerLimits& limits);
  void addGraph(std::uint32_t number, GraphPointer graph);
  void requireRoomForGraph(const WorkerLimits& limits) const;
  // DataError if there is none.
  Memory memory(std::uint32_t number) const;
  // DataError besides if it is not sealed, for constants, which are read again and again; or if it is, for tensors.
  Memory sealedMemory(std::uint32_t number) const;
  Memory tensorMemory(std::uint32_t number) const;
  GraphPointer graph(std::uint32_t number) const;
  void dropMemory(std::uint32_t number);
  void dropGraph(std::uint32_t number);

  std::vector<StepTime> steps(const CompiledGraph& graph) const;
  void setSteps(CompiledGraph& graph, std::vector<StepTime> steps);

  WorkerStatus* const status;
  std::uint64_t memoryLimit = kNoMemoryLimit;  // as the settings say

 private:
  struct Shared {
    Memory memory;
    bool isSealed;
  };
  Shared shared(std::uint32_t number) const;

  mutable std::mutex mutex_;
  std::map<std::uint32_t, Shared> memories_;
  std::map<std::uint32_t, GraphPointer> graphs_;
  // The bytes of all mapped memories: graphs keep those of their constants after the client has dropped them.
  const std::shared_ptr<std::atomic<std::uint64_t>> sharedBytes_ = std::make_shared<std::atomic<std::uint64_t>>(0);
};

}  // namespace webnn::service
