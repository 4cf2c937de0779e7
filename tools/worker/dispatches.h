// Serves dispatches that the client writes to the mailbox.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "service/futex.h"
#include "service/mailbox.h"
#include "worker/worker_state.h"

namespace webnn::service {

class Dispatcher {
 public:
  Dispatcher(WorkerState& state, std::shared_ptr<const Mapping> mailbox);
  // Runs the client's dispatches one after the other. Never returns.
  [[noreturn]] void serve();
  // Runs the dispatch that is in the mailbox, and writes there whether it failed, and the error.
  void answer() noexcept;

 private:
  using Tensors = std::vector<std::span<std::byte>>;
  void run();
  void execute(CompiledGraph& graph, const Tensors& inputs, const Tensors& outputs, bool isProfile, const Budget& budget);
  Tensors map(const std::vector<TensorReference>& references, const std::vector<std::size_t>& lengths);

  WorkerState& state_;
  const std::shared_ptr<const Mapping> mailbox_;
  Mailbox& box_;
  Waiter waiter_;
  std::vector<WorkerState::Memory> memories_;  // memory of the tensors of the current dispatch
  std::vector<std::uint32_t> memoryNumbers_;
};

}  // namespace webnn::service
