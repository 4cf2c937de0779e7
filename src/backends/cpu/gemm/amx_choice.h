// Which matrix products are computed on the tiles of AMX, and which with the vectors of AVX-512.
//
// The choice follows from the sizes and the kind of numbers alone, never from a measurement at run time or the number of threads:
// tiles and vectors round differently, and a graph has the same results in every run and with any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "backends/cpu/runtime/isa.h"
#include "backends/cpu/runtime/precision.h"

namespace webnn::cpu {

// What a product multiplies: float32, float16 in both operands, 8-bit integers, or floats and halves rounded to bfloat16.
enum class ProductType : std::uint8_t { floats, halves, bytes, bf16 };

// A product of an m x k matrix and a k x n matrix.
struct Product {
  ProductType type = ProductType::floats;
  std::size_t m = 0, n = 0, k = 0;
};

// The product of floats or halves as it is computed at a precision: of bfloat16, but for few columns, where rounding `a` takes
// longer than products of bfloat16 save.
Product atPrecision(Product product, Precision precision);

// The least sizes of a product that Isa::amx computes on tiles.
struct LeastProduct {
  std::size_t m = 0, n = 0, k = 0;
};
LeastProduct leastOnTiles(ProductType type);

// The instruction set whose kernels compute the product in a plan for `isa`: with Isa::amx, AVX-512 where tiles do not pay; with
// Isa::amxAlways and Isa::amxEmulated, tiles for every product that has a k.
Isa kernelIsa(Isa isa, const Product& product);

// Which kernels compute it and why, for the description of a step: "avx512, tiles from 1024x256x256", "avx512 bf16". Levels that
// leave no choice have no reason.
std::string kernelText(Isa isa, const Product& product);

}  // namespace webnn::cpu
