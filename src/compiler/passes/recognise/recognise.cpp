#include "compiler/passes/recognise/recognise.h"

#include "compiler/passes/passes.h"

namespace webnn::compiler {

namespace {

// Calls `recogniseNode` for every node. If `repeats`, repeats this while nodes change, because changes reduce the number of
// uses and enable more matches.
void offerAll(Module& module, const PassOptions& options, bool repeats, auto recogniseNode) {
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    const Patterns patterns(module);
    for (ModuleNode& node : module.nodes) isChanged |= recogniseNode(patterns, node);
    if (isChanged) eliminateDeadCode(module, options);
    if (!repeats) return;
  }
}

}  // namespace

// Most of these functions accept float32 results only: the merged operation rounds once, whereas separate float16 operations each
// round. normalizeRows and absorbResidual do not check the type.
void recognise(Module& module, const PassOptions& options) {
  offerAll(module, options, false, [](const Patterns& patterns, ModuleNode& node) {
    return recogniseActivation(patterns, node) || recogniseNormalization(patterns, node);
  });
  offerAll(module, options, true, absorbAffine);  // first the scale, then the bias
  offerAll(module, options, false, [](const Patterns&, ModuleNode& node) { return normalizeRows(node); });
  offerAll(module, options, true, absorbAffine);
  offerAll(module, options, false, absorbResidual);
}

}  // namespace webnn::compiler
