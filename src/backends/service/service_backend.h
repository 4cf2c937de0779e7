// The backend that runs a graph in a worker of the service: a process of its own, which may crash alone.
#pragma once

#include <memory>

#include "backends/service/connection.h"
#include "graph/backend.h"
#include "webnn/context.h"

namespace webnn::service {

// Connects to the service at `address`, or starts a private one. NotSupportedError if it is not there or refuses; the errors of
// the backend that the options name.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options, const Address& address);
// The same over a connection to it that has shared its mailbox.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options, const Address& address,
                                           std::shared_ptr<Connection> connection);

}  // namespace webnn::service
