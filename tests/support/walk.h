// Tests every operation with every data type and several ranks that a backend supports, by comparison with the reference backend.
#pragma once

#include <functional>
#include <string>

#include "webnn/context.h"

namespace webnn::test {

struct WalkOptions {
  unsigned integerBits = 64;  // the backend computes with signed integers of this many bits
};

// Calls `report` for each difference or failure. Returns the number of combinations that were tried.
std::size_t walkEveryOperation(Context& context, const std::function<void(const std::string& wrong)>& report,
                               const WalkOptions& options = {});

}  // namespace webnn::test
