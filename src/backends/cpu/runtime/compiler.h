// Makes the compiler's names visible in the engine: `cpu::Module` is `compiler::Module`.
#pragma once

namespace webnn::compiler {}
namespace webnn::cpu {
using namespace compiler;
}
