#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/cpu/compile/pipeline.h"
#include "backends/cpu/runtime/arena_pool.h"
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

// Whether executables offer Graph::placement() and step graphs. Both repeat the passes when they are called, so that a build need
// not record anything. The web package omits them to keep its module small.
#ifdef __EMSCRIPTEN__
inline constexpr bool kExplains = false;
#else
inline constexpr bool kExplains = true;
#endif

// Whether graphs lend each other their arenas (memory for values between steps). The web package omits this to keep its module
// small.
#ifdef __EMSCRIPTEN__
inline constexpr bool kLendsArenas = false;
#else
inline constexpr bool kLendsArenas = true;
#endif

// The layout of memory in a run. The modes `watched` and `apart` are for tests: a MemoryWatch checks the steps. `apart` also puts
// guards between the values in the arena, does not reuse memory, and computes nothing in place.
enum class MemoryMode : std::uint8_t { planned, watched, apart };

struct CompileOptions {
  Isa isa = Isa::sse4;
  Precision precision = Precision::float32;
  CacheSizes caches = systemCaches();
  std::vector<std::string> disabledPasses;
  MemoryMode memory = MemoryMode::planned;
  CompileLimits limits = {};
  std::shared_ptr<SharedWeights> weights;  // shared by the backend's graphs; null: do not share
  std::shared_ptr<ArenaPool> arenas;       // arenas for values between steps, shared by the backend's graphs; null: do not share
  // If set, called with the module's text before the first pass ("graph") and after each pass that is not disabled.
  std::function<void(std::string_view pass, const std::string& text)> dump;
};

// If kExplains, the executable keeps `graph` alive, because placement() and stepGraphOf() repeat the passes.
std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition> graph, const CompileOptions& options,
                                    std::shared_ptr<TeamPool> pool, const Budget& budget = Budget::none());

// Returns the steps of an executable; none if another backend or the service made it.
StepGraph stepGraphOf(const Executable& executable);

}  // namespace webnn::cpu
