#include "bench_graph.h"

namespace webnn::bench {

void addResample() {
  const Shape image{1, 32, 128, 128};
  for (const auto mode : {InterpolationMode::nearestNeighbor, InterpolationMode::linear}) {
    const std::string name = mode == InterpolationMode::linear ? "linear" : "nearest";
    add("resample2d/" + name + "/x2/" + text(image), [=](Maker& m) {
      Resample2dOptions options;
      options.mode = mode;
      options.scales = {2, 2};
      return m.builder.resample2d(m.input(image), options);
    });
  }
}

}  // namespace webnn::bench
