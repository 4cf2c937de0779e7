#include "bench_graph.h"

namespace webnn::bench {

namespace {

Operand scale(Maker& m, float value, Shape shape) {
  return m.builder.constant<float>({DataType::float32, std::move(shape)}, {value});
}

Operand zero(Maker& m, DataType type, Shape shape) {
  const OperandDescriptor descriptor{type, std::move(shape)};
  return m.builder.constant(descriptor, std::vector<std::byte>(byteLength(descriptor)));
}

Operand dequantized(Maker& m, const Operand& x) {
  return m.builder.dequantizeLinear(x, scale(m, 0.01F, {1, 1}), zero(m, x.dataType(), {1, 1}));
}

}  // namespace

void addQuantize() {
  const Shape rows{128, 3072};
  add("quantizeLinear/" + text(rows), [=](Maker& m) {
    return m.builder.quantizeLinear(m.input(rows), scale(m, 0.01F, {1, 1}), zero(m, DataType::uint8, {1, 1}));
  });
  add("dequantizeLinear/" + text(rows), [=](Maker& m) { return dequantized(m, m.input(rows, DataType::uint8)); });
  add("quantizedMatmul/1024x1024x1024", [](Maker& m) {
    const Operand a = dequantized(m, m.input({1024, 1024}, DataType::uint8)),
                  b = dequantized(m, m.weights({1024, 1024}, DataType::int8));
    return m.builder.quantizeLinear(m.builder.matmul(a, b), scale(m, 1, {1, 1}), zero(m, DataType::uint8, {1, 1}));
  });
}

}  // namespace webnn::bench
