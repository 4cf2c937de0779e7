// The broker process: admits clients, and starts and watches their workers.
#pragma once

#include <filesystem>

#include "base/files/file_descriptor.h"
#include "broker/broker_config.h"

namespace webnn::service {

// Serves clients until SIGTERM, SIGINT, SIGHUP or the owner of the service stops the broker. Workers run `program` with the
// arguments kWorkerArgument and toArguments(). Throws Error if the socket cannot be created, for instance because another service
// uses it, or if the log cannot be opened.
void runBroker(const BrokerConfig& config, const std::filesystem::path& program);

// Serves the client connected to `socket` until the client leaves.
void runPrivateBroker(FileDescriptor socket, const BrokerConfig& config, const std::filesystem::path& program);

inline constexpr const char* kWorkerArgument = "worker";

}  // namespace webnn::service
