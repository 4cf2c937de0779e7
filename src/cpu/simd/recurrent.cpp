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
#include "cpu/simd/unrolled-inl.h"

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
  unrolled<kParts>([&](auto part) WEBNN_INLINE_LAMBDA {
    unrolled<kRows>([&](auto r) WEBNN_INLINE_LAMBDA {
      unrolled<kGates>([&](auto gate) WEBNN_INLINE_LAMBDA { sums[part][r][gate] = hn::Zero(d); });
    });
  });
  const auto add = [&](auto part, const float* HWY_RESTRICT w, const float* HWY_RESTRICT h) WEBNN_INLINE_LAMBDA {
    V elements[kRows];
    unrolled<kRows>([&](auto r) WEBNN_INLINE_LAMBDA { elements[r] = hn::Set(d, h[r * step.pitch]); });
    unrolled<kGates>([&](auto gate) WEBNN_INLINE_LAMBDA {
      const V weight = hn::LoadU(d, w + gate * kLanes);
      unrolled<kRows>([&](auto r)
                          WEBNN_INLINE_LAMBDA { sums[part][r][gate] = hn::MulAdd(weight, elements[r], sums[part][r][gate]); });
    });
  };
  std::size_t k = 0;
  for (; k + kParts <= step.hiddenSize; k += kParts, weights += kParts * kGates * kLanes) {
    unrolled<kParts>([&](auto part) WEBNN_INLINE_LAMBDA { add(part, weights + part * kGates * kLanes, hidden + k + part); });
  }
  for (; k < step.hiddenSize; ++k, weights += kGates * kLanes) add(std::integral_constant<std::size_t, 0>(), weights, hidden + k);
  unrolled<kParts - 1>([&](auto part) WEBNN_INLINE_LAMBDA {
    unrolled<kRows>([&](auto r) WEBNN_INLINE_LAMBDA {
      unrolled<kGates>([&](auto gate)
                           WEBNN_INLINE_LAMBDA { sums[0][r][gate] = hn::Add(sums[0][r][gate], sums[part + 1][r][gate]); });
    });
  });
  unrolled<kRows>([&](auto r) WEBNN_INLINE_LAMBDA { finish(row + r, sums[0][r]); });
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

// The i-th of a panel's gates: what inputs and hidden states give, then the bias, which may be much larger than the result.
template <std::size_t kGates>
HWY_INLINE V addUp(const RecurrentStep& step, std::size_t panel, std::size_t row, std::size_t i, V sum) {
  const D d;
  const std::size_t at = (panel * kGates + i) * kLanes;
  return hn::Add(hn::Add(hn::LoadU(d, step.input + row * step.inputPitch + at), sum), hn::LoadU(d, step.bias + at));
}

void lstmStep(const RecurrentStep& step, std::size_t panel, std::size_t row, std::size_t rows) {
  const D d;
  const std::size_t unit = panel * kLanes;
  multiply<4>(step, panel, row, rows, [&](std::size_t r, const V(&sums)[4]) WEBNN_INLINE_LAMBDA {
    float* state = step.state + r * step.pitch + unit;
    const V oldCell = hn::LoadU(d, state);
    const auto gate = [&](std::size_t i) WEBNN_INLINE_LAMBDA {
      const V sum = addUp<4>(step, panel, r, i, i == 0 ? sums[0] : i == 1 ? sums[1] : i == 2 ? sums[2] : sums[3]);
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
  multiply<3>(step, panel, row, rows, [&](std::size_t r, const V(&sums)[3]) WEBNN_INLINE_LAMBDA {
    const V update = activate(step.activations[0], addUp<3>(step, panel, r, 0, sums[0]));
    const V reset = activate(step.activations[0], addUp<3>(step, panel, r, 1, sums[1]));
    const V recurrent = hn::Add(sums[2], hn::LoadU(d, step.newBias + unit));
    const V candidate = activate(step.activations[1], addUp<3>(step, panel, r, 2, hn::Mul(reset, recurrent)));
    storeHidden(step, r, unit, mix(update, hn::LoadU(d, step.oldHidden + r * step.pitch + unit), candidate));
  });
}

void gruGates(const RecurrentStep& step, std::size_t panel, std::size_t row, std::size_t rows) {
  const D d;
  const std::size_t unit = panel * kLanes;
  multiply<2>(step, panel, row, rows, [&](std::size_t r, const V(&sums)[2]) WEBNN_INLINE_LAMBDA {
    const std::size_t at = r * step.pitch + unit;
    hn::StoreU(activate(step.activations[0], addUp<3>(step, panel, r, 0, sums[0])), d, step.state + at);
    const V reset = activate(step.activations[0], addUp<3>(step, panel, r, 1, sums[1]));
    hn::StoreU(hn::Mul(reset, hn::LoadU(d, step.oldHidden + at)), d, step.newHidden + at);
  });
}

void gruNew(const RecurrentStep& step, std::size_t panel, std::size_t row, std::size_t rows) {
  const D d;
  const std::size_t unit = panel * kLanes;
  multiply<1>(step, panel, row, rows, [&](std::size_t r, const V(&sums)[1]) WEBNN_INLINE_LAMBDA {
    const std::size_t at = r * step.pitch + unit;
    const V candidate = activate(step.activations[1], addUp<3>(step, panel, r, 2, sums[0]));
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

const RecurrentKernels& recurrentTable() {
  static constexpr RecurrentKernels table{kLanes, runStep, load, store};
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const RecurrentKernels& recurrentKernels(Isa isa) { WEBNN_SELECT(isa, recurrentTable); }
}  // namespace webnn::cpu
#endif
