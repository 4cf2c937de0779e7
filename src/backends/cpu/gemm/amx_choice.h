// Chooses between AMX tiles and AVX-512 vectors for matrix products.
// The choice depends only on sizes and element type, never on a measurement at run time or the number of threads: tiles and
// vectors round differently, and a graph must have the same results in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "backends/cpu/runtime/isa.h"
#include "backends/cpu/runtime/precision.h"

namespace webnn::cpu {

// The element types of a product: float32, float16 in both operands, 8-bit integers, or floats and halves rounded to bfloat16.
enum class ProductType : std::uint8_t { floats, halves, bytes, bf16 };

// A product of an m x k matrix and a k x n matrix.
struct Product {
  ProductType type = ProductType::floats;
  std::size_t m = 0, n = 0, k = 0;
};

// Returns the product as computed at a precision: in bfloat16, unless there are so few columns that rounding `a` takes longer
// than bfloat16 saves.
Product atPrecision(Product product, Precision precision);

// The least sizes of a product that Isa::amx computes on tiles.
struct LeastProduct {
  std::size_t m = 0, n = 0, k = 0;
};
LeastProduct leastOnTiles(ProductType type);

// Returns the instruction set whose kernels compute the product in a plan for `isa`. With Isa::amx, this is AVX-512 for products
// that tiles do not speed up; with Isa::amxAlways and Isa::amxEmulated, tiles compute every product with k > 0.
Isa kernelIsa(Isa isa, const Product& product);

// Returns the product's kernels and the reason for them, for a step's description: "avx512, tiles from 1024x256x256", "avx512
// bf16". Levels without a choice have no reason.
std::string kernelText(Isa isa, const Product& product);

}  // namespace webnn::cpu
