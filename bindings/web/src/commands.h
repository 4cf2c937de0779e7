// The commands of a module. JavaScript runs a command by its index in commands(). A command reads a request and writes a reply.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

#include "message.h"
#include "webnn/limits.h"

namespace webnn::web {

struct Command {
  std::string_view name;
  void (*run)(Request&, Reply&);
};

// Returns this module's commands. Defined in module.cpp and reader.cpp.
std::span<const Command> commands();

// Reads the five limits. A negative number leaves a limit unchanged.
inline void readLimits(Request& request, Limits& limits) {
  for (std::uint64_t* const limit : {&limits.maxMemory, &limits.maxOperations, &limits.maxElements, &limits.maxCompileWork}) {
    if (const double given = request.real(); given >= 0) *limit = static_cast<std::uint64_t>(given);
  }
  if (const double milliseconds = request.real(); milliseconds >= 0 && milliseconds < 9e12)
    limits.maxTime = std::chrono::nanoseconds(static_cast<std::int64_t>(milliseconds * 1e6));
}

}  // namespace webnn::web
