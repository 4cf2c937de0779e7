// A service for this program alone.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "backends/service/local_descriptor.h"
#include "webnn/context.h"

namespace webnn::service {

// Returns the program of brokers and workers. NotSupportedError lists the searched places.
std::filesystem::path findServiceProgram();

// Returns whether the service's operator decides a backend option, because it names files or affects all clients.
bool isOfService(std::string_view backendOption);

// A broker adopted by this process: a process that adopts orphans, such as the first one in a container, must reap them. If
// another process adopts them without reaping, each private service leaves a zombie.
class AdoptedBroker {
 public:
  explicit AdoptedBroker(FileDescriptor pidfd) : pidfd_(std::move(pidfd)) {}
  AdoptedBroker(AdoptedBroker&&) noexcept = default;
  AdoptedBroker& operator=(AdoptedBroker&&) noexcept = default;
  // Waits for the broker's end, which follows that of its connection.
  ~AdoptedBroker();

 private:
  LocalDescriptor pidfd_;
};

struct BrokerLink {
  std::optional<AdoptedBroker> adopted;  // destroyed last
  LocalDescriptor socket{FileDescriptor(-1)};
};

// Starts a broker that serves this client alone and ends with the connection. NotSupportedError if its program is not found or
// does not start.
BrokerLink startPrivateService(const ContextOptions& options);

}  // namespace webnn::service
