#include "cpu/passes.h"

namespace webnn::cpu {

void repackNibbles(Module&, const PassOptions&) {}

}  // namespace webnn::cpu
