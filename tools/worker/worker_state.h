// State shared by a worker's request thread and dispatch thread.
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

struct CompiledGraph {
  std::shared_ptr<const GraphDefinition> definition;
  std::unique_ptr<Executable> executable;
  std::vector<std::size_t> inputLengths, outputLengths;
  // Whether runs work on copies of the tensors, because the client may modify its tensors concurrently.
  bool copiesTensors = false;
  // The copies (dispatch thread only) and the step times of the last profile (under the mutex).
  std::vector<std::vector<std::byte>> inputs, outputs;
  std::vector<StepTime> steps;
};

// Returns whether an operation reads positions from an index tensor. In shared memory, a client could change an index between its
// check and its use.
bool readsIndices(const GraphDefinition& graph);

// Returns `text` cut to the size of the mailbox's text.
inline std::string_view textForClient(std::string_view text) { return text.substr(0, kMailboxTextBytes); }

// Returns `error`; if it reports exhausted memory and a limit is set, an OperationError that names the limit.
Error withMemoryLimit(Error error, std::uint64_t limit);

class WorkerState {
 public:
  using Memory = std::shared_ptr<const Mapping>;
  using GraphPointer = std::shared_ptr<CompiledGraph>;

  explicit WorkerState(WorkerStatus& ofBroker) : status(&ofBroker) {}

  // Adds a client's memory. Throws DataError if the id `number` is in use, OperationError if a limit would be exceeded.
  // `isSealed`: nobody can modify the memory.
  void addMemory(std::uint32_t number, Mapping mapping, bool isSealed, const WorkerLimits& limits);
  void addGraph(std::uint32_t number, GraphPointer graph);
  void requireRoomForGraph(const WorkerLimits& limits) const;
  // Returns the memory with this id. Throws DataError if there is none.
  Memory memory(std::uint32_t number) const;
  // Work like memory(). sealedMemory(), for constants, also throws DataError if the memory is not sealed; tensorMemory() also
  // throws DataError if the memory is sealed or is the mailbox.
  Memory sealedMemory(std::uint32_t number) const;
  Memory tensorMemory(std::uint32_t number) const;
  GraphPointer graph(std::uint32_t number) const;
  void dropMemory(std::uint32_t number);
  void dropGraph(std::uint32_t number);

  std::vector<StepTime> steps(const CompiledGraph& graph) const;
  void setSteps(CompiledGraph& graph, std::vector<StepTime> steps);

  WorkerStatus* const status;
  std::uint64_t memoryLimit = kNoMemoryLimit;  // bytes, from the settings

 private:
  struct Shared {
    Memory memory;
    bool isSealed;
  };
  Shared shared(std::uint32_t number) const;

  mutable std::mutex mutex_;
  std::map<std::uint32_t, Shared> memories_;
  std::map<std::uint32_t, GraphPointer> graphs_;
  // Bytes of all mapped memories. A graph keeps the memory of its constants mapped even after the client has dropped that memory.
  const std::shared_ptr<std::atomic<std::uint64_t>> sharedBytes_ = std::make_shared<std::atomic<std::uint64_t>>(0);
};

}  // namespace webnn::service
