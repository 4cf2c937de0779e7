#include "bench_graph.h"

namespace webnn::bench {

void addReduce() {
  const Shape image{1, 256, 56, 56}, rows{128, 3072};
  add("reduceMean/last/" + text(rows), [=](Maker& m) { return m.builder.reduceMean(m.input(rows), {.axes = {{1}}}); });
  add("reduceSum/first/" + text(rows), [=](Maker& m) { return m.builder.reduceSum(m.input(rows), {.axes = {{0}}}); });
  add("reduceMean/spatial/" + text(image), [=](Maker& m) { return m.builder.reduceMean(m.input(image), {.axes = {{2, 3}}}); });
  add("reduceMax/all/" + text(image), [=](Maker& m) { return m.builder.reduceMax(m.input(image)); });
  add("reduceLogSumExp/last/" + text(rows), [=](Maker& m) { return m.builder.reduceLogSumExp(m.input(rows), {.axes = {{1}}}); });
  add("argMax/last/" + text(rows), [=](Maker& m) { return m.builder.argMax(m.input(rows), 1); });
  add("cumulativeSum/last/" + text(rows), [=](Maker& m) { return m.builder.cumulativeSum(m.input(rows), 1); });
}

}  // namespace webnn::bench
