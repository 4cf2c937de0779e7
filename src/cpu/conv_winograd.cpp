#include "cpu/conv_kernel.h"

namespace webnn::cpu {

ConvKernelPtr makeWinogradConv(const ConvShape&, const ConvContext&) { return nullptr; }

}  // namespace webnn::cpu
