#include "cpu/passes.h"

namespace webnn::cpu {

void recognise(Module&, const PassOptions&) {}

}  // namespace webnn::cpu
