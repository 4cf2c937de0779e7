// Every operation with every data type and a few ranks that a backend claims, compared with the reference backend.
#pragma once

#include <functional>
#include <string>

#include "webnn/context.h"

namespace webnn::test {

struct WalkOptions {
  unsigned integerBits = 64;  // of the values of integers, signed
};

// Calls `report` for what differs or fails. How many combinations were tried.
std::size_t walkEveryOperation(Context& context, const std::function<void(const std::string& wrong)>& report,
                               const WalkOptions& options = {});

}  // namespace webnn::test
