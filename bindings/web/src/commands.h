// How a module runs the commands of JavaScript: each has a number, a request of bytes and a reply of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/as_errors.h"
#include "message.h"
#include "webnn/limits.h"

namespace webnn::web {

template <typename State>
struct Command {
  std::string_view name;
  void (*run)(State&, Request&, Reply&);
};

// The names of commands in the order of their numbers, with commas between.
template <typename State>
std::string namesOf(std::span<const Command<State>> commands) {
  std::string text;
  for (const auto& command : commands) text.append(text.empty() ? "" : ",").append(command.name);
  return text;
}

// Whether the command succeeded; if not, the reply is the error's kind and message.
template <typename State>
bool runCommand(const Command<State>& command, State& state, std::span<const std::byte> bytes, Reply& reply) {
  try {
    reply.clear();
    Request request(bytes);
    command.run(state, request, reply);
    return true;
  } catch (...) {
    const Error error = errorOfCurrentException("webnn");
    reply.clear();
    reply.text(name(error.kind())).text(error.what());
    return false;
  }
}

// Five numbers, negative where a limit is not set.
inline void readLimits(Request& request, Limits& limits) {
  for (std::uint64_t* const limit : {&limits.maxMemory, &limits.maxOperations, &limits.maxElements, &limits.maxCompileWork}) {
    if (const double given = request.real(); given >= 0) *limit = static_cast<std::uint64_t>(given);
  }
  if (const double milliseconds = request.real(); milliseconds >= 0 && milliseconds < 9e12)
    limits.maxTime = std::chrono::nanoseconds(static_cast<std::int64_t>(milliseconds * 1e6));
}

}  // namespace webnn::web
