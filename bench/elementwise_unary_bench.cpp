#include "bench_graph.h"

namespace webnn::bench {

void addElementwiseUnary() {
  const Shape rows{128, 3072};
  add("exp/" + text(rows), [=](Maker& m) { return m.builder.exp(m.input(rows)); });
  add("erf/" + text(rows), [=](Maker& m) { return m.builder.erf(m.input(rows)); });
  add("log/" + text(rows), [=](Maker& m) { return m.builder.log(m.input(rows)); });
  add("sin/" + text(rows), [=](Maker& m) { return m.builder.sin(m.input(rows)); });
  add("sqrt/" + text(rows), [=](Maker& m) { return m.builder.sqrt(m.input(rows)); });
  add("cast/float32to16/" + text(rows), [=](Maker& m) { return m.builder.cast(m.input(rows), DataType::float16); });
  add("cast/int64toFloat32/" + text(rows),
      [=](Maker& m) { return m.builder.cast(m.input(rows, DataType::int64), DataType::float32); });
}

}  // namespace webnn::bench
