// The parts of the pass `recognise`. Each replaces the operation of a node by one of the same result.
#pragma once

#include "compiler/passes/patterns.h"

namespace webnn::compiler {

// gelu, hardSwish and softmax that are written out. True if the node was one.
bool recogniseActivation(const Patterns& patterns, ModuleNode& node);
// Layer and RMS normalization that are written out.
bool recogniseNormalization(const Patterns& patterns, ModuleNode& node);
// A product with a scale, or a sum with a bias, of a normalization without one.
bool absorbAffine(const Patterns& patterns, ModuleNode& node);
// Layer normalization over the last dimension as RowNormalization.
bool normalizeRows(ModuleNode& node);
// The sum that a RowNormalization is of.
bool absorbResidual(const Patterns& patterns, ModuleNode& node);

}  // namespace webnn::compiler
