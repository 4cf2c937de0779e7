// The parts of the pass `recognise`. Each replaces a node's operation by an equivalent one, and returns whether it did.
#pragma once

#include "compiler/passes/patterns.h"

namespace webnn::compiler {

// Recognises decomposed gelu (with erf or tanh), hardSwish and softmax.
bool recogniseActivation(const Patterns& patterns, ModuleNode& node);
// Recognises decomposed layer and RMS normalization.
bool recogniseNormalization(const Patterns& patterns, ModuleNode& node);
// Merges a multiplication (by a scale) or an addition (of a bias) into the normalization before it, if the normalization has no
// such parameter yet.
bool absorbAffine(const Patterns& patterns, ModuleNode& node);
// Replaces layer normalization over the last dimension by RowNormalization.
bool normalizeRows(ModuleNode& node);
// Merges a residual addition before a RowNormalization into it.
bool absorbResidual(const Patterns& patterns, ModuleNode& node);

}  // namespace webnn::compiler
