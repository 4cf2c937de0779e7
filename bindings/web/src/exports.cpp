// The module's functions that lib/engine.js calls.
#include <emscripten/emscripten.h>

#include <string>

#include "base/as_errors.h"
#include "commands.h"

namespace webnn::web {

namespace {

Reply& theReply() {
  static Reply reply;
  return reply;
}

}  // namespace

extern "C" {

// Returns the names of all commands in the order of commands(), separated by commas.
EMSCRIPTEN_KEEPALIVE const char* webnn_commands() {
  static std::string names;
  names.clear();
  for (const Command& command : commands()) names.append(names.empty() ? "" : ",").append(command.name);
  return names.c_str();
}

// Runs a command with an encoded request of `size` bytes. Returns false for an error, whose kind and message are the reply.
EMSCRIPTEN_KEEPALIVE bool webnn_run(std::uint32_t command, const std::byte* request, std::uint32_t size) {
  Reply& reply = theReply();
  reply.clear();
  try {
    Request given({request, size});
    commands()[command].run(given, reply);
    return true;
  } catch (...) {
    const Error error = errorOfCurrentException("webnn");
    reply.clear();
    reply.text(name(error.kind())).text(error.what());
    return false;
  }
}

// These functions return the address and size of the last reply.
EMSCRIPTEN_KEEPALIVE const char* webnn_reply() { return theReply().bytes().data(); }
EMSCRIPTEN_KEEPALIVE std::uint32_t webnn_reply_size() { return static_cast<std::uint32_t>(theReply().bytes().size()); }

}  // extern "C"

}  // namespace webnn::web
