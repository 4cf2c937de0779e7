// The parts of the pass `recognise`. Each replaces a node's operation by one with the same result, and returns whether it did.
#pragma once

#include "compiler/passes/patterns.h"

namespace webnn::compiler {

// Recognises decomposed gelu, hardSwish and softmax.
bool recogniseActivation(const Patterns& patterns, ModuleNode& node);
// Recognises decomposed layer and RMS normalization.
bool recogniseNormalization(const Patterns& patterns, ModuleNode& node);
// Merges a following product with a scale or sum with a bias into a normalization that has none.
bool absorbAffine(const Patterns& patterns, ModuleNode& node);
// Turns layer normalization over the last dimension into RowNormalization.
bool normalizeRows(ModuleNode& node);
// Merges the sum that a RowNormalization reads into it.
bool absorbResidual(const Patterns& patterns, ModuleNode& node);

}  // namespace webnn::compiler
