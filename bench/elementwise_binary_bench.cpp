#include "bench_graph.h"

namespace webnn::bench {

void addElementwiseBinary() {
  const Shape image{1, 256, 56, 56}, rows{128, 768};
  add("add/" + text(image), [=](Maker& m) { return m.builder.add(m.input(image), m.input(image)); });
  add("add/channels/" + text(image), [=](Maker& m) { return m.builder.add(m.input(image), m.weights({256, 1, 1})); });
  add("mul/rows/" + text(rows), [=](Maker& m) { return m.builder.mul(m.input(rows), m.weights({768})); });
  add("add/float16/" + text(image),
      [=](Maker& m) { return m.builder.add(m.input(image, DataType::float16), m.input(image, DataType::float16)); });
  add("add/int64/" + text(rows),
      [=](Maker& m) { return m.builder.add(m.input(rows, DataType::int64), m.input(rows, DataType::int64)); });
  add("pow/" + text(rows), [=](Maker& m) { return m.builder.pow(m.input(rows), m.input(rows)); });
  add("greater/" + text(rows), [=](Maker& m) { return m.builder.greater(m.input(rows), m.input(rows)); });
}

}  // namespace webnn::bench
