#include "base/fork.h"

namespace webnn {

std::uint64_t ProcessOfOrigin::current() noexcept { return 0; }  // no process forks

}  // namespace webnn
