#include "bench_graph.h"

namespace webnn::bench {

namespace {

struct Size {
  std::uint32_t m, n, k;
};

constexpr Size kSizes[] = {{1024, 1024, 1024}, {128, 768, 768}, {128, 3072, 768}, {128, 768, 3072}, {128, 384, 384},
                           {1, 2048, 2048},    {1, 1000, 1280}, {1, 4096, 4096},  {8, 768, 768},    {33, 65, 127}};

std::string nameOf(const Size& size) { return text({size.m, size.n, size.k}); }

}  // namespace

void addMatmul() {
  for (const Size& s : kSizes) {
    add("matmul/" + nameOf(s), [s](Maker& m) { return m.builder.matmul(m.input({s.m, s.k}), m.weights({s.k, s.n})); });
    add("gemm/bTranspose/" + nameOf(s), [s](Maker& m) {
      GemmOptions options;
      options.c = m.weights({s.n});
      options.bTranspose = true;
      return m.builder.gemm(m.input({s.m, s.k}), m.weights({s.n, s.k}), options);
    });
  }
  for (const Size& s : {kSizes[0], kSizes[1]}) {
    add("matmul/bothInputs/" + nameOf(s), [s](Maker& m) { return m.builder.matmul(m.input({s.m, s.k}), m.input({s.k, s.n})); });
    add("matmul/float16/" + nameOf(s), [s](Maker& m) {
      return m.builder.matmul(m.input({s.m, s.k}, DataType::float16), m.weights({s.k, s.n}, DataType::float16));
    });
  }
  add("matmul/heads/12x128x64x128", [](Maker& m) { return m.builder.matmul(m.input({12, 128, 64}), m.input({12, 64, 128})); });
}

}  // namespace webnn::bench
