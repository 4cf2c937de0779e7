// clang-format off: foreach_target.h is first
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/bytes/quantized_gemm.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <hwy/cache_control.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "backends/cpu/simd/bytes/quantized_gemm.h"
#include "backends/cpu/simd/lanes/dots-inl.h"
#include "backends/cpu/simd/lanes/matrix_dots-inl.h"
#include "backends/cpu/simd/lanes/partial-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Shorts = hn::Repartition<std::int16_t, Ints>;
using Bytes = hn::ScalableTag<std::uint8_t>;

// The maximum number of rows in a tile. Each row has two accumulators, because a panel has two vectors of columns; two registers
// of B, one of A and a temporary must also fit.
constexpr std::size_t kRegisters = HWY_TARGET == HWY_SSE4 || HWY_ARCH_WASM ? 4
                                   : HWY_TARGET == HWY_AVX3                ? 14
                                   : HWY_ARCH_ARM_A64                      ? 12
                                                                           : 6;

// --- The epilogue

HWY_INLINE void storeFloats(hn::Vec<Floats> value, std::size_t count, float* to) {
  if (count >= hn::Lanes(Floats())) {
    hn::StoreU(value, Floats(), to);
  } else {
    storeSome(Floats(), value, to, count);
  }
}
template <typename T>
HWY_INLINE void storeBytes(Sums value, std::size_t count, void* to) {
  const hn::Rebind<T, Ints> d;
  const auto bytes = hn::DemoteTo(d, value);
  if (count >= hn::Lanes(Ints())) {
    hn::StoreU(bytes, d, static_cast<T*>(to));
  } else {
    storeSome(d, bytes, static_cast<T*>(to), count);
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
  const auto number = hn::NearestInt(sane);
  if constexpr (kStore == QuantizedTile::Store::dequantized) {
    // The conversion to an integer loses the sign of -0, as quantizing and dequantizing separately would.
    return storeFloats(hn::Mul(hn::ConvertTo(d, number), hn::Set(d, t.backScale)), count, static_cast<float*>(t.c) + at);
  }
  const auto whole = hn::Add(number, hn::Set(di, t.zeroPoint));
  if (t.isSigned) return storeBytes<std::int8_t>(whole, count, static_cast<std::int8_t*>(t.c) + at);
  storeBytes<std::uint8_t>(whole, count, static_cast<std::uint8_t*>(t.c) + at);
}

// Stores the results of a tile; `sums` holds two vectors of columns for each row. Per-column values are loaded once for all rows.
template <QuantizedTile::Store kStore>
void epilogueAs(const QuantizedTile& tile, const std::int32_t* sums) {
  const Ints di;
  const Floats d;
  const QuantizedTile t = tile;  // a local copy, which stores cannot alias
  const std::size_t lanes = hn::Lanes(di);
  for (std::size_t column = 0; column < t.columns; column += lanes, sums += lanes) {
    const auto offset = hn::LoadU(di, t.offset + column);
    const auto scale = hn::LoadU(d, t.scale + column), bias = hn::LoadU(d, t.bias + column);
    const std::size_t count = t.columns - column;
    for (std::size_t r = 0; r < t.rows; ++r) {
      auto sum = hn::Add(hn::Load(di, sums + 2 * r * lanes), offset);
      if (t.factor) sum = hn::Sub(sum, hn::Mul(hn::LoadU(di, t.factor + column), hn::Set(di, t.rowSums[r])));
      store<kStore>(t, hn::MulAdd(hn::ConvertTo(d, sum), scale, bias), count, r * t.ldc + column);
    }
  }
}

// Not inlined, because it would be most of the code of each instance of tileOf().
HWY_NOINLINE void epilogue(const QuantizedTile& t, const std::int32_t* sums) {
  switch (t.store) {
    case QuantizedTile::Store::floats: return epilogueAs<QuantizedTile::Store::floats>(t, sums);
    case QuantizedTile::Store::bytes: return epilogueAs<QuantizedTile::Store::bytes>(t, sums);
    case QuantizedTile::Store::dequantized: return epilogueAs<QuantizedTile::Store::dequantized>(t, sums);
  }
}

// --- The tile

// Loads a group of one vector of columns of B. For PairDots, widens the bytes to int16 here: with few rows, the kernel is limited
// by reading B.
template <typename Dots>
HWY_INLINE Sums loadColumns(const std::int8_t* b) {
  if constexpr (std::is_same_v<Dots, PairDots>) {
    const Shorts ds;
    return hn::BitCast(Ints(), hn::PromoteTo(ds, hn::Load(hn::Rebind<std::int8_t, Shorts>(), b)));
  } else {
    return hn::Load(Ints(), reinterpret_cast<const std::int32_t*>(b));
  }
}

#if HWY_ARCH_X86
// Adds the products of the excess, with int16 factors, because the sum of two excesses may exceed the bound.
template <std::size_t kMR>
HWY_INLINE void addExcess(const QuantizedTile& t, Sums (&sums)[kMR][2]) {
  const Ints d;
  static_assert(kMR <= hn::MaxLanes(Ints()));
  const std::uint32_t* rows = t.excess.rows;
  const auto* b = reinterpret_cast<const std::int32_t*>(t.excess.b);
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t g = 0; g < t.excess.groups; ++g, rows += QuantizedExcess::kGroup, b += 2 * lanes) {
    // Returns, for each row of A, the value that row `row` of B is multiplied by: a byte of an int32 of packed A.
    const auto valuesAt = [&](std::uint32_t row) HWY_ATTR {
      const std::byte* from = t.a + row / 4 * 4 * kMR + row % 4;
      return hn::And(hn::LoadU(d, reinterpret_cast<const std::int32_t*>(from)), hn::Set(d, 0xFF));
    };
    HWY_ALIGN std::int32_t a[hn::MaxLanes(Ints())];
    hn::Store(hn::Or(valuesAt(rows[0]), hn::ShiftLeft<16>(valuesAt(rows[1]))), d, a);
    const Sums b0 = hn::Load(d, b), b1 = hn::Load(d, b + lanes);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kMR; ++r) {
      const Sums ar = hn::Set(d, a[r]);
      sums[r][0] = PairDots::add(sums[r][0], ar, b0);
      sums[r][1] = PairDots::add(sums[r][1], ar, b1);
    }
  }
}
#endif

template <typename Dots, std::size_t kMR>
void tileOf(const QuantizedTile& t) {
  const Ints di;
  const std::size_t lanes = hn::Lanes(di);
  Sums sums[kMR][2];
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kMR; ++r) sums[r][0] = sums[r][1] = hn::Zero(di);
  const auto* a = reinterpret_cast<const std::int32_t*>(t.a);
  const auto* b = reinterpret_cast<const std::int8_t*>(t.b);
  constexpr std::size_t kHalf = hn::MaxLanes(Ints()) * Dots::kGroup;  // bytes of a group in one vector of columns
  const auto addGroup = [&]() HWY_ATTR {
    const Sums b0 = loadColumns<Dots>(b), b1 = loadColumns<Dots>(b + kHalf);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kMR; ++r) {
      const Sums ar = hn::Set(di, a[r]);
      sums[r][0] = Dots::add(sums[r][0], ar, b0);
      sums[r][1] = Dots::add(sums[r][1], ar, b1);
    }
    a += kMR;
    b += 2 * kHalf;
  };
  // With few rows, an iteration multiplies a cache line of B. With more rows, that would need more registers than there are.
  constexpr std::size_t kGroupsAtOnce = kMR <= 2 ? std::max<std::size_t>(1, 64 / (2 * kHalf)) : 1;
  std::size_t left = t.groups;
  for (; left >= kGroupsAtOnce; left -= kGroupsAtOnce) {
    // Prefetches from L2 earlier than the hardware prefetcher does.
    hwy::Prefetch(b + 512);
    if constexpr (2 * kHalf > 64) hwy::Prefetch(b + 576);
#pragma GCC unroll 4
    for (std::size_t g = 0; g < kGroupsAtOnce; ++g) addGroup();
  }
  for (; left > 0; --left) addGroup();
#if HWY_ARCH_X86
  if constexpr (std::is_same_v<Dots, BoundedDots>) addExcess<kMR>(t, sums);
#endif
  HWY_ALIGN std::int32_t results[kMR * 2 * hn::MaxLanes(Ints())];
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kMR; ++r) {
    hn::Store(sums[r][0], di, results + 2 * r * lanes);
    hn::Store(sums[r][1], di, results + (2 * r + 1) * lanes);
  }
  epilogue(t, results);
}

// The numbers of rows for which kernels are compiled. Tiles round their rows up to one of these.
constexpr std::array<std::size_t, 7> kTileRows{1, 2, 4, 6, 8, 10, kRegisters};
constexpr std::size_t tileIndex(std::size_t rows) {
  std::size_t i = 0;
  while (kTileRows[i] < std::min(rows, kRegisters)) ++i;
  return kTileRows[i] < kRegisters ? i : kTileRows.size() - 1;
}
std::size_t packedRows(std::size_t rows) { return kTileRows[tileIndex(rows)]; }

template <typename Dots, std::size_t... kIndex>
constexpr std::array<void (*)(const QuantizedTile&), sizeof...(kIndex)> tilesOf(std::index_sequence<kIndex...>) {
  return {tileOf<Dots, std::min(kTileRows[kIndex], kRegisters)>...};
}
template <typename Dots>
void tile(const QuantizedTile& t) {
  static constexpr auto tiles = tilesOf<Dots>(std::make_index_sequence<kTileRows.size()>());
  tiles[tileIndex(t.rows)](t);
}

// --- Packing

template <typename Dots>
void packRow(const std::uint8_t* from, std::size_t k, std::uint8_t flip, std::size_t rows, std::size_t row, std::byte* to) {
  to += row * 4;
  if constexpr (std::is_same_v<Dots, PairDots>) {
    const auto number = [&](std::size_t i) { return i < k ? static_cast<std::uint32_t>(from[i] ^ flip) : 0; };
    const hn::Simd<std::uint16_t, 8, 0> words;
    const hn::Rebind<std::uint8_t, decltype(words)> bytes;
    std::size_t i = 0;
    for (; i + 8 <= k; i += 8) {
      HWY_ALIGN std::uint16_t wide[8];
      hn::Store(hn::PromoteTo(words, hn::Xor(hn::LoadU(bytes, from + i), hn::Set(bytes, flip))), words, wide);
      for (std::size_t pair = 0; pair < 4; ++pair, to += rows * 4) std::memcpy(to, wide + 2 * pair, 4);
    }
    for (; i < k; i += 2, to += rows * 4) {
      const std::uint32_t word = number(i) | number(i + 1) << 16;
      std::memcpy(to, &word, 4);
    }
  } else {
    const std::uint32_t flips = (flip ^ Dots::kFlip) * 0x01010101U;
    const auto pack = [&](std::size_t i, std::size_t count) {
      std::uint32_t word = 0;
      std::memcpy(&word, from + i, count);
      word ^= flips;
      std::memcpy(to, &word, 4);
      to += rows * 4;
    };
    std::size_t i = 0;
    for (; i + 4 <= k; i += 4) pack(i, 4);
    if (i < k) pack(i, k - i);
  }
}

// Packs kGroup rows of eight columns of B.
constexpr std::size_t kBlock = 8;
template <std::size_t kGroup>
void packBlock(const QuantizedPanel& p, const std::uint8_t* from, std::byte* to) {
  const hn::Simd<std::uint8_t, kBlock, 0> d;
  const hn::Simd<std::uint8_t, 2 * kBlock, 0> twice;
  const auto flip = hn::Set(d, p.isSigned ? 0 : 0x80);
  const auto pairs = [&](std::size_t row) HWY_ATTR {
    const auto a = hn::Xor(hn::LoadU(d, from + row * p.rowStride), flip);
    const auto b = hn::Xor(hn::LoadU(d, from + (row + 1) * p.rowStride), flip);
    return hn::Combine(twice, hn::InterleaveUpper(d, a, b), hn::InterleaveLower(d, a, b));
  };
  if constexpr (kGroup == 2) {
    hn::StoreU(pairs(0), twice, reinterpret_cast<std::uint8_t*>(to));
  } else {
    const hn::Simd<std::int16_t, kBlock, 0> ds;
    const auto first = hn::BitCast(ds, pairs(0)), second = hn::BitCast(ds, pairs(2));
    auto* words = reinterpret_cast<std::int16_t*>(to);
    hn::StoreU(hn::InterleaveLower(ds, first, second), ds, words);
    hn::StoreU(hn::InterleaveUpper(ds, first, second), ds, words + kBlock);
  }
}

// Packs one column, beginning with row `first`.
template <std::size_t kGroup>
void packColumn(const QuantizedPanel& p, std::size_t first, std::size_t column, std::byte* panel) {
  constexpr std::size_t kLine = 2 * hn::MaxLanes(Ints()) * kGroup;
  const std::uint8_t* from = p.from + column * p.columnStride;
  std::byte* to = panel + first / kGroup * kLine + column * kGroup;
  std::size_t i = first;
  const std::uint32_t flips = p.isSigned ? 0 : 0x80808080U;
  for (; p.rowStride == 1 && i + kGroup <= p.k; i += kGroup, to += kLine) {
    std::uint32_t word = 0;
    std::memcpy(&word, from + i, kGroup);
    word ^= flips;
    std::memcpy(to, &word, kGroup);
  }
  for (; i < p.k; ++i) {
    to[i % kGroup] = static_cast<std::byte>(from[i * p.rowStride] ^ (flips & 0xFF));
    if (i % kGroup == kGroup - 1) to += kLine;
  }
}

template <std::size_t kGroup>
void packPanel(const QuantizedPanel& p, std::byte* to) {
  constexpr std::size_t kWidth = 2 * hn::MaxLanes(Ints()), kLine = kWidth * kGroup;
  static_assert(kWidth % kBlock == 0);
  const std::size_t groups = p.k / kGroup, blocks = p.columnStride == 1 ? p.columns / kBlock : 0;
  if (p.columns < kWidth || p.k % kGroup != 0) std::memset(to, 0, (p.k + kGroup - 1) / kGroup * kLine);
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t column = 0; column < blocks * kBlock; column += kBlock)
      packBlock<kGroup>(p, p.from + g * kGroup * p.rowStride + column, to + g * kLine + column * kGroup);
  }
  for (std::size_t column = 0; column < p.columns; ++column) {
    packColumn<kGroup>(p, column < blocks * kBlock ? groups * kGroup : 0, column, to);
  }
}

template <typename Dots>
void columnSums(const std::byte* panel, std::size_t groups, std::int32_t* sums) {
  const Ints d;
  const std::size_t lanes = hn::Lanes(d);
  const auto* bytes = reinterpret_cast<const std::int8_t*>(panel);
  for (std::size_t half = 0; half < 2; ++half) {
    auto sum = hn::Zero(d);
    for (std::size_t g = 0; g < groups; ++g) {
      const auto word = loadColumns<Dots>(bytes + (2 * g + half) * lanes * Dots::kGroup);
      if constexpr (std::is_same_v<Dots, PairDots>) {
        sum = hn::Add(sum, hn::Add(hn::ShiftRight<16>(word), hn::ShiftRight<16>(hn::ShiftLeft<16>(word))));
      } else {
        const auto even = hn::Add(hn::ShiftRight<24>(word), hn::ShiftRight<24>(hn::ShiftLeft<16>(word)));
        const auto odd = hn::Add(hn::ShiftRight<24>(hn::ShiftLeft<8>(word)), hn::ShiftRight<24>(hn::ShiftLeft<24>(word)));
        sum = hn::Add(sum, hn::Add(even, odd));
      }
    }
    hn::StoreU(sum, d, sums + half * lanes);
  }
}

std::int32_t sumBytes(const std::uint8_t* from, std::size_t k, std::uint8_t flip) {
  const Bytes d;
  const hn::Repartition<std::uint64_t, Bytes> d64;
  auto sums = hn::Zero(d64);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= k; i += hn::Lanes(d))
    sums = hn::Add(sums, hn::SumsOf8(hn::Xor(hn::LoadU(d, from + i), hn::Set(d, flip))));
  auto sum = static_cast<std::int32_t>(hn::GetLane(hn::SumOfLanes(d64, sums)));
  for (; i < k; ++i) sum += static_cast<std::uint8_t>(from[i] ^ flip);
  return sum;
}

template <typename Dots>
const QuantizedGemmKernels& kernelsWith() {
  static const QuantizedGemmKernels table{.mostRows = kRegisters,
                                          .columns = 2 * hn::Lanes(Ints()),
                                          .group = Dots::kGroup,
                                          .subtracted = Dots::kFlip,
                                          .packedRows = packedRows,
                                          .packRow = packRow<Dots>,
                                          .packPanel = packPanel<Dots::kGroup>,
                                          .columnSums = columnSums<Dots>,
                                          .sum = sumBytes,
                                          .tile = tile<Dots>,
                                          .store = epilogue};
  return table;
}

const QuantizedGemmKernels& kernels() { return kernelsWith<PairDots>(); }

#if HWY_ARCH_X86
// --- Weights that exceed the bound of BoundedDots

using SignedBytes = hn::RebindToSigned<Bytes>;

// Returns which bytes of a + b overflow. `d` is the tag of signed bytes.
template <typename D, typename V>
HWY_INLINE hn::Mask<D> overflows(D d, V a, V b) {
  const auto x = hn::BitCast(d, a), y = hn::BitCast(d, b);
  return hn::Ne(hn::SaturatedAdd(x, y), hn::Add(x, y));
}
// Returns which pairs of bytes (0, 1), (2, 3), ... have a sum that overflows, in the second byte of each pair.
HWY_INLINE hn::Mask<SignedBytes> overflowingPairs(hn::Vec<Bytes> bytes) {
  const hn::Repartition<std::uint16_t, Bytes> d;
  const auto pairs = hn::BitCast(d, bytes);
  const auto first = hn::ShiftLeft<8>(pairs), second = hn::And(pairs, hn::Set(d, 0xFF00));
  return overflows(SignedBytes(), hn::BitCast(Bytes(), first), hn::BitCast(Bytes(), second));
}
// Returns by how much the sum of two weights exceeds the bound.
std::int32_t excessOf(std::int32_t first, std::int32_t second) {
  const std::int32_t sum = first + second;
  return sum - std::clamp(sum, -128, 127);
}

// Reads the bytes nearly in the order of memory: two rows at a time for all panels if rows are contiguous, or panel by panel if
// columns are.
void countExcess(const QuantizedPanel& p, std::uint32_t* counts) {
  constexpr std::size_t kWidth = 2 * hn::MaxLanes(Ints());
  const Bytes d;
  const SignedBytes ds;
  const std::size_t lanes = hn::Lanes(d), panels = (p.columns + kWidth - 1) / kWidth;
  const std::uint8_t flip = p.isSigned ? 0 : 0x80;
  const hn::CappedTag<std::uint8_t, kWidth> dPanel;  // a row of a panel
  const hn::RebindToSigned<decltype(dPanel)> dsPanel;
  const auto load = [&](auto tag, std::size_t k, std::size_t column) HWY_ATTR {
    return hn::Xor(hn::LoadU(tag, p.from + k * p.rowStride + column * p.columnStride), hn::Set(tag, flip));
  };
  const auto weight = [&](std::size_t k, std::size_t column) {
    return static_cast<std::int8_t>(p.from[k * p.rowStride + column * p.columnStride] ^ flip);
  };
  const auto countPanels = [&](std::size_t firstPanel, std::size_t endPanel) HWY_ATTR {
    std::size_t k = 0;
    for (; p.rowStride == 1 && k + lanes <= p.k; k += lanes) {
      for (std::size_t i = firstPanel; i < endPanel; ++i) {
        auto found = hn::MaskFromVec(hn::Zero(ds));
        for (std::size_t column = i * kWidth; column < std::min(p.columns, (i + 1) * kWidth); ++column) {
          found = hn::Or(found, overflowingPairs(load(d, k, column)));
        }
        counts[i] += static_cast<std::uint32_t>(hn::CountTrue(ds, found));
      }
    }
    for (; k + 1 < p.k; k += 2) {
      for (std::size_t i = firstPanel; i < endPanel; ++i) {
        const std::size_t first = i * kWidth, end = std::min(p.columns, first + kWidth);
        bool isFound = false;
        if (p.columnStride == 1 && end - first == hn::Lanes(dPanel)) {
          isFound = !hn::AllFalse(dsPanel, overflows(dsPanel, load(dPanel, k, first), load(dPanel, k + 1, first)));
        } else {
          for (std::size_t c = first; c < end; ++c) isFound = isFound || excessOf(weight(k, c), weight(k + 1, c)) != 0;
        }
        counts[i] += isFound ? 1 : 0;
      }
    }
  };
  if (p.columnStride == 1) return countPanels(0, panels);
  for (std::size_t i = 0; i < panels; ++i) countPanels(i, i + 1);
}

void takeExcess(std::byte* panel, std::size_t groups, std::uint32_t* rows, std::int16_t* b) {
  constexpr std::size_t kGroup = BoundedDots::kGroup, kWidth = 2 * hn::MaxLanes(Ints()), kLine = kGroup * kWidth;
  constexpr std::size_t kPair = QuantizedExcess::kGroup;
  const Bytes d;
  std::size_t count = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    auto* line = reinterpret_cast<std::int8_t*>(panel) + g * kLine;
    const auto isOver = [&](std::size_t at) HWY_ATTR {
      return !hn::AllFalse(SignedBytes(), overflowingPairs(hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(line) + at)));
    };
    if (!isOver(0) && !isOver(kLine / 2)) continue;
    for (std::size_t place = 1; place < kGroup; place += kPair) {
      std::int16_t* to = b + count / kPair * kPair * kWidth + count % kPair;
      bool isFound = false;
      for (std::size_t column = 0; column < kWidth; ++column) {
        std::int8_t* pair = line + column * kGroup + place - 1;
        const std::int32_t excess = excessOf(pair[0], pair[1]);
        if (excess == 0) continue;
        isFound = true;
        pair[1] = static_cast<std::int8_t>(pair[1] - excess);
        to[column * kPair] = static_cast<std::int16_t>(excess);
      }
      if (isFound) rows[count++] = static_cast<std::uint32_t>(g * kGroup + place);
    }
  }
}

const QuantizedGemmKernels& boundedKernels() {
  static const QuantizedGemmKernels table = [] {
    QuantizedGemmKernels kernels = kernelsWith<BoundedDots>();
    kernels.countExcess = countExcess;
    kernels.takeExcess = takeExcess;
    return kernels;
  }();
  return table;
}
#endif

#if HWY_TARGET == HWY_AVX3
const QuantizedGemmKernels& dotKernels(Isa) { return kernelsWith<ByteDots>(); }
#elif HWY_TARGET == HWY_AVX2
const QuantizedGemmKernels& dotKernels(Isa isa) {
  return mayUse(isa, CpuFeature::avxVnni) ? kernelsWith<ByteDots<true> >() : kernelsWith<ByteDots<false> >();
}
#elif HWY_ARCH_ARM_A64
template <std::size_t kPairs>
void tileOfPairs(const QuantizedTile& t) {
  HWY_ALIGN std::int32_t results[2 * kPairs * kOctet];
  sumMatrices<kPairs>(t, results);
  epilogue(t, results);
}
void tileOfMatrices(const QuantizedTile& t) {
  switch (packedPairsOfRows(t.rows)) {
    case 2: return tileOfPairs<1>(t);
    case 4: return tileOfPairs<2>(t);
    default: return tileOfPairs<4>(t);
  }
}

const QuantizedGemmKernels& matrixKernels() {
  static const QuantizedGemmKernels table{.mostRows = kOctet,
                                          .columns = kOctet,
                                          .group = kOctet,
                                          .packedRows = packedPairsOfRows,
                                          .packRow = packRowOfOctets,
                                          .packPanel = packPanelOfOctets,
                                          .columnSums = columnSumsOfOctets,
                                          .sum = sumBytes,
                                          .tile = tileOfMatrices,
                                          .store = epilogue};
  return table;
}
const QuantizedGemmKernels& dotKernels(Isa isa) { return isa == Isa::i8mm ? matrixKernels() : kernelsWith<SignedDots>(); }
#elif WEBNN_HAS_BYTE_DOTS
const QuantizedGemmKernels& dotKernels(Isa isa) {
  return mayUse(isa, CpuFeature::mixedDots) ? kernelsWith<MixedDots>() : kernelsWith<SignedDots>();
}
#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const QuantizedGemmKernels& quantizedGemmKernels(Isa isa, bool dots) {
#if HWY_ARCH_X86_64
  if (dots) return isa == Isa::avx2 ? N_AVX2::dotKernels(isa) : N_AVX3::dotKernels(isa);
#elif HWY_ARCH_ARM_A64 || WEBNN_HAS_BYTE_DOTS
  if (dots) return HWY_STATIC_DISPATCH(dotKernels)(isa);
#else
  static_cast<void>(dots);
#endif
  WEBNN_SELECT(isa, kernels);
}
#if HWY_ARCH_X86_64
namespace {
const QuantizedGemmKernels& boundedKernelsFor(Isa isa) { WEBNN_SELECT(isa, boundedKernels); }
}  // namespace
const QuantizedGemmKernels* boundedGemmKernels(Isa isa) { return &boundedKernelsFor(isa); }
#else
const QuantizedGemmKernels* boundedGemmKernels(Isa) { return nullptr; }
#endif
}  // namespace webnn::cpu
#endif
