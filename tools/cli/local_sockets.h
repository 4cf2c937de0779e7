// Pairs of sockets between this process and those that it starts.
#pragma once

#include <string_view>

namespace webnn::cli {

// Two ends of a stream, which programs that are started do not inherit. False, with errno, if there is none.
bool makeSocketPair(int (&ends)[2]);

// Sends it all, or nothing more once nobody listens, which whoever reads will notice.
void sendAll(int socket, std::string_view text);

}  // namespace webnn::cli
