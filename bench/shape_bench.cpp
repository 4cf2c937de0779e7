#include "bench_graph.h"

namespace webnn::bench {

void addShape() {
  const Shape heads{1, 128, 12, 64}, image{1, 64, 112, 112}, half{1, 32, 128, 128};
  const auto transposed = [](const Shape& shape, std::vector<std::uint32_t> permutation) {
    return [=](Maker& m) {
      TransposeOptions options;
      options.permutation = permutation;
      return m.builder.transpose(m.input(shape), options);
    };
  };
  add("transpose/0213/" + text(heads), transposed(heads, {0, 2, 1, 3}));
  add("transpose/0231/" + text(image), transposed(image, {0, 2, 3, 1}));
  add("transpose/10/1024x1024", transposed({1024, 1024}, {1, 0}));
  add("concat/1/" + text(half), [=](Maker& m) { return m.builder.concat({m.input(half), m.input(half)}, 1); });
  add("slice/" + text(image), [=](Maker& m) { return m.builder.slice(m.input(image), {0, 0, 1, 1}, {1, 64, 110, 110}); });
  add("pad/" + text(image), [=](Maker& m) { return m.builder.pad(m.input(image), {0, 0, 1, 1}, {0, 0, 1, 1}); });
  add("expand/" + text(image), [=](Maker& m) { return m.builder.expand(m.input({1, 64, 1, 1}), image); });
  add("where/" + text(image),
      [=](Maker& m) { return m.builder.where(m.input(image, DataType::uint8), m.input(image), m.input(image)); });
}

}  // namespace webnn::bench
