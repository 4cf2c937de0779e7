#include "cpu/passes.h"

namespace webnn::cpu {

void simplify(Module&, const PassOptions&) {}

}  // namespace webnn::cpu
