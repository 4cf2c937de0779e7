// The configuration that the administrator of a service writes.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "worker/worker.h"

namespace webnn::service {

// A tenant's limits. docs/guides/service.md lists the defaults.
struct TenantLimits {
  WorkerLimits worker;
  std::uint64_t contexts = 16;                     // concurrent connections, each with a worker
  std::uint64_t memory = 0;                        // bytes of all workers together, shared and private; 0: no limit
  std::chrono::milliseconds buildTime{60'000};     // CPU time of one build; 0: no limit
  std::chrono::milliseconds dispatchTime{30'000};  // elapsed time of one dispatch; 0: no limit
  std::chrono::milliseconds idleTime{300'000};     // time that a connection may have no context; 0: no limit
  std::uint64_t logLinesPerSecond = 100;
};

struct Tenant {
  std::string name;
  std::optional<uid_t> uid;   // user id of the clients; absent: any user with the token
  std::string tokenHash;      // SHA-256 in hexadecimal; empty: clients need no token
  std::optional<uid_t> user;  // user id that workers run as; absent: the broker's user
  TenantLimits limits;
};

struct BrokerConfig {
  std::filesystem::path socket;
  mode_t mode = 0600;
  std::uint64_t connections = 1024;
  // Maximum numbers of connections that are not yet authenticated, in total and per user.
  std::uint64_t unauthenticated = 64, unauthenticatedPerUser = 32;
  std::chrono::milliseconds helloTime{3000};
  std::map<std::string, std::map<std::string, std::string>> backends{{"cpu", {}}, {"reference", {}}};
  bool requiresFullSandbox = false;
  std::vector<Tenant> tenants;  // if there are none, readConfig() adds the service's own user, without a token
  std::filesystem::path log;    // log file; empty: standard error
};

// Reads a JSON configuration. For invalid values and unknown keys, throws a DataError that gives their path. The default memory
// limit of a tenant is a quarter of the machine's memory.
BrokerConfig readConfig(std::string_view json);

// Returns the SHA-256 of a token, in hexadecimal.
std::string hashOfToken(std::string_view token);
// Returns 128 random bits in hexadecimal.
std::string makeToken();
// Compares texts in a time that does not reveal where they differ.
bool equalInConstantTime(std::string_view a, std::string_view b);

}  // namespace webnn::service
