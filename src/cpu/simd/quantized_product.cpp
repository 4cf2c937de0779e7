#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/quantized_product.cpp"
#include <hwy/foreach_target.h>  // first

#include <hwy/highway.h>
#include <hwy/cache_control.h>

#include <cstring>

#include "cpu/simd/quantized_product.h"
#include "cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Ints = hn::ScalableTag<std::int32_t>;
using Shorts = hn::Repartition<std::int16_t, Ints>;
using Bytes = hn::ScalableTag<std::uint8_t>;
using Sums = hn::Vec<Ints>;

// Two registers of columns; as many rows as the registers hold sums of, beside two of b, one of `a` and one in passing.
constexpr std::size_t kRegisters = HWY_TARGET == HWY_SSE4 ? 4 : HWY_TARGET == HWY_AVX3 ? 14 : 6;

// --- Ways to multiply: each 32-bit lane adds the products of a group

struct PairDots {
  static constexpr std::size_t kGroup = 2;
  static HWY_INLINE Sums add(Sums sums, Sums a, Sums b) {
#if HWY_ARCH_X86
    Sums unused = hn::Zero(Ints());
    return hn::ReorderWidenMulAccumulate(Ints(), hn::BitCast(Shorts(), a), hn::BitCast(Shorts(), b), sums, unused);
#else
    const auto even = hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(a)), hn::ShiftRight<16>(hn::ShiftLeft<16>(b)));
    return hn::Add(sums, hn::Add(even, hn::Mul(hn::ShiftRight<16>(a), hn::ShiftRight<16>(b))));
#endif
  }
};

#if HWY_TARGET == HWY_AVX3
// As assembly, because Highway's target has no VNNI and functions of another one do not mix with its own.
struct ByteDots {
  static constexpr std::size_t kGroup = 4;
  static HWY_INLINE Sums add(Sums sums, Sums a, Sums b) {
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sums.raw) : "v"(a.raw), "v"(b.raw));
    return sums;
  }
};
#endif

// --- The epilogue

// Stores the first `count` lanes.
HWY_INLINE void storeFloats(hn::Vec<Floats> value, std::size_t count, float* to) {
  if (count >= hn::Lanes(Floats())) {
    hn::StoreU(value, Floats(), to);
  } else {
    float buffer[hn::MaxLanes(Floats())];
    hn::StoreU(value, Floats(), buffer);
    std::memcpy(to, buffer, count * sizeof(float));
  }
}
template <typename T>
HWY_INLINE void storeBytes(Sums value, std::size_t count, void* to) {
  const hn::Rebind<T, Ints> d;
  const auto bytes = hn::DemoteTo(d, value);
  if (count >= hn::Lanes(Ints())) {
    hn::StoreU(bytes, d, static_cast<T*>(to));
  } else {
    T buffer[hn::MaxLanes(Ints())];
    hn::StoreU(bytes, d, buffer);
    std::memcpy(to, buffer, count);
  }
}

template <QuantizedTile::Store kStore>
HWY_INLINE void store(const QuantizedTile& t, hn::Vec<Floats> value, std::size_t count, std::size_t at) {
  const Ints di;
  const Floats d;
  if constexpr (kStore == QuantizedTile::Store::floats) {
    if (t.relu) value = hn::IfThenZeroElse(value < hn::Zero(d), value);
    return storeFloats(value, count, static_cast<float*>(t.c) + at);
  }
  const auto bounded = hn::Min(hn::Max(value, hn::Set(d, t.low)), hn::Set(d, t.high));
  const auto sane = hn::IfThenElse(value == value, bounded, hn::Set(d, static_cast<float>(-t.zeroPoint)));
  if constexpr (kStore == QuantizedTile::Store::dequantized) {
    return storeFloats(hn::Mul(hn::Round(sane), hn::Set(d, t.backScale)), count, static_cast<float*>(t.c) + at);
  }
  const auto whole = hn::Add(hn::NearestInt(sane), hn::Set(di, t.zeroPoint));
  if (t.isSigned) return storeBytes<std::int8_t>(whole, count, static_cast<std::int8_t*>(t.c) + at);
  storeBytes<std::uint8_t>(whole, count, static_cast<std::uint8_t*>(t.c) + at);
}

// The sums in rows of two registers; what belongs to a register of columns is read once for all rows.
template <QuantizedTile::Store kStore>
void finishAs(const QuantizedTile& tile, const std::int32_t* sums) {
  const Ints di;
  const Floats d;
  const QuantizedTile t = tile;  // which stores cannot change
  const std::size_t lanes = hn::Lanes(di);
  for (std::size_t column = 0; column < t.columns; column += lanes, sums += lanes) {
    const auto offset = hn::LoadU(di, t.offset + column);
    const auto scale = hn::LoadU(d, t.scale + column), bias = hn::LoadU(d, t.bias + column);
    const std::size_t count = t.columns - column;
    for (std::size_t r = 0; r < t.rows; ++r) {
      auto sum = hn::Add(hn::Load(di, sums + 2 * r * lanes), offset);
      if (t.factor) sum = hn::Sub(sum, hn::Mul(hn::LoadU(di, t.factor + column), hn::Set(di, t.rowSums[r])));
      store<kStore>(t, hn::MulAdd(hn::ConvertTo(d, sum), scale, bias), count, r * t.pitch + column);
    }
  }
}

// Once for all tiles: inlined into each, it would be most of their code.
HWY_NOINLINE void finishAll(const QuantizedTile& t, const std::int32_t* sums) {
  switch (t.store) {
    case QuantizedTile::Store::floats: return finishAs<QuantizedTile::Store::floats>(t, sums);
    case QuantizedTile::Store::bytes: return finishAs<QuantizedTile::Store::bytes>(t, sums);
    case QuantizedTile::Store::dequantized: return finishAs<QuantizedTile::Store::dequantized>(t, sums);
  }
}

// --- The tile

template <typename Dots, std::size_t kRows>
void tileOf(const QuantizedTile& t) {
  const Ints di;
  const std::size_t lanes = hn::Lanes(di);
  Sums sums[kRows][2];
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r) sums[r][0] = sums[r][1] = hn::Zero(di);
  const auto* a = reinterpret_cast<const std::int32_t*>(t.a);
  const auto* b = reinterpret_cast<const std::int32_t*>(t.b);
  for (std::size_t g = 0; g < t.groups; ++g, a += kRows, b += 2 * lanes) {
    const Sums b0 = hn::Load(di, b), b1 = hn::Load(di, b + lanes);
    // b comes from the second-level cache, faster than it is fetched on its own.
    hwy::Prefetch(b + 16 * lanes);
    hwy::Prefetch(b + 17 * lanes);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
      const Sums ar = hn::Set(di, a[r]);
      sums[r][0] = Dots::add(sums[r][0], ar, b0);
      sums[r][1] = Dots::add(sums[r][1], ar, b1);
    }
  }
  HWY_ALIGN std::int32_t results[kRows * 2 * hn::MaxLanes(Ints())];
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r) {
    hn::Store(sums[r][0], di, results + 2 * r * lanes);
    hn::Store(sums[r][1], di, results + (2 * r + 1) * lanes);
  }
  finishAll(t, results);
}

std::size_t packedRows(std::size_t rows) { return rows <= 1 ? 1 : rows <= 2 ? 2 : rows <= 4 ? 4 : kRegisters; }

template <typename Dots>
void tile(const QuantizedTile& t) {
  switch (packedRows(t.rows)) {
    case 1: return tileOf<Dots, 1>(t);
    case 2: return tileOf<Dots, 2>(t);
    case 4: return tileOf<Dots, 4>(t);
    default: return tileOf<Dots, kRegisters>(t);
  }
}

// --- Packing

#if HWY_TARGET == HWY_AVX3
void packBytes(const std::uint8_t* from, std::size_t k, std::uint8_t flip, bool, std::int32_t, std::size_t rows, std::size_t row,
               std::byte* to) {
  const std::uint32_t flips = flip * 0x01010101U;
  auto* words = reinterpret_cast<std::uint32_t*>(to) + row;
  std::size_t i = 0;
  for (; i + 4 <= k; i += 4, words += rows) {
    std::uint32_t word = 0;
    std::memcpy(&word, from + i, 4);
    *words = word ^ flips;
  }
  if (i == k) return;
  std::uint32_t word = 0;
  std::memcpy(&word, from + i, k - i);
  *words = word ^ flips;
}
#endif

void packShorts(const std::uint8_t* from, std::size_t k, std::uint8_t, bool isSigned, std::int32_t zeroPoint, std::size_t rows,
                std::size_t row, std::byte* to) {
  auto* words = reinterpret_cast<std::uint32_t*>(to) + row;
  const auto number = [&](std::size_t i) -> std::uint32_t {
    if (i >= k) return 0;
    const std::int32_t value = isSigned ? static_cast<std::int8_t>(from[i]) : from[i];
    return static_cast<std::uint16_t>(value - zeroPoint);
  };
  for (std::size_t i = 0; i < k; i += 2, words += rows) *words = number(i) | number(i + 1) << 16;
}

std::int32_t sumBytes(const std::uint8_t* from, std::size_t k, std::uint8_t flip) {
  const Bytes d;
  const hn::Repartition<std::uint64_t, Bytes> d64;
  auto sums = hn::Zero(d64);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= k; i += hn::Lanes(d)) sums = hn::Add(sums, hn::SumsOf8(hn::Xor(hn::LoadU(d, from + i), hn::Set(d, flip))));
  auto sum = static_cast<std::int32_t>(hn::GetLane(hn::SumOfLanes(d64, sums)));
  for (; i < k; ++i) sum += static_cast<std::uint8_t>(from[i] ^ flip);
  return sum;
}

QuantizedProductKernels withPairs() {
  return {.mostRows = kRegisters, .columns = 2 * hn::Lanes(Ints()), .group = 2, .packedRows = packedRows, .packRow = packShorts,
          .sum = sumBytes, .tile = tile<PairDots>};
}

const QuantizedProductKernels& kernels() {
  static const QuantizedProductKernels table = withPairs();
  return table;
}

#if HWY_TARGET == HWY_AVX3
const QuantizedProductKernels& dotKernels() {
  static const QuantizedProductKernels table{.mostRows = kRegisters, .columns = 2 * hn::Lanes(Ints()), .group = 4,
                                             .packedRows = packedRows, .packRow = packBytes, .sum = sumBytes, .tile = tile<ByteDots>};
  return table;
}
#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const QuantizedProductKernels& quantizedProductKernels(Isa isa, bool dots) {
#if HWY_ARCH_X86_64
  if (dots && isa >= Isa::avx512) return N_AVX3::dotKernels();
#else
  static_cast<void>(dots);
#endif
  WEBNN_SELECT(isa, kernels);
}
}  // namespace webnn::cpu
#endif
