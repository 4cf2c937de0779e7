// Starts the processes that compute for clients, isolated.
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

// A user of this machine.
struct UserIds {
  uid_t user = 0;
  gid_t group = 0;
};

// A process's resource limits, within this process's hard limits. It leaves no core file.
struct ProcessLimits {
  std::optional<std::uint64_t> data;         // bytes of private memory (RLIMIT_DATA)
  std::optional<std::uint64_t> descriptors;  // the highest number plus one
  std::optional<std::uint64_t> processes;    // with threads; needs the user namespace, and the system exempts root
  std::optional<std::uint64_t> cpuSeconds;   // of processor time, after which it is killed
};

struct SpawnOptions {
  std::filesystem::path program;                 // absolute
  std::vector<std::string> arguments;            // without the program's name, which is its path
  std::vector<std::pair<int, int>> descriptors;  // ours, and its number in the program, which gets no others
  std::vector<std::string> environment;          // all of it: "NAME=value"
  std::optional<UserIds> user;                   // whose rights it has, instead of this process's user; needs root
  ProcessLimits limits;
  std::filesystem::path controlGroup;  // of cgroup v2, that it starts in, besides this process's; empty: the same
  bool requireFull = false;            // fail rather than start with less isolation
};

// Starts a program as process 1 of new namespaces (user, pid, network, IPC, mount, UTS, cgroup), without capabilities and without
// a way to gain any. Files are read-only, the session is new, and signals have their defaults. Unless given, input and output are
// the null device, and descriptor 2 is this process's. The program dies with the calling thread, and its children die with it. Refused
// namespaces are listed in `missing`.
// The system ignores signals to a process 1 from inside its namespace, and those from outside except SIGKILL and SIGSTOP, unless
// it has a handler: end it with SIGKILL.
// Throws Error with the reason if it does not start, or if requireFull and something is missing.
Spawned spawnIsolated(const SpawnOptions& options);

}  // namespace webnn::service
