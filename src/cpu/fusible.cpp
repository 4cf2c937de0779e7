#include "cpu/fusible.h"

namespace webnn::cpu {

namespace {

bool takesAny(const Epilogue&, const OperandDescriptor& output) { return output.dataType == DataType::float32; }

}  // namespace

bool canFuse(const Product& op, const OperandDescriptor& output) {
  return op.outputPermutation.empty() && takesAny(op.epilogue, output);
}
bool canFuse(const Convolution& op, const OperandDescriptor& output) { return takesAny(op.epilogue, output); }

}  // namespace webnn::cpu
