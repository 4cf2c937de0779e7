#include "ops/resample.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

constexpr OperationRow kResample2dRows[] = {
    {"resample2d", "Resamples two dimensions", "dom-mlgraphbuilder-resample2d",
     {operand("input", kFloats | DataTypeSet{DataType::uint8, DataType::int8}, rank(4)),
      output(like("output", "input").ofRank(rank(4)))}},
};

}  // namespace

std::span<const OperationRow> Resample2d::rows() { return kResample2dRows; }

Outputs infer(Resample2d& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::ops

namespace webnn {

Operand GraphBuilder::resample2d(Operand input, Resample2dOptions options) {
  return appendOne(ops::Resample2d{std::move(input), std::move(options)});
}

}  // namespace webnn
