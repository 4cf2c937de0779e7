// The last step of an export: a program as the bytes of a Model of CoreML.Specification.
#pragma once

#include <string>
#include <vector>

#include "coreml/export.h"
#include "coreml/program.h"

namespace webnn::coreml {

// Assigns each weight its place in the weights file and returns the parts.
std::vector<WeightPart> placeWeights(Program& program);

std::string writeModel(const Program& program);

}  // namespace webnn::coreml
