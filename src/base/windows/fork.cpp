#include "base/fork.h"

namespace webnn {

std::uint64_t ProcessOfOrigin::current() noexcept { return 0; }  // Windows has no fork()

}  // namespace webnn
