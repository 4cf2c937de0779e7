#include "ops/matmul.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

constexpr OperationRow kMatmulRows[] = {
    {"matmul", "Matrix products, broadcast over leading dimensions", "dom-mlgraphbuilder-matmul",
     {operand("a", kFloats, rankFrom(2)),
      like("b", "a").ofRank(rankFrom(2)),
      output(like("output", "a").ofRank(rankFrom(2)))}},
};

constexpr OperationRow kGemmRows[] = {
    {"gemm", "alpha * a * b + beta * c", "dom-mlgraphbuilder-gemm",
     {operand("a", kFloats, rank(2)),
      like("b", "a").ofRank(rank(2)),
      like("c", "a").ofRank(RankRange{0, 2}),
      output(like("output", "a").ofRank(rank(2)))}},
};

}  // namespace

std::span<const OperationRow> Matmul::rows() { return kMatmulRows; }
std::span<const OperationRow> Gemm::rows() { return kGemmRows; }

Outputs infer(Matmul& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(Gemm& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::ops

namespace webnn {

Operand GraphBuilder::matmul(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Matmul{std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::gemm(Operand a, Operand b, GemmOptions options) {
  return appendOne(ops::Gemm{std::move(a), std::move(b), std::move(options)});
}

}  // namespace webnn
