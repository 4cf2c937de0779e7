#include "cpu/passes.h"

namespace webnn::cpu {

void fuseChains(Module&, const PassOptions&) {}

}  // namespace webnn::cpu
