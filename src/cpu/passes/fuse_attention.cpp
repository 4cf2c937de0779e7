#include "cpu/passes.h"

namespace webnn::cpu {

void fuseAttention(Module&, const PassOptions&) {}

}  // namespace webnn::cpu
