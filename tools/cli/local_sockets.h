// Pairs of sockets between this process and its children.
#pragma once

#include <string_view>

namespace webnn::cli {

// Makes two ends of a stream, not inherited by programs. Returns false, with errno, on failure.
bool makeSocketPair(int (&ends)[2]);

// Sends everything; stops silently once the reader is gone.
void sendAll(int socket, std::string_view text);

}  // namespace webnn::cli
