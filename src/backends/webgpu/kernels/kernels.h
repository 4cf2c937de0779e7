// The kernels: for each operation, a function that appends the dispatches which compute a node. Each family has a file of this
// directory with the family's name (src/ops), and its rows in support.cpp.
#pragma once

#include "backends/webgpu/kernels/planner.h"

namespace webnn::webgpu {

// activation.cpp
void plan(const ops::Softmax& op, Planner& planner);
// Declares `fn reduceNAME(v: f32, thread: u32) -> f32`, which combines the values of all `size` threads of a workgroup by the
// WGSL expression `combined` of a and b. All threads must call it, and get the same result. `size` is a power of two.
void declareGroupReduction(Shader& shader, std::string_view name, std::uint32_t size, std::string_view combined);
// Returns a number of threads, a power of two, for a workgroup that works on `count` elements.
std::uint32_t threadsFor(std::uint32_t count);

// attention.cpp
void plan(const compiler::Attention& op, Planner& planner);

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

// gather_scatter.cpp
void plan(const ops::Gather& op, Planner& planner);
void plan(const ops::GatherElements& op, Planner& planner);
void plan(const ops::GatherND& op, Planner& planner);

// matmul.cpp
void plan(const compiler::BatchGemm& op, Planner& planner);
void plan(const ops::Gemm& op, Planner& planner);

// quantize.cpp
void plan(const ops::DequantizeLinear& op, Planner& planner);
void plan(const ops::QuantizeLinear& op, Planner& planner);

// shape.cpp
void plan(const compiler::Copy& op, Planner& planner);
void plan(const compiler::Repack& op, Planner& planner);
void plan(const ops::Concat& op, Planner& planner);
void plan(const ops::Expand& op, Planner& planner);
void plan(const ops::Pad& op, Planner& planner);
void plan(const ops::Reshape& op, Planner& planner);
void plan(const ops::Reverse& op, Planner& planner);
void plan(const ops::Slice& op, Planner& planner);
void plan(const ops::Split& op, Planner& planner);
void plan(const ops::Tile& op, Planner& planner);
void plan(const ops::Transpose& op, Planner& planner);
void plan(const ops::Triangular& op, Planner& planner);

}  // namespace webnn::webgpu
