#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/cpu/compile/pipeline.h"
#include "backends/cpu/runtime/caches.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/isa.h"
#include "backends/cpu/runtime/precision.h"
#include "backends/cpu/runtime/threads.h"
#include "backends/cpu/runtime/weight_memory.h"
#include "compiler/passes/compile_limits.h"
#include "compiler/plan/step_graph.h"
#include "graph/backend.h"

namespace webnn::cpu {

// Whether executables keep Graph::placement() and step graphs. The web package does not, because each build would take longer.
#ifdef __EMSCRIPTEN__
inline constexpr bool kExplains = false;
#else
inline constexpr bool kExplains = true;
#endif

// How memory is laid out in a run. `watched` and `apart` are for tests: memory_watch.h watches the steps, either in the planned
// memory or (`apart`) with every value in its own place between guards and nothing computed in place.
enum class MemoryMode : std::uint8_t { planned, watched, apart };

struct CompileOptions {
  Isa isa = Isa::sse4;
  Precision precision = Precision::float32;
  CacheSizes caches = systemCaches();
  std::vector<std::string> disabledPasses;
  MemoryMode memory = MemoryMode::planned;
  CompileLimits limits = {};
  std::shared_ptr<SharedWeights> weights;  // of the backend's graphs; null: packed weights are not shared
  // Called, if set, with name and text of the module before the first pass ("graph") and after each pass.
  std::function<void(std::string_view pass, const std::string& text)> dump;
};

std::unique_ptr<Executable> compile(const GraphDefinition& graph, const CompileOptions& options, std::shared_ptr<TeamPool> pool,
                                    const Budget& budget = Budget::none());

// Returns the steps; none if the executable belongs to another engine or runs behind the service.
StepGraph stepGraphOf(const Executable& executable);

}  // namespace webnn::cpu
