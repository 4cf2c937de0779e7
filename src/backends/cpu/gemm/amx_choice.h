// Chooses between AMX tiles and AVX-512 vectors for matrix products.
// For a given instruction set, the choice depends only on sizes and element type, never on a measurement at run time or the
// number of threads. Tiles and vectors round differently, and a graph must give the same results in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "backends/cpu/runtime/isa.h"
#include "backends/cpu/runtime/precision.h"

namespace webnn::cpu {

// Element types of a product: float32, float16 (both operands), 8-bit integers, or float32 or float16 values rounded to
// bfloat16.
enum class ProductType : std::uint8_t { floats, halves, bytes, bf16 };

// A product of an m x k matrix and a k x n matrix.
struct Product {
  ProductType type = ProductType::floats;
  std::size_t m = 0, n = 0, k = 0;
};

// Returns the product with type bf16 if `precision` asks for bfloat16. Products of few columns keep their type, because rounding
// matrix A would take longer than bfloat16 saves.
Product atPrecision(Product product, Precision precision);

// The minimum sizes of a product for which Isa::amx uses tiles.
struct LeastProduct {
  std::size_t m = 0, n = 0, k = 0;
};
LeastProduct leastOnTiles(ProductType type);

// Returns the instruction set whose kernels compute the product in a plan for `isa`. Isa::amx gives AVX-512 for products that
// tiles do not speed up. Isa::amxAlways and Isa::amxEmulated give tiles for every product with k > 0.
Isa kernelIsa(Isa isa, const Product& product);

// Returns the kernels' name for a step's description, such as "avx512 bf16". With Isa::amx it includes the minimum sizes for
// tiles, if any: "avx512, tiles from 64x64x64".
std::string kernelText(Isa isa, const Product& product);

}  // namespace webnn::cpu
