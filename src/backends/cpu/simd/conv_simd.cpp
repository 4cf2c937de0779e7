#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/conv_simd.cpp"
#include "backends/cpu/simd/conv_simd.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <array>
#include <bit>
#include <type_traits>

#include "backends/cpu/simd/lanes/bounds-inl.h"
#include "backends/cpu/simd/lanes/unrolled-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Full = hn::ScalableTag<float>;

// Calls visit(d, i) for vectors that cover [0, count): full vectors, or single lanes if count is less than a vector. The last
// full vector may overlap the one before it. Overlapping elements are visited twice, so visits must be idempotent.
HWY_INLINE void forVectors(std::size_t count, auto visit) {
  const Full d;
  const std::size_t lanes = hn::Lanes(d);
  if (count >= lanes) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) visit(d, i);
    if (i < count) visit(d, count - lanes);
    return;
  }
  const hn::CappedTag<float, 1> one;
  for (std::size_t i = 0; i < count; ++i) visit(one, i);
}

// --- Copies

// Copies with vectors of D. The last vector may overlap the one before. Requires count >= the lanes of D.
template <typename D>
HWY_INLINE void copyLong(D d, const float* from, std::size_t fromStride, float* to, std::size_t toStride, std::size_t runs,
                         std::size_t count) {
  const std::size_t lanes = hn::Lanes(d);
  for (; runs > 0; --runs, from += fromStride, to += toStride) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
    hn::StoreU(hn::LoadU(d, from + count - lanes), d, to + count - lanes);
  }
}

void copyRuns(const float* from, std::size_t fromStride, float* to, std::size_t toStride, std::size_t runs, std::size_t count) {
  const Full d;
  if (count == hn::Lanes(d)) {
    for (; runs > 0; --runs, from += fromStride, to += toStride) hn::StoreU(hn::LoadU(d, from), d, to);
    return;
  }
  if (count >= hn::Lanes(d)) return copyLong(d, from, fromStride, to, toStride, runs, count);
  const hn::CappedTag<float, 8> eight;
  if (count >= 8) return copyLong(eight, from, fromStride, to, toStride, runs, count);
  const hn::CappedTag<float, 4> four;
  if (count >= 4) return copyLong(four, from, fromStride, to, toStride, runs, count);
  for (; runs > 0; --runs, from += fromStride, to += toStride) {
    for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
  }
}

void zeroRuns(float* to, std::size_t rowStride, std::size_t runs, std::size_t count) {
  for (; runs > 0; --runs, to += rowStride) {
    forVectors(count, [&](auto d, std::size_t i) { hn::StoreU(hn::Zero(d), d, to + i); });
  }
}

// --- Epilogues

template <typename D>
HWY_INLINE hn::Vec<D> inRange(D d, hn::Vec<D> v, FloatRange range) {
  return atMost(hn::Set(d, range.maximum), atLeast(hn::Set(d, range.minimum), v));
}

void addRuns(const float* addend, std::size_t addendStride, float* c, std::size_t rowStride, std::size_t rows,
             std::size_t columns, FloatRange range) {
  // The hardware prefetches the short rows of the next block too late.
  const float* next = addend + rows * addendStride;
  for (; rows > 0; --rows, addend += addendStride, next += addendStride, c += rowStride) {
    for (std::size_t i = 0; i < columns; i += 64 / sizeof(float)) __builtin_prefetch(next + i, 0, 3);
    // Does not use forVectors(), which would add overlapping elements twice.
    const Full d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + lanes <= columns; i += lanes) {
      hn::StoreU(inRange(d, hn::Add(hn::LoadU(d, c + i), hn::LoadU(d, addend + i)), range), d, c + i);
    }
    const hn::CappedTag<float, 1> one;
    for (; i < columns; ++i)
      hn::StoreU(inRange(one, hn::Add(hn::LoadU(one, c + i), hn::LoadU(one, addend + i)), range), one, c + i);
  }
}

// --- Depthwise, and other small groups

// Reads the inputs of a depthwise convolution: each lane has its own channel.
struct OwnChannel {
  static constexpr std::size_t inputs(const DepthwiseLine&) { return 1; }
  template <typename D>
  HWY_INLINE void choose(D, const DepthwiseLine&, std::size_t, std::size_t) {}
  template <typename D>
  HWY_INLINE hn::Vec<D> operator()(D d, const float* from) const {
    return hn::LoadU(d, from);
  }
};

// Reads the inputs of small groups: each lane gets the `input`-th channel of its group. `from` points to the channel of the
// first lane.
template <bool kIsWithinGroup>  // whether a group has at least as many channels as a vector has lanes
struct GroupChannel {
  static std::size_t inputs(const DepthwiseLine& line) { return line.groupSize; }
  HWY_INLINE void choose(Full d, const DepthwiseLine& line, std::size_t channel, std::size_t input) {
    if constexpr (kIsWithinGroup) {
      offset = static_cast<std::ptrdiff_t>(input) - static_cast<std::ptrdiff_t>(channel % line.groupSize);
    } else {
      const hn::RebindToSigned<Full> di;
      const auto firsts = hn::AndNot(hn::Set(di, static_cast<std::int32_t>(line.groupSize - 1)), hn::Iota(di, 0));
      lanes = hn::IndicesFromVec(d, hn::Add(firsts, hn::Set(di, static_cast<std::int32_t>(input))));
    }
  }
  HWY_INLINE hn::Vec<Full> operator()(Full d, const float* from) const {
    if constexpr (kIsWithinGroup) {
      return hn::Set(d, hn::GetLane(hn::LoadU(hn::CappedTag<float, 1>(), from + offset)));
    } else {
      return hn::TableLookupLanes(hn::LoadU(d, from), lanes);
    }
  }

  std::ptrdiff_t offset = 0;
  decltype(hn::IndicesFromVec(Full(), hn::Zero(hn::RebindToSigned<Full>()))) lanes;
};

// Adds the products of kTaps adjacent taps of a filter row to the sums of kColumns adjacent outputs. The stride is kStep taps.
// Each input column is loaded once for all outputs that need it.
template <std::size_t kTaps, std::size_t kStep, std::size_t kColumns, typename Reader, typename D>
HWY_INLINE void addTaps(D d, const Reader& read, const DepthwiseLine& line, const float* input, const float* weight,
                        std::array<hn::Vec<D>, kColumns>& sums) {
  std::array<hn::Vec<D>, kTaps> taps;
  unrolled<kTaps>([&](auto t) WEBNN_INLINE_LAMBDA {
    taps[t] = hn::LoadU(d, weight);
    weight += line.weightTapStep;
  });
  unrolled<(kColumns - 1) * kStep + kTaps>([&](auto i) WEBNN_INLINE_LAMBDA {
    const hn::Vec<D> value = read(d, input);
    input += line.tapStep;
    unrolled<kTaps>([&](auto t) WEBNN_INLINE_LAMBDA {
      if constexpr (i >= t && (i - t) % kStep == 0 && (i - t) / kStep < kColumns) {
        sums[(i - t) / kStep] = hn::MulAdd(value, taps[t], sums[(i - t) / kStep]);
      }
    });
  });
}

// Whether depthwise lines compute all channels of a few outputs before the next outputs (so that they read contiguous memory) and
// prefetch inputs. Measured on Zen 3. AVX-512 computes all outputs of a few channels, whose input lines stay in L1.
constexpr bool kByOutput = HWY_TARGET == HWY_AVX2;

// Prefetches the input columns that the next kColumns outputs read and these outputs do not, once per cache line. Hardware does
// not prefetch so many short streams. Prefetches only in the last kStep rows: if the vertical stride is kStep too, the previous
// output line has read the rows above them.
template <std::size_t kTaps, std::size_t kStep, std::size_t kColumns, typename D>
HWY_INLINE void prefetchNext(D d, const DepthwiseLine& line, std::size_t channel, std::size_t row, const float* input) {
  constexpr std::size_t kLine = 16, kFirst = (kColumns - 1) * kStep + kTaps;
  if (row + kStep < line.rows || channel % kLine >= hn::Lanes(d)) return;
  unrolled<kColumns * kStep>([&](auto i) WEBNN_INLINE_LAMBDA { __builtin_prefetch(input + (kFirst + i) * line.tapStep, 0, 3); });
}

// Computes one vector of channels for kColumns adjacent outputs. kTaps is the number of taps per filter row, or 0 for any number;
// kStep is the stride in taps, or 0 for any stride. With any stride, each output loads its own inputs.
template <typename Reader, std::size_t kTaps, std::size_t kStep, std::size_t kColumns, typename D>
HWY_INLINE void depthwiseTile(D d, const DepthwiseLine& line, std::size_t channel, std::size_t column) {
  using V = hn::Vec<D>;
  std::array<V, kColumns> sums;
  const V start = line.bias ? hn::LoadU(d, line.bias + channel) : hn::Zero(d);
  unrolled<kColumns>([&](auto i) WEBNN_INLINE_LAMBDA { sums[i] = start; });
  const float* firstInput = line.from + column * line.inputStep + channel;
  const float* firstWeight = line.weights + channel;
  for (std::size_t row = 0; row < line.rows; ++row, firstInput += line.rowStep, firstWeight += line.weightRowStep) {
    if (row == line.rowsToEnd) firstInput -= line.ring;
    if constexpr (kByOutput && kTaps > 0 && kStep > 0 && kColumns > 1)
      prefetchNext<kTaps, kStep, kColumns>(d, line, channel, row, firstInput);
    for (std::size_t j = 0; j < Reader::inputs(line); ++j) {
      Reader read;
      read.choose(d, line, channel, j);
      const float* input = firstInput;
      const float* weight = firstWeight + j * line.weightInputStep;
      if constexpr (kTaps > 0) {
        addTaps<kTaps, kStep, kColumns>(d, read, line, input, weight, sums);
      } else {
        std::size_t t = line.taps;
        if constexpr (kStep > 0 && kColumns > 1) {
          for (; t >= 4; t -= 4, input += 4 * line.tapStep, weight += 4 * line.weightTapStep)
            addTaps<4, kStep, kColumns>(d, read, line, input, weight, sums);
        }
        for (; t > 0; --t, input += line.tapStep, weight += line.weightTapStep) {
          const V tap = hn::LoadU(d, weight);
          unrolled<kColumns>(
              [&](auto i) WEBNN_INLINE_LAMBDA { sums[i] = hn::MulAdd(read(d, input + i * line.inputStep), tap, sums[i]); });
        }
      }
    }
  }
  float* to = line.to + column * line.pixelStride + channel;
  unrolled<kColumns>([&](auto i) WEBNN_INLINE_LAMBDA {
    hn::StoreU(inRange(d, sums[i], line.range), d, to);
    to += line.pixelStride;
  });
}

// Computes one output, which may lie at an edge and have fewer taps.
template <typename Reader, std::size_t kTaps>
void depthwiseColumn(const DepthwiseLine& line) {
  forVectors(line.channels, [&](auto d, std::size_t channel) {
    if constexpr (std::is_same_v<decltype(d), Full> || std::is_same_v<Reader, OwnChannel>)
      depthwiseTile<Reader, kTaps, 1, 1>(d, line, channel, 0);
  });
}

template <typename Reader, std::size_t kTaps, std::size_t kStep>
void depthwiseByOutput(const DepthwiseLine& shared) {
  const DepthwiseLine line = shared;  // a local copy stays in registers, because no store can change it
  const Full d;
  const hn::CappedTag<float, 1> one;
  const std::size_t lanes = hn::Lanes(d);
  const auto tile = [&](auto columns, std::size_t first) WEBNN_INLINE_LAMBDA {
    constexpr std::size_t kColumns = columns(), kTileStep = kColumns == 1 ? 1 : kStep;
    for (std::size_t i = 0; i < line.channels && line.channels >= lanes; i += lanes)
      depthwiseTile<Reader, kTaps, kTileStep, kColumns>(d, line, std::min(i, line.channels - lanes), first);
    if constexpr (std::is_same_v<Reader, OwnChannel> && kColumns <= 4) {
      for (std::size_t i = 0; i < line.channels && line.channels < lanes; ++i)
        depthwiseTile<Reader, 0, 0, kColumns>(one, line, i, first);
    }
  };
  using std::integral_constant;
  // There are registers for 8 sums and 5 taps. With a stride of 2, 8 outputs were slower: they read too many lines of L1.
  std::size_t column = 0;
  if constexpr (kStep == 1 && kTaps > 0 && kTaps <= 5) {
    for (; column + 8 <= line.columns && line.channels >= lanes; column += 8) tile(integral_constant<std::size_t, 8>(), column);
  }
  // A tile that computes some outputs again takes less time than several single outputs, whose additions wait for each other.
  const std::size_t end = line.columns >= 4 && line.columns % 4 > 1 ? line.columns : line.columns / 4 * 4;
  for (; column < end; column += 4) tile(integral_constant<std::size_t, 4>(), std::min(column, line.columns - 4));
  for (; column < line.columns; ++column) tile(integral_constant<std::size_t, 1>(), column);
}

template <typename Reader, std::size_t kTaps, std::size_t kStep, typename D>
HWY_INLINE void depthwiseChannels(D d, const DepthwiseLine& line, std::size_t channel) {
  constexpr std::size_t kWide = HWY_TARGET == HWY_AVX3 ? 8 : 4;
  std::size_t column = 0;
  for (; column + kWide <= line.columns; column += kWide) depthwiseTile<Reader, kTaps, kStep, kWide>(d, line, channel, column);
  if constexpr (kWide > 4) {
    for (; column + 4 <= line.columns; column += 4) depthwiseTile<Reader, kTaps, kStep, 4>(d, line, channel, column);
  }
  // As in depthwiseByOutput(), computes some outputs again.
  if (column > 0 && column + 1 < line.columns) return depthwiseTile<Reader, kTaps, kStep, 4>(d, line, channel, line.columns - 4);
  for (; column < line.columns; ++column) depthwiseTile<Reader, kTaps, 1, 1>(d, line, channel, column);
}

template <typename Reader, std::size_t kTaps, std::size_t kStep>
void depthwiseLine(const DepthwiseLine& line) {
  if constexpr (kByOutput) {
    depthwiseByOutput<Reader, kTaps, kStep>(line);
  } else {
    forVectors(line.channels, [&](auto d, std::size_t channel) {
      if constexpr (std::is_same_v<decltype(d), Full>) {
        depthwiseChannels<Reader, kTaps, kStep>(d, line, channel);
      } else if constexpr (std::is_same_v<Reader, OwnChannel>) {
        std::size_t column = 0;
        for (; column + 4 <= line.columns; column += 4) depthwiseTile<Reader, 0, 0, 4>(d, line, channel, column);
        for (; column < line.columns; ++column) depthwiseTile<Reader, 0, 0, 1>(d, line, channel, column);
      }
    });
  }
}

template <typename Reader>
void depthwiseWith(const DepthwiseLine& line) {
  if (line.columns == 1) {
    if (line.taps == 2) return depthwiseColumn<Reader, 2>(line);
    if (line.taps == 3) return depthwiseColumn<Reader, 3>(line);
    if (line.taps == 4) return depthwiseColumn<Reader, 4>(line);
    return depthwiseColumn<Reader, 0>(line);
  }
  if (line.taps == 3 && line.inputStep == line.tapStep) return depthwiseLine<Reader, 3, 1>(line);
  if (line.taps == 3 && line.inputStep == 2 * line.tapStep) return depthwiseLine<Reader, 3, 2>(line);
  if (line.taps == 5 && line.inputStep == line.tapStep) return depthwiseLine<Reader, 5, 1>(line);
  if (line.taps == 5 && line.inputStep == 2 * line.tapStep) return depthwiseLine<Reader, 5, 2>(line);
  if constexpr (std::is_same_v<Reader, OwnChannel>) {
    if (line.taps == 7 && line.inputStep == line.tapStep) return depthwiseLine<Reader, 7, 1>(line);
    if (line.taps == 9 && line.inputStep == line.tapStep) return depthwiseLine<Reader, 9, 1>(line);
    if (line.inputStep == line.tapStep) return depthwiseLine<Reader, 0, 1>(line);
  }
  depthwiseLine<Reader, 0, 0>(line);
}

void depthwise(const DepthwiseLine& line) {
  if (line.groupSize == 1) return depthwiseWith<OwnChannel>(line);
  if (line.groupSize < hn::Lanes(Full())) return depthwiseWith<GroupChannel<false>>(line);
  depthwiseWith<GroupChannel<true>>(line);
}

// --- float16

float fromHalfBits(std::uint16_t half) {
  const std::uint32_t magnitude = (half & 0x7FFFU) << 13;
  constexpr float kScale = 0x1p112F;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * kScale);
  if (magnitude >= 0x7C00U << 13) bits = magnitude | 0x7F800000U;
  return std::bit_cast<float>(bits | (half & 0x8000U) << 16);
}

std::uint16_t toHalfBits(float value) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000U;
  bits &= 0x7FFFFFFFU;
  std::uint32_t half = 0;
  if (bits >= 0x47800000U) {  // 65536 and above
    half = bits > 0x7F800000U ? 0x7E00U : 0x7C00U;
  } else if (bits < 0x38800000U) {  // below 2^-14: adding 0.5 rounds to units of 2^-24
    half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(bits) + 0.5F) - 0x3F000000U;
  } else {
    half = (bits - (112U << 23) + 0xFFFU + (bits >> 13 & 1U)) >> 13;
  }
  return static_cast<std::uint16_t>(half | sign);
}

void fromHalf(const std::uint16_t* from, float* to, std::size_t count) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SSE4 && !HWY_ARCH_WASM
  const Full d;
  const hn::Rebind<hwy::float16_t, Full> half;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(half, reinterpret_cast<const hwy::float16_t*>(from + i))), d, to + i);
  }
#endif
  for (; i < count; ++i) to[i] = fromHalfBits(from[i]);
}

void toHalf(const float* from, std::uint16_t* to, std::size_t count) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SSE4 && !HWY_ARCH_WASM  // DemoteTo truncates on SSE4 and WebAssembly
  const Full d;
  const hn::Rebind<hwy::float16_t, Full> half;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    hn::StoreU(hn::DemoteTo(half, hn::LoadU(d, from + i)), half, reinterpret_cast<hwy::float16_t*>(to + i));
  }
#endif
  for (; i < count; ++i) to[i] = toHalfBits(from[i]);
}

const ConvKernels& kernels() {
  static constexpr ConvKernels table{copyRuns, zeroRuns, addRuns, depthwise, kByOutput, fromHalf, toHalf};
  return table;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const ConvKernels& convKernels(Isa isa) { WEBNN_SELECT(isa, kernels); }
}  // namespace webnn::cpu
#endif
