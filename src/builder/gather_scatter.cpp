#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn {

Operand GraphBuilder::gather(Operand input, Operand indices, GatherOptions options) {
  return appendOne(ops::Gather{std::move(input), std::move(indices), std::move(options)});
}

Operand GraphBuilder::gatherElements(Operand input, Operand indices, GatherOptions options) {
  return appendOne(ops::GatherElements{std::move(input), std::move(indices), std::move(options)});
}

Operand GraphBuilder::gatherND(Operand input, Operand indices, OperatorOptions options) {
  return appendOne(ops::GatherND{std::move(input), std::move(indices), std::move(options)});
}

Operand GraphBuilder::scatterElements(Operand input, Operand indices, Operand updates, ScatterOptions options) {
  return appendOne(ops::ScatterElements{std::move(input), std::move(indices), std::move(updates), std::move(options)});
}

Operand GraphBuilder::scatterND(Operand input, Operand indices, Operand updates, OperatorOptions options) {
  return appendOne(ops::ScatterND{std::move(input), std::move(indices), std::move(updates), std::move(options)});
}

}  // namespace webnn
