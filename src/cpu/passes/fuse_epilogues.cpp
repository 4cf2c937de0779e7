#include "cpu/passes.h"

namespace webnn::cpu {

void fuseEpilogues(Module&, const PassOptions&) {}

}  // namespace webnn::cpu
