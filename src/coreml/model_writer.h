// The last step of an export: a program as the bytes of a Model of CoreML.Specification.
#pragma once

#include <string>
#include <vector>

#include "coreml/export.h"
#include "coreml/program.h"

namespace webnn::coreml {

// Gives each constant that is a weight its place in the file of weights; these come back.
std::vector<WeightPart> placeWeights(Program& program);

std::string writeModel(const Program& program);

}  // namespace webnn::coreml
