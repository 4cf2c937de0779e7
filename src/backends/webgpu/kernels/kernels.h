// For each operation, plan() appends the dispatches that compute a node. Each family of operations (src/ops) has a file of the
// same name in this directory, except that elementwise.cpp has both families of element-wise operations.
#pragma once

#include <optional>

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

// conv.cpp
void plan(const compiler::Convolution& op, Planner& planner);
void plan(const ops::ConvTranspose2d& op, Planner& planner);
// Plans output [rows, columns] = input [rows, depth] * transpose(weights [columns, depth]) + bias [columns]. The operands may
// have other shapes with the same elements.
void planRowProducts(const Operand& input, const Operand& weights, const std::optional<Operand>& bias, std::uint32_t depth,
                     const Operand& output, Planner& planner);

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
void plan(const ops::ScatterElements& op, Planner& planner);
void plan(const ops::ScatterND& op, Planner& planner);

// matmul.cpp
void plan(const compiler::BatchGemm& op, Planner& planner);
void plan(const ops::Gemm& op, Planner& planner);

// pool.cpp
void plan(const ops::Pool2d& op, Planner& planner);
// Throws NotSupportedError unless the sizes and positions along an axis of a sliding window are below 2^30.
void requireSmall(const ops::WindowAxis& axis, std::uint64_t resultSize);

// normalization.cpp
void plan(const ops::BatchNormalization& op, Planner& planner);
void plan(const ops::InstanceNormalization& op, Planner& planner);
void plan(const ops::LayerNormalization& op, Planner& planner);
void plan(const compiler::RowNormalization& op, Planner& planner);
void plan(const compiler::WrittenNormalization& op, Planner& planner);

// quantize.cpp
void plan(const ops::DequantizeLinear& op, Planner& planner);
void plan(const ops::QuantizeLinear& op, Planner& planner);

// recurrent.cpp
void plan(const ops::Gru& op, Planner& planner);
void plan(const ops::GruCell& op, Planner& planner);
void plan(const ops::Lstm& op, Planner& planner);
void plan(const ops::LstmCell& op, Planner& planner);

// resample.cpp
void plan(const ops::Resample2d& op, Planner& planner);

// reduce.cpp
void plan(const ops::Reduce& op, Planner& planner);
void plan(const ops::ArgMinMax& op, Planner& planner);
void plan(const ops::CumulativeSum& op, Planner& planner);

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
