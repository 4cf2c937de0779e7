#include "bench_graph.h"

namespace webnn::bench {

void addNormalization() {
  for (const Shape& shape : {Shape{1, 128, 768}, Shape{1, 128, 384}}) {
    add("layerNormalization/" + text(shape), [=](Maker& m) {
      LayerNormalizationOptions options;
      options.scale = m.weights({shape[2]});
      options.bias = m.weights({shape[2]});
      options.axes = {2};
      return m.builder.layerNormalization(m.input(shape), options);
    });
  }
  const Shape image{1, 64, 56, 56};
  add("batchNormalization/" + text(image),
      [=](Maker& m) { return m.builder.batchNormalization(m.input(image), m.weights({64}), m.weights({64})); });
  add("instanceNormalization/" + text(image), [=](Maker& m) { return m.builder.instanceNormalization(m.input(image)); });
}

}  // namespace webnn::bench
