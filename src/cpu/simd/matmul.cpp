#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/matmul.cpp"
#include <hwy/foreach_target.h>  // first
#include <hwy/highway.h>

#include "cpu/simd/half-inl.h"
#include "cpu/simd/matmul.h"
#include "cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

using D = hn::ScalableTag<float>;
constexpr std::size_t kLanes = hn::MaxLanes(D());

void widen(const std::uint16_t* from, std::size_t count, float* to) {
  const D d;
  const hn::Rebind<std::uint16_t, D> du;
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) hn::StoreU(halfToFloat(d, hn::LoadU(du, from + i)), d, to + i);
  if (i == count) return;
  std::array<std::uint16_t, kLanes> halves{};
  std::array<float, kLanes> floats;
  std::copy_n(from + i, count - i, halves.data());
  hn::StoreU(halfToFloat(d, hn::LoadU(du, halves.data())), d, floats.data());
  std::copy_n(floats.data(), count - i, to + i);
}

void gatherColumns(const float* from, std::size_t stride, std::size_t rows, std::size_t count, float* to, std::size_t pitch) {
  // By squares that stay in the first level of the cache.
  constexpr std::size_t kSide = 16;
  for (std::size_t j = 0; j < count; j += kSide) {
    const std::size_t columns = std::min(kSide, count - j);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t l = 0; l < columns; ++l) to[i * pitch + j + l] = from[i + (j + l) * stride];
    }
  }
}

void gatherHalfColumns(const std::uint16_t* from, std::size_t stride, std::size_t rows, std::size_t count, float* to,
                       std::size_t pitch) {
  constexpr std::size_t kSide = 16;
  std::array<float, kSide * kSide> square;
  for (std::size_t j = 0; j < count; j += kSide) {
    const std::size_t columns = std::min(kSide, count - j);
    for (std::size_t i = 0; i < rows; i += kSide) {
      const std::size_t height = std::min(kSide, rows - i);
      for (std::size_t l = 0; l < columns; ++l) widen(from + i + (j + l) * stride, height, square.data() + l * kSide);
      for (std::size_t r = 0; r < height; ++r) {
        for (std::size_t l = 0; l < columns; ++l) to[(i + r) * pitch + j + l] = square[l * kSide + r];
      }
    }
  }
}

void narrow(const float* from, std::size_t count, std::uint16_t* to) {
  const D d;
  const hn::Rebind<std::uint16_t, D> du;
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) hn::StoreU(floatToHalf(d, hn::LoadU(d, from + i)), du, to + i);
  if (i == count) return;
  std::array<std::uint16_t, kLanes> halves;
  std::array<float, kLanes> floats{};
  std::copy_n(from + i, count - i, floats.data());
  hn::StoreU(floatToHalf(d, hn::LoadU(d, floats.data())), du, halves.data());
  std::copy_n(halves.data(), count - i, to + i);
}

void combine(float* c, float alpha, const float* addend, std::size_t step, float beta, std::size_t count) {
  const D d;
  const auto scale = hn::Set(d, alpha), addendScale = hn::Set(d, beta);
  // In vectors to the end, so that the last elements round as the others do.
  for (std::size_t i = 0; i < count; i += kLanes) {
    const std::size_t lanes = std::min(kLanes, count - i);
    std::array<float, kLanes> values, addends;
    const bool isPart = lanes < kLanes;
    if (isPart) std::copy_n(c + i, lanes, std::fill_n(values.data(), kLanes, 0.0F) - kLanes);
    auto value = hn::Mul(hn::LoadU(d, isPart ? values.data() : c + i), scale);
    if (addend) {
      const float* from = addend + i;
      if (isPart || step != 1) {
        addends.fill(0);
        for (std::size_t l = 0; l < lanes; ++l) addends[l] = addend[(i + l) * step];
        from = addends.data();
      }
      value = hn::MulAdd(hn::LoadU(d, from), addendScale, value);
    }
    hn::StoreU(value, d, isPart ? values.data() : c + i);
    if (isPart) std::copy_n(values.data(), lanes, c + i);
  }
}

}  // namespace

const MatmulKernels& matmulTable() {
  static constexpr MatmulKernels table{gatherColumns, gatherHalfColumns, combine, widen, narrow};
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const MatmulKernels& matmulKernels(Isa isa) { WEBNN_SELECT(isa, matmulTable); }
}  // namespace webnn::cpu
#endif
