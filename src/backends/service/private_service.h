#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "backends/service/local_descriptor.h"
#include "webnn/context.h"

namespace webnn::service {

// Returns the executable that runs brokers and workers. If there is none, throws a NotSupportedError that lists the searched
// paths.
std::filesystem::path findServiceProgram();

// Returns whether a backend option belongs to the service, because it names files or affects all clients. Clients of a shared
// service may not set it. A private service takes it from its client when it starts.
bool isOfService(std::string_view backendOption);

// A broker that this process must reap, because this process adopts orphans (for example, as the first process in a container).
// If another process adopts orphans but does not reap them, each private service leaves a zombie.
class AdoptedBroker {
 public:
  explicit AdoptedBroker(FileDescriptor pidfd) : pidfd_(std::move(pidfd)) {}
  AdoptedBroker(AdoptedBroker&&) noexcept = default;
  AdoptedBroker& operator=(AdoptedBroker&&) noexcept = default;
  // Waits up to two seconds for the broker to end, and reaps it. The broker ends after its connection is closed.
  ~AdoptedBroker();

 private:
  LocalDescriptor pidfd_;
};

struct BrokerLink {
  std::optional<AdoptedBroker> adopted;  // destroyed after the socket, whose end makes the broker exit
  LocalDescriptor socket{FileDescriptor(-1)};
};

// Starts a broker that serves only this client and ends with the connection. Throws NotSupportedError if its executable is not
// found or does not start.
BrokerLink startPrivateService(const ContextOptions& options);

}  // namespace webnn::service
