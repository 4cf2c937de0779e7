#include "cpu/passes.h"

namespace webnn::cpu {

void fuseQuantized(Module&, const PassOptions&) {}

}  // namespace webnn::cpu
