#include "cpu/passes.h"

namespace webnn::cpu {

void makeConvolutions(Module&, const PassOptions&) {}

}  // namespace webnn::cpu
