// Runs graphs in a worker process of the service, so that a crash there does not affect this process.
#pragma once

#include <memory>

#include "backends/service/connection.h"
#include "graph/backend.h"
#include "webnn/context.h"

namespace webnn::service {

// Connects to the service at `address` or starts a private one. Throws the errors of connect() (connection.h) and those of the
// selected backend.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options, const Address& address);
// Creates a backend that uses an existing connection, whose mailbox has been shared with the worker.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options, const Address& address,
                                           std::shared_ptr<Connection> connection);

}  // namespace webnn::service
