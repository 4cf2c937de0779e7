// The operator's configuration of a service.
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
  std::uint64_t contexts = 16;                     // connections at a time, each with a worker
  std::uint64_t memory = 0;                        // bytes of all its workers, shared and private; 0: no limit
  std::chrono::milliseconds buildTime{60'000};     // of the processor; 0: for ever
  std::chrono::milliseconds dispatchTime{30'000};  // 0: for ever
  std::chrono::milliseconds idleTime{300'000};     // of a connection without a context; 0: for ever
  std::uint64_t logLinesPerSecond = 100;
};

struct Tenant {
  std::string name;
  std::optional<uid_t> uid;   // of its processes; absent: any that has the token
  std::string tokenHash;      // SHA-256 in hexadecimal; empty: none is needed
  std::optional<uid_t> user;  // that its workers run as
  TenantLimits limits;
};

struct BrokerConfig {
  std::filesystem::path socket;
  mode_t mode = 0600;
  std::uint64_t connections = 1024;
  std::uint64_t unauthenticated = 64, unauthenticatedPerUser = 32;  // connections whose client is not admitted yet
  std::chrono::milliseconds helloTime{3000};
  std::map<std::string, std::map<std::string, std::string>> backends{{"cpu", {}}, {"reference", {}}};
  bool requiresFullSandbox = false;
  std::vector<Tenant> tenants;  // empty: the service's user, without a token
  std::filesystem::path log;    // empty: standard error
};

// Reads a configuration in JSON. DataError gives the place of an error; unknown keys are errors. A tenant's default memory is a
// quarter of the machine's.
BrokerConfig readConfig(std::string_view json);

// The SHA-256 of a token, in hexadecimal.
std::string hashOfToken(std::string_view token);
// 128 random bits in hexadecimal.
std::string makeToken();
// Takes the same time wherever they differ.
bool equalInConstantTime(std::string_view a, std::string_view b);

}  // namespace webnn::service
