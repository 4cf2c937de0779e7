#include "compiler/passes/recognise.h"

#include "compiler/passes/passes.h"

namespace webnn::compiler {

namespace {

// Offers every node to `recogniseNode`, and again if that changed anything, as operands have fewer uses then.
template <typename Recognise>
void offerAll(Module& module, const PassOptions& options, bool repeats, Recognise recogniseNode) {
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    const Patterns patterns(module);
    for (ModuleNode& node : module.nodes) isChanged |= recogniseNode(patterns, node);
    if (isChanged) eliminateDeadCode(module, options);
    if (!repeats) return;
  }
}

}  // namespace

// float32 only where operations become one that rounds once.
void recognise(Module& module, const PassOptions& options) {
  offerAll(module, options, false, [](const Patterns& patterns, ModuleNode& node) {
    return recogniseActivation(patterns, node) || recogniseNormalization(patterns, node);
  });
  offerAll(module, options, true, absorbAffine);  // the scale, then the bias
  offerAll(module, options, false, [](const Patterns&, ModuleNode& node) { return normalizeRows(node); });
  offerAll(module, options, true, absorbAffine);
  offerAll(module, options, false, absorbResidual);
}

}  // namespace webnn::compiler
