#include "backends/cpu/gemm/amx_choice.h"

#include "base/enum_table.h"
#include "base/text.h"

namespace webnn::cpu {

namespace {

// Minimum m, n and k; docs/reference/time.md has the measurements. A float32 product takes six bfloat16 products on tiles, and a
// float16 product four. Fewer than 56 rows gain little, because tiles compute 16 or 32 rows at a time, and their weights would
// take more memory. A byte or bfloat16 product takes one, so that five rows suffice for bytes. The bfloat16 sizes are not
// measured but copied from the byte sizes.
constexpr EnumTable<ProductType, LeastProduct, 4> kLeast{{
    {ProductType::floats, {56, 96, 64}},
    {ProductType::halves, {64, 64, 64}},
    {ProductType::bytes, {5, 16, 32}},
    {ProductType::bf16, {5, 16, 32}},
}};

}  // namespace

Product atPrecision(Product product, Precision precision) {
  constexpr std::size_t kFewColumns = 16;
  if (precision == Precision::bfloat16 && product.n > kFewColumns) product.type = ProductType::bf16;
  return product;
}

LeastProduct leastOnTiles(ProductType type) { return kLeast[type]; }

Isa kernelIsa(Isa isa, const Product& product) {
  if (!hasTiles(isa) || product.k == 0) return withoutTiles(isa);
  if (isa != Isa::amx) return isa == Isa::amxAlways ? isa.at(Isa::amx) : isa;
  const LeastProduct least = leastOnTiles(product.type);
  return product.m >= least.m && product.n >= least.n && product.k >= least.k ? isa : withoutTiles(isa);
}

std::string kernelText(Isa isa, const Product& product) {
  const Isa chosen = kernelIsa(isa, product);
  std::string text(name(chosen));
  if (product.type == ProductType::bytes && !hasTiles(chosen)) text += byteDotsName(chosen);
  if (product.type == ProductType::bf16) text += hasTiles(chosen) || hasBf16Dots(chosen) ? " bf16" : " bf16 widened";
  if (isa != Isa::amx) return text;
  const LeastProduct least = leastOnTiles(product.type);
  return text + formatText(", tiles from {}x{}x{}", least.m, least.n, least.k);
}

}  // namespace webnn::cpu
