#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/recurrent.cpp"
#include "cpu/simd/recurrent.h"

#include <hwy/foreach_target.h>  // first
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "cpu/simd/half-inl.h"
#include "cpu/simd/math-inl.h"
#include "cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
using Halves = hn::Rebind<std::uint16_t, D>;
constexpr std::size_t kLanes = hn::MaxLanes(D());
// Vectors that sums may take; the others are for weights and inputs.
constexpr std::size_t kSums = HWY_TARGET == HWY_AVX3 ? 16 : 8;

// Lambdas must be inlined before arrays are taken apart into registers.
#undef INLINE
#define INLINE HWY_ATTR __attribute__((always_inline))

// f(0), f(1), ... with the number as a constant, so that arrays of vectors become registers.
template <std::size_t... I, typename F>
HWY_INLINE void unrolled(std::index_sequence<I...>, F&& f) {
  (f(std::integral_constant<std::size_t, I>()), ...);
}
template <std::size_t kCount, typename F>
HWY_INLINE void unrolled(F&& f) {
  unrolled(std::make_index_sequence<kCount>(), f);
}

HWY_NOINLINE V activate(RecurrentNetworkActivation activation, V x) {
  const D d;
  switch (activation) {
    case RecurrentNetworkActivation::relu:
      return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(d)), x);
    case RecurrentNetworkActivation::sigmoid:
      return sigmoid(d, x);
    case RecurrentNetworkActivation::tanh:
      break;
  }
  return tanh(d, x);
}

// The sums over k of hidden[row][k] * weights[k][gate][lane], then finish(row, sums) for each row. A sum is several ones
// over every so manieth k: one alone would wait for its own additions.
template <std::size_t kGates, std::size_t kRows, typename Finish>
HWY_INLINE void multiplyRows(const RecurrentStep& step, const float* HWY_RESTRICT weights, std::size_t row, Finish&& finish) {
  constexpr std::size_t kParts = std::max<std::size_t>(kSums / (kGates * kRows), 1);
  const D d;
  const float* HWY_RESTRICT hidden = step.hidden + row * step.pitch;
  V sums[kParts][kRows][kGates];
  unrolled<kParts>([&](auto part) INLINE {
    unrolled<kRows>([&](auto r) INLINE { unrolled<kGates>([&](auto gate) INLINE { sums[part][r][gate] = hn::Zero(d); }); });
  });
  const auto add = [&](auto part, const float* HWY_RESTRICT w, const float* HWY_RESTRICT h) INLINE {
    V elements[kRows];
    unrolled<kRows>([&](auto r) INLINE { elements[r] = hn::Set(d, h[r * step.pitch]); });
    unrolled<kGates>([&](auto gate) INLINE {
      const V weight = hn::LoadU(d, w + gate * kLanes);
      unrolled<kRows>([&](auto r) INLINE { sums[part][r][gate] = hn::MulAdd(weight, elements[r], sums[part][r][gate]); });
    });
  };
  std::size_t k = 0;
  for (; k + kParts <= step.hiddenSize; k += kParts, weights += kParts * kGates * kLanes) {
    unrolled<kParts>([&](auto part) INLINE { add(part, weights + part * kGates * kLanes, hidden + k + part); });
  }
  for (; k < step.hiddenSize; ++k, weights += kGates * kLanes) add(std::integral_constant<std::size_t, 0>(), weights, hidden + k);
  unrolled<kParts - 1>([&](auto part) INLINE {
    unrolled<kRows>([&](auto r) INLINE {
      unrolled<kGates>([&](auto gate) INLINE { sums[0][r][gate] = hn::Add(sums[0][r][gate], sums[part + 1][r][gate]); });
    });
  });
  unrolled<kRows>([&](auto r) INLINE { finish(row + r, sums[0][r]); });
}

template <std::size_t kGates, typename Finish>
HWY_INLINE void multiply(const RecurrentStep& step, std::size_t panel, std::size_t row, std::size_t rows, Finish&& finish) {
  const float* weights = step.recurrent + panel * step.hiddenSize * kGates * kLanes;
  const std::size_t end = row + rows;
  if constexpr (kSums == 16) {
    for (; row + 4 <= end; row += 4) multiplyRows<kGates, 4>(step, weights, row, finish);
  }
  for (; row + 2 <= end; row += 2) multiplyRows<kGates, 2>(step, weights, row, finish);
  if (row < end) multiplyRows<kGates, 1>(step, weights, row, finish);
}

HWY_NOINLINE void storeSome(const float* from, bool isHalf, std::byte* to, std::size_t count) {
  const D d;
  const Halves dh;
  std::size_t i = 0;
  if (!isHalf) {
    std::memcpy(to, from, count * sizeof(float));
    return;
  }
  for (; i + kLanes <= count; i += kLanes) {
    hn::StoreU(floatToHalf(d, hn::LoadU(d, from + i)), dh, reinterpret_cast<std::uint16_t*>(to) + i);
  }
  HWY_ALIGN float rest[kLanes] = {};
  HWY_ALIGN std::uint16_t halves[kLanes];
  std::copy(from + i, from + count, rest);
  hn::Store(floatToHalf(d, hn::Load(d, rest)), dh, halves);
  std::memcpy(to + i * 2, halves, (count - i) * 2);
}

// Puts a new hidden state where it belongs.
HWY_INLINE void storeHidden(const RecurrentStep& step, std::size_t row, std::size_t unit, V hidden) {
  const D d;
  float* to = step.newHidden + row * step.pitch + unit;
  hn::StoreU(hidden, d, to);
  if (!step.sequence) return;
  const std::size_t at = row * step.hiddenSize + unit, count = std::min(kLanes, step.hiddenSize - unit);
  if (!step.isHalf && count == kLanes) {
    hn::StoreU(hidden, d, reinterpret_cast<float*>(step.sequence) + at);
  } else {
    storeSome(to, step.isHalf, step.sequence + at * (step.isHalf ? 2 : 4), count);
  }
}

void lstmStep(const RecurrentStep& step, std::size_t panel, std::size_t row, std::size_t rows) {
  const D d;
  const std::size_t unit = panel * kLanes;
  multiply<4>(step, panel, row, rows, [&](std::size_t r, const V(&sums)[4]) INLINE {
    const float* input = step.input + r * step.inputPitch + panel * 4 * kLanes;
    float* state = step.state + r * step.pitch + unit;
    const V oldCell = hn::LoadU(d, state);
    const auto gate = [&](std::size_t i) INLINE {
      const V sum = hn::Add(hn::LoadU(d, input + i * kLanes), i == 0 ? sums[0] : i == 1 ? sums[1] : i == 2 ? sums[2] : sums[3]);
      return step.peephole && i < 3 ? hn::MulAdd(oldCell, hn::LoadU(d, step.peephole + i * step.pitch + unit), sum) : sum;
    };
    const V in = activate(step.activations[0], gate(0)), out = activate(step.activations[0], gate(1));
    const V forget = activate(step.activations[0], gate(2)), candidate = activate(step.activations[1], gate(3));
    const V cell = hn::MulAdd(forget, oldCell, hn::Mul(in, candidate));
    hn::StoreU(cell, d, state);
    storeHidden(step, r, unit, hn::Mul(out, activate(step.activations[2], cell)));
  });
}

// update * hidden + (1 - update) * candidate
HWY_INLINE V mix(V update, V hidden, V candidate) {
  return hn::MulAdd(update, hidden, hn::Mul(hn::Sub(hn::Set(D(), 1.0F), update), candidate));
}

void gruStep(const RecurrentStep& step, std::size_t panel, std::size_t row, std::size_t rows) {
  const D d;
  const std::size_t unit = panel * kLanes;
  multiply<3>(step, panel, row, rows, [&](std::size_t r, const V(&sums)[3]) INLINE {
    const float* input = step.input + r * step.inputPitch + panel * 3 * kLanes;
    const V update = activate(step.activations[0], hn::Add(hn::LoadU(d, input), sums[0]));
    const V reset = activate(step.activations[0], hn::Add(hn::LoadU(d, input + kLanes), sums[1]));
    const V recurrent = hn::Add(sums[2], hn::LoadU(d, step.newBias + unit));
    const V candidate = activate(step.activations[1], hn::MulAdd(reset, recurrent, hn::LoadU(d, input + 2 * kLanes)));
    storeHidden(step, r, unit, mix(update, hn::LoadU(d, step.oldHidden + r * step.pitch + unit), candidate));
  });
}

void gruGates(const RecurrentStep& step, std::size_t panel, std::size_t row, std::size_t rows) {
  const D d;
  const std::size_t unit = panel * kLanes;
  multiply<2>(step, panel, row, rows, [&](std::size_t r, const V(&sums)[2]) INLINE {
    const float* input = step.input + r * step.inputPitch + panel * 3 * kLanes;
    const std::size_t at = r * step.pitch + unit;
    hn::StoreU(activate(step.activations[0], hn::Add(hn::LoadU(d, input), sums[0])), d, step.state + at);
    const V reset = activate(step.activations[0], hn::Add(hn::LoadU(d, input + kLanes), sums[1]));
    hn::StoreU(hn::Mul(reset, hn::LoadU(d, step.oldHidden + at)), d, step.newHidden + at);
  });
}

void gruNew(const RecurrentStep& step, std::size_t panel, std::size_t row, std::size_t rows) {
  const D d;
  const std::size_t unit = panel * kLanes;
  multiply<1>(step, panel, row, rows, [&](std::size_t r, const V(&sums)[1]) INLINE {
    const float* input = step.input + r * step.inputPitch + panel * 3 * kLanes;
    const std::size_t at = r * step.pitch + unit;
    const V candidate = activate(step.activations[1], hn::Add(hn::LoadU(d, input + 2 * kLanes), sums[0]));
    storeHidden(step, r, unit, mix(hn::LoadU(d, step.state + at), hn::LoadU(d, step.oldHidden + at), candidate));
  });
}

void runStep(const RecurrentStep& step, std::size_t panel, std::size_t row, std::size_t rows) {
  switch (step.part) {
    case RecurrentPart::lstm:
      return lstmStep(step, panel, row, rows);
    case RecurrentPart::gru:
      return gruStep(step, panel, row, rows);
    case RecurrentPart::gruGates:
      return gruGates(step, panel, row, rows);
    case RecurrentPart::gruNew:
      return gruNew(step, panel, row, rows);
  }
}

void load(const std::byte* from, bool isHalf, float* to, std::size_t count) {
  if (!isHalf) {
    std::memcpy(to, from, count * sizeof(float));
    return;
  }
  const D d;
  const Halves dh;
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    hn::StoreU(halfToFloat(d, hn::LoadU(dh, reinterpret_cast<const std::uint16_t*>(from) + i)), d, to + i);
  }
  HWY_ALIGN std::uint16_t halves[kLanes] = {};
  HWY_ALIGN float rest[kLanes];
  std::memcpy(halves, from + i * 2, (count - i) * 2);
  hn::Store(halfToFloat(d, hn::Load(dh, halves)), d, rest);
  std::copy(rest, rest + (count - i), to + i);
}

void store(const float* from, bool isHalf, std::byte* to, std::size_t count) { storeSome(from, isHalf, to, count); }

}  // namespace

const RecurrentKernels& kernels() {
  static constexpr RecurrentKernels table{kLanes, runStep, load, store};
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const RecurrentKernels& recurrentKernels(Isa isa) { WEBNN_SELECT(isa, kernels); }
}  // namespace webnn::cpu
#endif
