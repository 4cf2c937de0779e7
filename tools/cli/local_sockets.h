// Socket pairs between this process and its children.
#pragma once

#include <string_view>

namespace webnn::cli {

// Creates a connected pair of stream sockets that exec closes. Returns false, with errno, on failure.
bool makeSocketPair(int (&ends)[2]);

// Sends all of `text`. Stops without an error if the reader has closed its end.
void sendAll(int socket, std::string_view text);

}  // namespace webnn::cli
