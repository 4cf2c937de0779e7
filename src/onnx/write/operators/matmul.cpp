#include "onnx/write/dataflow.h"
#include "onnx/write/operators/families.h"

namespace webnn::onnx {

namespace {

OnnxValue scaled(const OnnxValue& value, double factor, Exporter& out) {
  return factor == 1 ? value : out.add("Mul", {value, out.scalar(value.type, factor)});
}

// Fences a float16 factor that may come from a transpose that moves the first dimension: ONNX Runtime 1.31 crashes when it
// merges the transpose with the product.
OnnxValue factor(const Operand& operand, const OnnxValue& value, Exporter& out) {
  const bool isMoved = out.dataflow().mayComeFrom(operand, Dataflow::Origin::transposedBatch);
  return operand.rank() > 2 && operand.dataType() == DataType::float16 && isMoved ? out.fenced(value) : value;
}

}  // namespace

void toOnnx(const ops::Matmul& op, Exporter& out) {
  out.set(0, out.add("MatMul", {factor(op.a, multiplicand(op.a, op.b, out), out), factor(op.b, out[op.b], out)}));
}

void toOnnx(const ops::Gemm& op, Exporter& out) {
  const auto& options = op.options;
  if (options.alpha != 0 && (options.beta != 0 || !options.c)) {
    return out.set(0, out.add("Gemm", {multiplicand(op.a, op.b, out), out[op.b], out[options.c]},
                              {{"alpha", static_cast<float>(options.alpha)},
                               {"beta", static_cast<float>(options.beta)},
                               {"transA", std::int64_t{options.aTranspose}},
                               {"transB", std::int64_t{options.bTranspose}}}));
  }
  // If alpha or beta is 0, runtimes skip the product or c, but WebNN's 0 * NaN is NaN. So multiply by the factors explicitly.
  const std::vector<std::uint32_t> swap{1, 0};
  const OnnxValue multiplied = multiplicand(op.a, op.b, out);
  const OnnxValue a = options.aTranspose ? out.transpose(multiplied, swap) : multiplied;
  const OnnxValue b = options.bTranspose ? out.transpose(out[op.b], swap) : out[op.b];
  const OnnxValue product = scaled(out.add("MatMul", {a, b}), options.alpha, out);
  out.set(0, options.c ? out.add("Add", {product, scaled(out[options.c], options.beta, out)}) : product);
}

}  // namespace webnn::onnx
