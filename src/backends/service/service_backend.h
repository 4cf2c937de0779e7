// Runs graphs in a worker of the service: a separate process, whose crash does not affect this one.
#pragma once

#include <memory>

#include "backends/service/connection.h"
#include "graph/backend.h"
#include "webnn/context.h"

namespace webnn::service {

// Connects to the service at `address` or starts a private one. Throws NotSupportedError if it is not there or refuses, and the
// errors of the selected backend.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options, const Address& address);
// Uses a connection that has shared its mailbox.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options, const Address& address,
                                           std::shared_ptr<Connection> connection);

}  // namespace webnn::service
