#include "cpu/passes.h"

namespace webnn::cpu {

void makeProducts(Module&, const PassOptions&) {}

}  // namespace webnn::cpu
