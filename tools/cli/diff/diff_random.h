// webnn diff --random: random graphs on several backends against the reference.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.h"

namespace webnn::cli {

struct RandomDiffOptions {
  std::vector<BackendOptions> backends;  // all but the reference
  std::uint64_t seed = 1, count = 0;
  std::filesystem::path failures;  // a folder for graphs that differ; none if empty
  bool quiet = false, hasCoverage = false, hasPasses = false;
};

// Compares `count` graphs from the seed on, by the rules of random/agreement.h and in all ways of random/trial.h; those that
// fail are made smaller and saved. With `hasPasses`, what each pass of the CPU engine's compiler makes of a graph is compared
// too. They run in processes of their own, so that one that crashes or hangs is a failure like others. Returns the exit status.
int diffRandom(const RandomDiffOptions& options);

}  // namespace webnn::cli
