#pragma once

#include <memory>
#include <utility>

#include "graph/backend.h"

namespace webnn::web {

class NoExecutable final : public Executable {
 public:
  void run(std::span<const std::span<const std::byte>>, std::span<const std::span<std::byte>>, const Budget&) const override {}
};

// The backend of contexts on the page, which only check calls. It supports the same operations as `other`. All its tensors share
// one byte, which nobody may access. Its graphs compute nothing.
class CheckingBackend final : public Backend {
 public:
  explicit CheckingBackend(std::shared_ptr<const Backend> other) : other_(std::move(other)) {}
  std::string_view name() const override { return other_->name(); }
  bool accelerated() const override { return other_->accelerated(); }
  OpSupportLimits opSupportLimits() const override { return other_->opSupportLimits(); }
  std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition>, const Budget&) const override {
    return std::make_unique<NoExecutable>();
  }
  std::shared_ptr<std::byte> allocateTensor(std::size_t) const override {
    alignas(64) static std::byte nothing{};
    return {std::shared_ptr<void>(), &nothing};
  }

 private:
  const std::shared_ptr<const Backend> other_;
};

}  // namespace webnn::web
