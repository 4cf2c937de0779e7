// webnn diff --random: compares backends with the reference on random graphs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.h"

namespace webnn::cli {

struct RandomDiffOptions {
  std::vector<std::string> backends;  // backends to test, in the form of backendOf()
  BackendOptions common;              // options of all backends
  std::uint64_t seed = 1, count = 0;
  std::filesystem::path failures;  // directory for failing graphs; empty: do not save
  bool quiet = false, hasCoverage = false, hasPasses = false;
};

// Tests `count` graphs, with seeds from `seed` on, by the rules of random/agreement.h and in all ways of random/trial.h. Failing
// graphs are reduced and saved if `failures` is not empty. `hasPasses` also tests each pass of the CPU engine's compiler if that
// is the first backend. Graphs run in other processes, so that crashes and hangs are reported as failures. Returns the exit
// status.
int diffRandom(const RandomDiffOptions& options);

}  // namespace webnn::cli
