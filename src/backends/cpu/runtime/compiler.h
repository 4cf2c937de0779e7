// Makes the compiler's names visible in namespace cpu, so that `cpu::Module` is `compiler::Module`.
#pragma once

namespace webnn::compiler {}
namespace webnn::cpu {
using namespace compiler;
}
