// What a Graph refers to.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "graph/backend.h"

namespace webnn {

struct ContextState;

struct GraphState {
  std::shared_ptr<ContextState> context;
  std::shared_ptr<const GraphDefinition> definition;

  // null once destroyed
  std::shared_ptr<const Executable> executable() const {
    const std::lock_guard lock(mutex_);
    return executable_;
  }
  void setExecutable(std::shared_ptr<const Executable> executable) {
    const std::lock_guard lock(mutex_);
    std::swap(executable_, executable);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Executable> executable_;
};

}  // namespace webnn
