#include "bench_graph.h"

namespace webnn::bench {

void addActivation() {
  const Shape rows{128, 3072}, image{1, 96, 112, 112};
  add("relu/" + text(image), [=](Maker& m) { return m.builder.relu(m.input(image)); });
  add("hardSwish/" + text(image), [=](Maker& m) { return m.builder.hardSwish(m.input(image)); });
  add("sigmoid/" + text(rows), [=](Maker& m) { return m.builder.sigmoid(m.input(rows)); });
  add("tanh/" + text(rows), [=](Maker& m) { return m.builder.tanh(m.input(rows)); });
  add("gelu/" + text(rows), [=](Maker& m) { return m.builder.gelu(m.input(rows)); });
  // GELU as ONNX exporters decompose it: 0.5 * x * (1 + erf(x / sqrt(2))).
  add("geluChain/" + text(rows), [=](Maker& m) {
    GraphBuilder& b = m.builder;
    const auto number = [&](float value) { return b.constant<float>({DataType::float32, {1}}, {value}); };
    const Operand x = m.input(rows);
    return b.mul(b.mul(x, b.add(b.erf(b.div(x, number(1.41421356F))), number(1))), number(0.5F));
  });
  for (const Shape& shape : {Shape{12, 128, 128}, Shape{1, 1000}, Shape{1, 21, 256, 256}}) {
    const auto axis = static_cast<std::uint32_t>(shape.size() == 4 ? 1 : shape.size() - 1);
    add("softmax/" + text(shape) + "/axis:" + std::to_string(axis),
        [=](Maker& m) { return m.builder.softmax(m.input(shape), axis); });
  }
}

}  // namespace webnn::bench
