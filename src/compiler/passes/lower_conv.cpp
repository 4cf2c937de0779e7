#include "compiler/passes/passes.h"

namespace webnn::compiler {

void lowerConv(Module& module, const PassOptions&) {
  for (ModuleNode& node : module.nodes) {
    const auto* conv = as<ops::Conv2d>(node.operation);
    if (!conv || conv->options.inputLayout != InputOperandLayout::nhwc) continue;
    Convolution convolution{.conv = *conv, .epilogue = {}, .options = {.label = conv->options.label}};
    node.operation = EngineOperation(std::move(convolution));
  }
}

}  // namespace webnn::compiler
