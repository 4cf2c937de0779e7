#include "ops/matmul.h"

#include <algorithm>

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

constinit const OperationRow Matmul::rows[] = {
    {"matmul",
     "Multiplies matrices; leading dimensions are broadcast",
     {operand("a", kFloats, rankFrom(2)), like("b", "a").ofRank(rankFrom(2)), output(like("output", "a").ofRank(rankFrom(2)))}},
};

constinit const OperationRow Gemm::rows[] = {
    {"gemm",
     "alpha * a * b + beta * c",
     {operand("a", kFloats, rank(2)), like("b", "a").ofRank(rank(2)), like("c", "a").ofRank(RankRange{0, 2}),
      output(like("output", "a").ofRank(rank(2)))}},
};

Outputs infer(Matmul& op) {
  const Shape &a = op.a.shape(), &b = op.b.shape();
  const std::uint32_t columns = a.back(), rows = b[b.size() - 2];
  if (!canEqual(Size(columns), Size(rows))) {
    fail(op, ErrorKind::typeError,
         "Incompatible shapes for matmul of {} and {}: columns of a ({}) are not equal to rows of b ({}).", toString(a),
         toString(b), Size(columns).text(), Size(rows).text());
  }
  Shape shape = broadcastShape(op, "a batch", Shape(a.begin(), a.end() - 2), "b batch", Shape(b.begin(), b.end() - 2));
  shape.push_back(a[a.size() - 2]);
  shape.push_back(b.back());
  return {{op.a.dataType(), std::move(shape)}};
}

Outputs infer(Gemm& op) {
  auto& [c, alpha, beta, aTranspose, bTranspose, label] = op.options;
  alpha = cast(alpha, op.a.dataType()).toDouble();
  beta = cast(beta, op.a.dataType()).toDouble();
  Shape a = op.a.shape(), b = op.b.shape();
  if (aTranspose) std::ranges::reverse(a);
  if (bTranspose) std::ranges::reverse(b);
  if (!canEqual(Size(a[1]), Size(b[0]))) {
    fail(op, ErrorKind::typeError, "columns of a{} ({}) are not equal to rows of b{} ({}).", aTranspose ? ", transposed," : "",
         Size(a[1]).text(), bTranspose ? ", transposed," : "", Size(b[0]).text());
  }
  Shape shape{a[0], b[1]};
  require(!c || isUnidirectionallyBroadcastable(c->shape(), shape), op, "c shape {} is not unidirectionally broadcastable to {}.",
          c ? toString(c->shape()) : "", toString(shape));
  return {{op.a.dataType(), std::move(shape)}};
}

}  // namespace webnn::ops
