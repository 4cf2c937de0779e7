#include "coreml/compose.h"
#include "coreml/families.h"

namespace webnn::coreml {

namespace {

MilValue scaled(const MilValue& x, double factor, MilBuilder& out) {
  return factor == 1 ? x : binary("mul", x, out.scalar(x.type, factor), out);
}

// Merges the batch dimensions into one if the rank is above 5.
MilValue batched(const MilValue& x, const Shape& from, const Shape& product, MilBuilder& out) {
  if (product.size() <= kMaxMilRank) return x;
  Shape to(product.begin(), product.end() - 2);
  to.insert(to.end(), from.end() - 2, from.end());
  const std::uint32_t count = countOf({to.begin(), to.end() - 2});
  return reshape(expanded(x, from, to, out), {count, from[from.size() - 2], from.back()}, out);
}

}  // namespace

void toMil(const ops::Matmul& op, MilBuilder& out) {
  const Shape& product = out.output().shape();
  out.set(0, matmul(batched(out[op.a], op.a.shape(), product, out), batched(out[op.b], op.b.shape(), product, out), false, false,
                    out));
}

void toMil(const ops::Gemm& op, MilBuilder& out) {
  MilValue y = scaled(matmul(out[op.a], out[op.b], op.options.aTranspose, op.options.bTranspose, out), op.options.alpha, out);
  if (op.options.c) y = binary("add", y, scaled(out[*op.options.c], op.options.beta, out), out);
  out.set(0, y);
}

}  // namespace webnn::coreml
