// A backend whose runs are controlled by the test.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <semaphore>
#include <stdexcept>

#include "backends/reference/reference_backend.h"
#include "context/context_state.h"
#include "webnn/context.h"

namespace webnn::test {

// Runs graphs like the reference backend. Calls `beforeRun` first, which may throw or wait.
class FakeBackend final : public Backend {
 public:
  std::function<void()> beforeRun = [] {};
  std::function<void()> beforeCompile = [] {};

  mutable std::function<void(const std::string&)> lose;  // loses the context, as if its service had ended

  std::string_view name() const override { return "fake"; }
  void whenLost(std::function<void(const std::string&)> done) const override { lose = std::move(done); }
  bool accelerated() const override { return true; }
  OpSupportLimits opSupportLimits() const override { return tableLimits(); }
  std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition> graph, const Budget&) const override {
    beforeCompile();
    struct Program final : Executable {
      const FakeBackend* backend = nullptr;
      std::unique_ptr<Executable> program;
      void run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
               const Budget& budget) const override {
        backend->beforeRun();
        program->run(inputs, outputs, budget);
      }
    };
    auto program = std::make_unique<Program>();
    program->backend = this;
    program->program = reference::ReferenceBackend().compile(std::move(graph));
    return program;
  }
};

}  // namespace webnn::test
