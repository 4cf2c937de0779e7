#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn {

Operand GraphBuilder::resample2d(Operand input, Resample2dOptions options) {
  return appendOne(ops::Resample2d{std::move(input), std::move(options)});
}

}  // namespace webnn
