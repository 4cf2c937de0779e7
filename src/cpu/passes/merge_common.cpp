#include "cpu/passes.h"

namespace webnn::cpu {

void mergeCommon(Module&, const PassOptions&) {}

}  // namespace webnn::cpu
