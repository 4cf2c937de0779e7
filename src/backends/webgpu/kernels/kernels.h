// The kernels: for each operation, a function that appends the dispatches which compute a node. Each family has a file of this
// directory with the family's name (src/ops), and its rows in support.cpp.
#pragma once

#include "backends/webgpu/kernels/planner.h"

namespace webnn::webgpu {

// elementwise.cpp
void plan(const compiler::FusedElementwise& op, Planner& planner);
void plan(const ops::Binary& op, Planner& planner);
void plan(const ops::Unary& op, Planner& planner);
void plan(const ops::LogicalUnary& op, Planner& planner);
void plan(const ops::Cast& op, Planner& planner);
void plan(const ops::Clamp& op, Planner& planner);
void plan(const ops::Where& op, Planner& planner);
void plan(const ops::Activation& op, Planner& planner);
void plan(const ops::Prelu& op, Planner& planner);

// matmul.cpp
void plan(const compiler::BatchGemm& op, Planner& planner);

// shape.cpp
void plan(const compiler::Copy& op, Planner& planner);
void plan(const compiler::Repack& op, Planner& planner);
void plan(const ops::Reshape& op, Planner& planner);

}  // namespace webnn::webgpu
