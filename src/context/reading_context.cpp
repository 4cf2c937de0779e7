#include "context/reading_context.h"

#include "base/text.h"
#include "context/context_state.h"

namespace webnn {

namespace {

struct NoExecutable final : Executable {
  void run(std::span<const std::span<const std::byte>>, std::span<const std::span<std::byte>>, const Budget&) const override {
    fail(ErrorKind::notSupportedError, "the graph was read and is not compiled.");
  }
};

class ReadingBackend final : public Backend {
 public:
  std::string_view name() const override { return "none"; }
  bool accelerated() const override { return false; }
  OpSupportLimits opSupportLimits() const override { return tableLimits(); }
  std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition>, const Budget&) const override {
    return std::make_unique<NoExecutable>();
  }
};

}  // namespace

Context makeReadingContext(const Limits& limits) {
  return makeContext(std::make_shared<const ReadingBackend>(), {.execution = Execution::callerThread, .limits = limits});
}

}  // namespace webnn
