// The last step of an export: serializes a program as a CoreML.Specification.Model.
#pragma once

#include <string>
#include <vector>

#include "coreml/export.h"
#include "coreml/program.h"

namespace webnn::coreml {

// Assigns each weight its offset in the weights file, and returns the parts of the file.
std::vector<WeightPart> placeWeights(Program& program);

std::string writeModel(const Program& program);

}  // namespace webnn::coreml
