// The process that lets clients in, and starts and watches their workers.
#pragma once

#include <filesystem>

#include "base/files/file_descriptor.h"
#include "broker/broker_config.h"

namespace webnn::service {

// Serves clients until it is told to stop, by a client, SIGTERM or SIGINT. `program` starts with the arguments of a worker
// (kWorkerArgument, then toArguments()) as one. OperationError if the socket is of another service, or cannot be made.
void runBroker(const BrokerConfig& config, const std::filesystem::path& program);

// Serves the one client at `socket` until it goes away.
void runPrivateBroker(FileDescriptor socket, const BrokerConfig& config, const std::filesystem::path& program);

inline constexpr const char* kWorkerArgument = "worker";

}  // namespace webnn::service
