// A service of this program alone.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/file_descriptor.h"
#include "webnn/context.h"

namespace webnn::service {

// The program of brokers and workers. NotSupportedError, which says where it was looked for, if it is not there.
std::filesystem::path findServiceProgram();

// Whether a backend option is decided by whoever runs the service: it names files, or what all clients share.
bool isOfService(std::string_view backendOption);

// Starts a broker that serves the other end of the socket that this returns, and ends with it. NotSupportedError if its program
// is not found or does not start.
FileDescriptor startPrivateService(const ContextOptions& options);

}  // namespace webnn::service
