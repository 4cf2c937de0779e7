#include "cpu/passes.h"

namespace webnn::cpu {

void makeChains(Module&, const PassOptions&) {}

}  // namespace webnn::cpu
