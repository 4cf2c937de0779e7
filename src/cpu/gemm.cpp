#include "cpu/gemm.h"

#include <algorithm>
#include <vector>

namespace webnn::cpu {

std::size_t packedBytes(Isa, std::size_t k, std::size_t n) { return k * n * sizeof(float); }

void packB(Isa, std::size_t k, std::size_t n, const float* b, std::size_t rowStride, std::size_t columnStride,
           std::byte* packed) {
  auto* to = reinterpret_cast<float*>(packed);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < n; ++j) to[i * n + j] = b[i * rowStride + j * columnStride];
  }
}

std::size_t gemmScratch(Isa, std::size_t, std::size_t, std::size_t k, unsigned threads) { return threads * k * sizeof(float); }

void gemm(Isa, Team& team, const Gemm& product) {
  const auto* b = reinterpret_cast<const float*>(product.b);
  team.forEach(product.m, [&](std::size_t row, unsigned worker) {
    const float* a = product.a.data + row * product.a.rowStride;
    if (product.a.gather) {
      float* rows = reinterpret_cast<float*>(product.scratch) + worker * product.k;
      product.a.gather(product.a.context, row, 1, 0, product.k, rows, product.k);
      a = rows;
    }
    float* c = product.c + row * product.cPitch;
    for (std::size_t j = 0; j < product.n; ++j) {
      float sum = 0;
      for (std::size_t i = 0; i < product.k; ++i) sum += a[i] * b[i * product.n + j];
      if (product.epilogue.bias) sum += product.epilogue.bias[j];
      if (product.epilogue.clamps)
        sum = sum < product.epilogue.minimum   ? product.epilogue.minimum
              : sum > product.epilogue.maximum ? product.epilogue.maximum
                                               : sum;
      c[j] = sum;
    }
    if (product.epilogue.finish)
      product.epilogue.finish(product.epilogue.context, row, 1, 0, product.n, c, product.cPitch, worker);
  });
}

}  // namespace webnn::cpu
