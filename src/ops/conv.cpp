#include "ops/conv.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

constexpr OperationRow kConv2dRows[] = {
    {"conv2d", "2-D convolution", "dom-mlgraphbuilder-conv2d",
     {operand("input", kFloats, rank(4)),
      like("filter", "input").ofRank(rank(4)),
      like("bias", "input").ofRank(rank(1)),
      output(like("output", "input").ofRank(rank(4)))}},
};

constexpr OperationRow kConvTranspose2dRows[] = {
    {"convTranspose2d", "2-D transposed convolution", "dom-mlgraphbuilder-convtranspose2d",
     {operand("input", kFloats, rank(4)),
      like("filter", "input").ofRank(rank(4)),
      like("bias", "input").ofRank(rank(1)),
      output(like("output", "input").ofRank(rank(4)))}},
};

}  // namespace

std::span<const OperationRow> Conv2d::rows() { return kConv2dRows; }
std::span<const OperationRow> ConvTranspose2d::rows() { return kConvTranspose2dRows; }

Outputs infer(Conv2d& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(ConvTranspose2d& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::ops

namespace webnn {

Operand GraphBuilder::conv2d(Operand input, Operand filter, Conv2dOptions options) {
  return appendOne(ops::Conv2d{std::move(input), std::move(filter), std::move(options)});
}

Operand GraphBuilder::convTranspose2d(Operand input, Operand filter, ConvTranspose2dOptions options) {
  return appendOne(ops::ConvTranspose2d{std::move(input), std::move(filter), std::move(options)});
}

}  // namespace webnn
