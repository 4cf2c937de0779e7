#include "cpu/passes.h"

namespace webnn::cpu {

void chooseLayout(Module&, const PassOptions&) {}

}  // namespace webnn::cpu
