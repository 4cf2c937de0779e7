// Starts isolated processes, which compute for clients.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/process.h"

namespace webnn::service {

struct UserIds {
  uid_t user = 0;
  gid_t group = 0;
};

// Resource limits of a process, capped by this process's hard limits. Core files are always off.
struct ProcessLimits {
  std::optional<std::uint64_t> data;         // bytes of private memory (RLIMIT_DATA)
  std::optional<std::uint64_t> descriptors;  // highest descriptor number plus one
  std::optional<std::uint64_t> processes;    // processes and threads; needs a user namespace; root is exempt
  std::optional<std::uint64_t> cpuSeconds;   // CPU time, after which the system kills the process
};

struct SpawnOptions {
  std::filesystem::path program;                 // absolute path
  std::vector<std::string> arguments;            // arguments after argv[0], which is the path
  std::vector<std::pair<int, int>> descriptors;  // (descriptor here, number in the program)
  std::vector<std::string> environment;          // the complete environment: "NAME=value"
  std::optional<UserIds> user;                   // user and group of the process, which only root can set; absent: unchanged
  ProcessLimits limits;
  std::filesystem::path controlGroup;  // cgroup (v2) directory in which the process starts; empty: this process's cgroup
  bool requireFull = false;            // spawnIsolated() throws instead of starting with less isolation
};

// Starts a program as process 1 of new namespaces (user, pid, network, IPC, mount, UTS, cgroup), in a new session. It has no
// capabilities and cannot gain any. Files are read-only, and signals have their defaults. Descriptors 0 and 1 are the null device
// unless given, and descriptor 2 is inherited. The program dies with the calling thread, and its children die with it. Namespaces
// that the system refuses are listed in `missing`.
// The system delivers only SIGKILL and SIGSTOP to a process 1 without handlers: terminate it with SIGKILL.
// Throws Error with the reason if the program does not start, or if requireFull and something is missing.
Spawned spawnIsolated(const SpawnOptions& options);

}  // namespace webnn::service
