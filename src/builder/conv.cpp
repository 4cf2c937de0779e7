#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn {

Operand GraphBuilder::conv2d(Operand input, Operand filter, Conv2dOptions options) {
  return appendOne(ops::Conv2d{std::move(input), std::move(filter), std::move(options)});
}

Operand GraphBuilder::convTranspose2d(Operand input, Operand filter, ConvTranspose2dOptions options) {
  return appendOne(ops::ConvTranspose2d{std::move(input), std::move(filter), std::move(options)});
}

}  // namespace webnn
