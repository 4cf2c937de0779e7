// webnn diff --random: random graphs on several backends against the reference.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.h"

namespace webnn::cli {

struct RandomDiffOptions {
  std::vector<std::string> backends;  // all but the reference, as for backendOf()
  BackendOptions common;              // what they share
  std::uint64_t seed = 1, count = 0;
  std::filesystem::path failures;  // a folder for graphs that differ; none if empty
  bool quiet = false, hasCoverage = false, hasPasses = false;
};

// Compares `count` graphs from the seed on, by the rules of random/agreement.h and in all ways of random/trial.h; reduces and
// saves failing ones. `hasPasses` also compares each pass of the CPU engine's compiler. Graphs run in separate processes, so that
// a crash or hang is a failure like others. Returns the exit status.
int diffRandom(const RandomDiffOptions& options);

}  // namespace webnn::cli
