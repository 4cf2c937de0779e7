// Which epilogues the kernels of products and convolutions take.
#pragma once

#include "cpu/operations.h"

namespace webnn::cpu {

// Whether the operation, with the epilogue that it has, can be planned; `output` is its result.
bool canFuse(const Product& op, const OperandDescriptor& output);
bool canFuse(const Convolution& op, const OperandDescriptor& output);

}  // namespace webnn::cpu
