#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn {

Operand GraphBuilder::matmul(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Matmul{std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::gemm(Operand a, Operand b, GemmOptions options) {
  return appendOne(ops::Gemm{std::move(a), std::move(b), std::move(options)});
}

}  // namespace webnn
