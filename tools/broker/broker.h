// The process that lets clients in, and starts and watches their workers.
#pragma once

#include <filesystem>

#include "base/files/file_descriptor.h"
#include "broker/broker_config.h"

namespace webnn::service {

// Serves clients until a client, SIGTERM or SIGINT ends it. `program` becomes a worker with the arguments kWorkerArgument and
// toArguments(). Throws OperationError if the socket belongs to another service or cannot be made.
void runBroker(const BrokerConfig& config, const std::filesystem::path& program);

// Serves one client at `socket` until it leaves.
void runPrivateBroker(FileDescriptor socket, const BrokerConfig& config, const std::filesystem::path& program);

inline constexpr const char* kWorkerArgument = "worker";

}  // namespace webnn::service
