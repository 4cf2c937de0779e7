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
  bool quiet = false;
};

// Compares `count` graphs from the seed on. An element passes if it is within what rounding can explain: the reference is
// run again with every rounding operation's operands and results moved by a few units in the last place, and a result may be
// off by a small multiple of what that changes. Integers, and floats that no rounding touched, must be equal. Returns the
// exit status.
int diffRandom(const RandomDiffOptions& options);

}  // namespace webnn::cli
