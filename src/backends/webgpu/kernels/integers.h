// Writes WGSL expressions for integer arithmetic of all integer types.
#pragma once

#include "backends/webgpu/shaders/shader.h"
#include "ops/elementwise_binary.h"

namespace webnn::webgpu {

bool isWide(DataType type);  // int64 or uint64

// Returns the lane in which kernels compute on a type. 64-bit integers are pairs of words: Lane::bits.
Lane arithmeticLane(DataType type);

// Returns an expression of the lane's type for an operation on the expressions a and b, or of type bool for comparisons and
// logical operations. Integers wrap; x / 0 is 0; quotients and powers are truncated.
std::string integerOperation(Shader& shader, ops::BinaryKind kind, DataType type, const std::string& a, const std::string& b);

// Returns an integer as an expression of the lane's type. `number` must be in the range of the type.
std::string integerLiteral(const Number& number, DataType type);

}  // namespace webnn::webgpu
