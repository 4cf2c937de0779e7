#include "backends/cpu/compile/memory_watch.h"

#include <cstring>

#include "backends/cpu/runtime/compiler.h"
#include "base/text.h"
#include "compiler/verify/verify.h"

namespace webnn::cpu {

MemoryWatch::MemoryWatch(const Module& module, const MemoryPlan& plan) : regions_{{.bytes = plan.arenaBytes, .isFilled = true}} {
  for (const Operand& input : module.inputs) regions_.push_back({byteLength(input.descriptor()), false});
  for (const auto& [name, operand] : module.outputs) regions_.push_back({byteLength(operand.descriptor()), true});
}

void MemoryWatch::addStep(const ModuleNode& node, const MemoryPlan& plan, std::size_t scratchBytes) {
  WatchedStep step{nodeText(node), {}};
  for (const Operand& output : node.outputs) {
    const Slot slot = plan.slots[output.record().index];
    const std::size_t bytes = byteLength(output.descriptor()), rowStride = plan.rowStrides[output.record().index];
    if (rowStride == 0) {
      step.writes.push_back({slot.base, slot.offset, bytes});
    } else {
      const std::size_t rows = bytes * 8 / bitsPerElement(output.dataType()) / output.shape().back();
      step.writes.push_back({slot.base, slot.offset, bytes / rows, rows, rowStride * bitsPerElement(output.dataType()) / 8});
    }
  }
  step.writes.push_back({0, plan.arenaBytes, scratchBytes});
  steps_.push_back(std::move(step));
}

MemoryWatch::Run::Run(const MemoryWatch& watch, const Frame& frame, std::size_t number)
    : watch_(watch),
      sources_(frame.sources),
      targets_(frame.targets),
      pattern_{number % 2 == 0 ? std::byte{0xFF} : std::byte{0x55}} {
  for (std::size_t i = 0; i < watch.regions_.size(); ++i) {
    const Region& region = watch.regions_[i];
    if (region.isFilled && region.bytes > 0) std::memset(targets_[i], std::to_integer<int>(pattern_), region.bytes);
    copies_.emplace_back(sources_[i], sources_[i] + region.bytes);
  }
}

void MemoryWatch::Run::before(std::size_t step) const {
  const Write& scratch = watch_.steps_[step].writes.back();
  if (scratch.bytes > 0) std::memset(targets_[0] + scratch.offset, std::to_integer<int>(pattern_), scratch.bytes);
}

void MemoryWatch::Run::after(std::size_t step) {
  const WatchedStep& done = watch_.steps_[step];
  for (const Write& write : done.writes) {
    for (std::size_t row = 0; row < write.rows && write.bytes > 0; ++row) {
      const std::size_t at = write.offset + row * write.stride;
      std::memcpy(copies_[write.base].data() + at, sources_[write.base] + at, write.bytes);
    }
  }
  for (std::size_t i = 0; i < copies_.size(); ++i) {
    const std::vector<std::byte>& copy = copies_[i];
    if (copy.empty() || std::memcmp(copy.data(), sources_[i], copy.size()) == 0) continue;
    std::size_t at = 0;
    while (copy[at] == sources_[i][at]) ++at;
    fail(ErrorKind::unknownError, "the CPU engine: step {} ({}) has written to byte {} of base {}, which is none of its outputs.",
         step, done.text, at, i);
  }
}

}  // namespace webnn::cpu
