// Which operations may write their result over an operand.
#pragma once

#include "cpu/module.h"

namespace webnn::cpu {

// The operand of the node in whose memory its first output may lie, because the step reads an element of it no later than
// it writes that element; null if there is none. Of the output's type and shape.
const Operand* overwritable(const ModuleNode& node);

// Whether the step of the node's first output can leave gaps between the rows of its last dimension (Planner::outputPitch):
// it is then computed where a concatenation needs it.
bool writesPitched(const ModuleNode& node);

}  // namespace webnn::cpu
