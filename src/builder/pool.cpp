#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn {

Operand GraphBuilder::averagePool2d(Operand input, Pool2dOptions options) {
  return appendOne(ops::Pool2d{ops::Pool2dKind::averagePool2d, std::move(input), std::move(options)});
}

Operand GraphBuilder::l2Pool2d(Operand input, Pool2dOptions options) {
  return appendOne(ops::Pool2d{ops::Pool2dKind::l2Pool2d, std::move(input), std::move(options)});
}

Operand GraphBuilder::maxPool2d(Operand input, Pool2dOptions options) {
  return appendOne(ops::Pool2d{ops::Pool2dKind::maxPool2d, std::move(input), std::move(options)});
}

}  // namespace webnn
