// Lists the passes in their order.
#pragma once

#include <span>
#include <string_view>

#include "backends/cpu/compile/passes/cpu_passes.h"

namespace webnn::cpu {

struct Pass {
  std::string_view name, summary;
  void (*run)(Module& module, const PassOptions& options);
  bool required = false;   // cannot be disabled, because the steps rely on it
  bool quantized = false;  // whether the pass changes only graphs that quantize or dequantize
};

std::span<const Pass> allPasses();

}  // namespace webnn::cpu
