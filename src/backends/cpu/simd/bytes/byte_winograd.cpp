#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/bytes/byte_winograd.cpp"
#include "backends/cpu/simd/bytes/byte_winograd.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Shorts = hn::ScalableTag<std::int16_t>;
using Ints = hn::ScalableTag<std::int32_t>;
static_assert(hn::MaxLanes(Shorts()) <= kByteWinogradSlack);

// Returns element kIndex of the input transform of four values at(0) to at(3). Each element depends on two of them.
template <std::size_t kIndex>
HWY_INLINE hn::Vec<Shorts> inputElement(const auto& at) {
  if constexpr (kIndex == 0) return hn::Sub(at(0), at(2));
  if constexpr (kIndex == 1) return hn::Add(at(1), at(2));
  if constexpr (kIndex == 2) return hn::Sub(at(2), at(1));
  return hn::Sub(at(1), at(3));
}

template <std::size_t kRow>
HWY_INLINE void inputRow(const std::int16_t* from, std::size_t channels, std::size_t rowStride, std::int16_t* to,
                         std::size_t positionStride) {
  const Shorts d;
  hn::Vec<Shorts> row[4];
#pragma GCC unroll 4
  for (std::size_t x = 0; x < 4; ++x) {
    row[x] = inputElement<kRow>([&](std::size_t y) HWY_ATTR { return hn::LoadU(d, from + y * rowStride + x * channels); });
  }
  const auto at = [&](std::size_t x) HWY_ATTR { return row[x]; };
  to += 4 * kRow * positionStride;
  hn::StoreU(inputElement<0>(at), d, to);
  hn::StoreU(inputElement<1>(at), d, to + positionStride);
  hn::StoreU(inputElement<2>(at), d, to + 2 * positionStride);
  hn::StoreU(inputElement<3>(at), d, to + 3 * positionStride);
}

void input(const std::int16_t* from, std::size_t channels, std::size_t rowStride, std::int16_t* to, std::size_t positionStride) {
  for (std::size_t c = 0; c < channels; c += hn::Lanes(Shorts())) {
    inputRow<0>(from + c, channels, rowStride, to + c, positionStride);
    inputRow<1>(from + c, channels, rowStride, to + c, positionStride);
    inputRow<2>(from + c, channels, rowStride, to + c, positionStride);
    inputRow<3>(from + c, channels, rowStride, to + c, positionStride);
  }
}

void output(const std::int32_t* products, std::size_t positionStride, std::size_t columns, std::int32_t* above,
            std::int32_t* below) {
  const Ints d;
  for (std::size_t column = 0; column < columns; column += hn::Lanes(d)) {
    hn::Vec<Ints> left[4], right[4];
#pragma GCC unroll 4
    for (std::size_t y = 0; y < 4; ++y) {
      const std::int32_t* at = products + 4 * y * positionStride + column;
      const auto first = hn::LoadU(d, at), second = hn::LoadU(d, at + positionStride);
      const auto third = hn::LoadU(d, at + 2 * positionStride), fourth = hn::LoadU(d, at + 3 * positionStride);
      left[y] = hn::Add(hn::Add(first, second), third);
      right[y] = hn::Sub(hn::Sub(second, third), fourth);
    }
    const auto store = [&](const hn::Vec<Ints>(&m)[4], std::size_t to) HWY_ATTR {
      hn::StoreU(hn::ShiftRight<2>(hn::Add(hn::Add(m[0], m[1]), m[2])), d, above + to);
      hn::StoreU(hn::ShiftRight<2>(hn::Sub(hn::Sub(m[1], m[2]), m[3])), d, below + to);
    };
    store(left, column);
    store(right, columns + column);
  }
}

}  // namespace

const ByteWinogradKernels& byteWinogradTable() {
  static constexpr ByteWinogradKernels table{input, output};
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const ByteWinogradKernels& byteWinogradKernels(Isa isa) { WEBNN_SELECT(isa, byteWinogradTable); }
}  // namespace webnn::cpu
#endif
