// Where a value lies during a run.
#pragma once

#include <cstddef>
#include <cstdint>

namespace webnn::compiler {

// Memory of inputs, outputs and constants may have any alignment; all other memory is aligned to 64.
struct Slot {
  std::uint32_t base = 0;
  std::size_t offset = 0;
};

}  // namespace webnn::compiler
