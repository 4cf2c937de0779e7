// The default backend, which compiles graphs to kernels for the CPU.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "backends/cpu/compile/executable.h"
#include "graph/backend.h"
#include "webnn/context.h"

namespace webnn::cpu {

struct Settings {
  CompileOptions compile;
  bool pin = false;
};

// Parses a context's options. Throws the same errors as makeBackend().
Settings settingsOf(const ContextOptions& options);

inline constexpr std::array<std::string_view, 5> kOptions{"disable", "isa", "memory", "pin", "precision"};

// Throws TypeError for an unknown option or a bad value. Throws NotSupportedError for an instruction set that this CPU lacks.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options);

}  // namespace webnn::cpu
