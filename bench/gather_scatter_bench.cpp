#include "bench_graph.h"

namespace webnn::bench {

void addGatherScatter() {
  add(
      "gather/embedding/30522x384",
      [](Maker& m) {
        return m.builder.gather(m.weights({30522, 384}), m.input({1, 128}, DataType::int64));
      },
      false);
  add("gather/columns/512x512", [](Maker& m) {
    return m.builder.gather(m.input({512, 512}), m.input({256}, DataType::int32), {.axis = 1});
  });
  add("gatherElements/512x512", [](Maker& m) {
    return m.builder.gatherElements(m.input({512, 512}), m.input({256, 512}, DataType::int32));
  });
  add("scatterND/512x512", [](Maker& m) {
    return m.builder.scatterND(m.input({512, 512}), m.input({64, 1}, DataType::int32), m.input({64, 512}));
  });
}

}  // namespace webnn::bench
