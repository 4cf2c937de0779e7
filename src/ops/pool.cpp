#include "ops/pool.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

constexpr OperationRow kPool2dRows[] = {
    {"averagePool2d", "The mean of each window", "dom-mlgraphbuilder-averagepool2d",
     {operand("input", kFloats, rank(4)),
      output(like("output", "input").ofRank(rank(4)))}},
    {"l2Pool2d", "The L2 norm of each window", "dom-mlgraphbuilder-l2pool2d",
     {operand("input", kFloats, rank(4)),
      output(like("output", "input").ofRank(rank(4)))}},
    {"maxPool2d", "The greatest value of each window", "dom-mlgraphbuilder-maxpool2d",
     {operand("input", kAny, rank(4)),
      output(like("output", "input").ofRank(rank(4)))}},
};

}  // namespace

std::span<const OperationRow> Pool2d::rows() { return kPool2dRows; }

Outputs infer(Pool2d& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::ops

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
