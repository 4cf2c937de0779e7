#include "cpu/passes.h"

namespace webnn::cpu {

void removeDead(Module&, const PassOptions&) {}

}  // namespace webnn::cpu
