// A service of this program alone.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "backends/service/local_descriptor.h"
#include "webnn/context.h"

namespace webnn::service {

// The program of brokers and workers. NotSupportedError, which says where it was looked for, if it is not there.
std::filesystem::path findServiceProgram();

// Whether a backend option is decided by whoever runs the service: it names files, or what all clients share.
bool isOfService(std::string_view backendOption);

// A broker that this process has adopted: whoever adopts orphans, as the first process of a container, must reap them. (Where
// another process adopts them and does not, each private service leaves a zombie, which nobody else can reap.)
class AdoptedBroker {
 public:
  explicit AdoptedBroker(FileDescriptor pidfd) : pidfd_(std::move(pidfd)) {}
  AdoptedBroker(AdoptedBroker&&) noexcept = default;
  AdoptedBroker& operator=(AdoptedBroker&&) noexcept = default;
  // Waits for its end, which comes soon after that of its connection.
  ~AdoptedBroker();

 private:
  LocalDescriptor pidfd_;
};

struct BrokerLink {
  std::optional<AdoptedBroker> adopted;  // goes last
  LocalDescriptor socket{FileDescriptor(-1)};
};

// Starts a broker that serves this client alone, and ends with the connection. NotSupportedError if its program is not found or
// does not start.
BrokerLink startPrivateService(const ContextOptions& options);

}  // namespace webnn::service
