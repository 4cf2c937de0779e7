#include "cpu/passes.h"

namespace webnn::cpu {

void foldConstants(Module&, const PassOptions&) {}

}  // namespace webnn::cpu
