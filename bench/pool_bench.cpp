#include "bench_graph.h"

namespace webnn::bench {

void addPool() {
  const Shape image{1, 64, 112, 112}, last{1, 112, 112, 64};
  const auto options = [](std::uint32_t window, std::uint32_t stride, std::uint32_t pad) {
    Pool2dOptions pool;
    pool.windowDimensions = {window, window};
    pool.strides = {stride, stride};
    pool.padding = {pad, pad, pad, pad};
    return pool;
  };
  add("maxPool2d/3x3s2/" + text(image), [=](Maker& m) { return m.builder.maxPool2d(m.input(image), options(3, 2, 1)); });
  add("maxPool2d/2x2s2/" + text(image), [=](Maker& m) { return m.builder.maxPool2d(m.input(image), options(2, 2, 0)); });
  add("maxPool2d/3x3s2/nhwc/" + text(last), [=](Maker& m) {
    Pool2dOptions pool = options(3, 2, 1);
    pool.layout = InputOperandLayout::nhwc;
    return m.builder.maxPool2d(m.input(last), pool);
  });
  add("averagePool2d/3x3s1/" + text(image), [=](Maker& m) { return m.builder.averagePool2d(m.input(image), options(3, 1, 1)); });
  add("averagePool2d/all/1x2048x7x7", [](Maker& m) { return m.builder.averagePool2d(m.input({1, 2048, 7, 7})); });
}

}  // namespace webnn::bench
