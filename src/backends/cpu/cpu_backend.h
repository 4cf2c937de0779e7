// The backend "cpu": the default.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "backends/cpu/compile/executable.h"
#include "graph/backend.h"
#include "webnn/context.h"

namespace webnn::cpu {

// The options of a context.
struct Settings {
  CompileOptions compile;
  bool pin = false;
};

// TypeError and NotSupportedError as makeBackend().
Settings settingsOf(const ContextOptions& options);

inline constexpr std::array<std::string_view, 5> kOptions{"disable", "isa", "memory", "pin", "precision"};

// TypeError for another option or a wrong value; NotSupportedError for an instruction set that
// this processor lacks.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options);

}  // namespace webnn::cpu
