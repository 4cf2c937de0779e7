// The worker: a sandboxed process that computes for one client.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"

namespace webnn::service {

inline constexpr std::uint64_t kNoMemoryLimit = std::uint64_t{1} << 40;

struct WorkerLimits {
  std::uint64_t graphs = 64, memories = 16384;
  std::uint64_t operations = 65536, operands = 262144;
  std::uint64_t messageBytes = std::uint64_t{64} << 20, constantBytes = std::uint64_t{4} << 30;
  std::uint64_t memory = kNoMemoryLimit;  // limit in bytes, for shared and private memory together
  std::uint64_t messagesPerSecond = 10000;
  std::uint32_t threads = 64;
};

struct WorkerSettings {
  WorkerLimits limits;
  // Backends that clients may use, by name, with the options that the service sets.
  std::map<std::string, std::map<std::string, std::string>> backends;
  bool requiresFullSandbox = false;
};

// Converts settings to program arguments and back. Throws TypeError for an unknown argument.
std::vector<std::string> toArguments(const WorkerSettings& settings);
WorkerSettings workerSettingsOf(const std::vector<std::string>& arguments);

inline constexpr int kWorkerSocket = 3, kWorkerStatus = 4;

// Serves the client at kWorkerSocket until the client leaves, and then ends the process with status 0. After an error, ends it
// with status 3. Writes the reason to the WorkerStatus at kWorkerStatus. Never returns.
int runWorker(const WorkerSettings& settings);

}  // namespace webnn::service
