#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/recurrent.cpp"
#include "backends/cpu/simd/recurrent.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "backends/cpu/simd/lanes/half-inl.h"
#include "backends/cpu/simd/lanes/math-inl.h"
#include "backends/cpu/simd/lanes/partial-inl.h"
#include "backends/cpu/simd/lanes/unrolled-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
using Halves = hn::Rebind<std::uint16_t, D>;
constexpr std::size_t kLanes = hn::MaxLanes(D());
// Number of registers for accumulators; the others hold weights and inputs.
constexpr std::size_t kSums = HWY_TARGET == HWY_AVX3 ? 16 : 8;

// The maximum number of panels that a call computes for one row. With several panels, the weights are loaded faster, as several
// memory streams, and the activations of the panels overlap.
constexpr std::size_t kPanels = kSums / 4;

// The gate values of a step's panels: [gate][panel][lane].
using Gates = std::array<float, 4 * kPanels * kLanes>;

HWY_NOINLINE void activate(RecurrentNetworkActivation activation, float* x, std::size_t vectors) {
  const D d;
  const auto forAll = [&](auto function) WEBNN_INLINE_LAMBDA {
    for (std::size_t i = 0; i < vectors; ++i) hn::StoreU(function(hn::LoadU(d, x + i * kLanes)), d, x + i * kLanes);
  };
  switch (activation) {
    case RecurrentNetworkActivation::relu:
      return forAll([&](V v) WEBNN_INLINE_LAMBDA { return hn::IfThenZeroElse(hn::Lt(v, hn::Zero(d)), v); });
    case RecurrentNetworkActivation::sigmoid: return forAll([&](V v) WEBNN_INLINE_LAMBDA { return sigmoid(d, v); });
    case RecurrentNetworkActivation::tanh: return forAll([&](V v) WEBNN_INLINE_LAMBDA { return tanh(d, v); });
  }
}

// Sums hidden[row][k] * weights[k][gate][lane] over k for kRows rows of one panel, then calls epilogue(row, panel, 1, gates) for
// each row. Each sum has kParts accumulators, which alternate over k, to hide the latency of additions.
template <std::size_t kGates, std::size_t kRows, typename Epilogue>
HWY_INLINE void multiplyRows(const RecurrentStep& step, std::size_t panel, std::size_t row, Epilogue&& epilogue) {
  constexpr std::size_t kParts = std::max<std::size_t>(kSums / (kGates * kRows), 1);
  const D d;
  const float* HWY_RESTRICT weights = step.recurrent + panel * step.panelStride;
  const float* HWY_RESTRICT hidden = step.hidden + row * step.rowStride;
  V sums[kParts][kRows][kGates];
  unrolled<kParts>([&](auto part) WEBNN_INLINE_LAMBDA {
    unrolled<kRows>([&](auto r) WEBNN_INLINE_LAMBDA {
      unrolled<kGates>([&](auto gate) WEBNN_INLINE_LAMBDA { sums[part][r][gate] = hn::Zero(d); });
    });
  });
  const auto add = [&](auto part, const float* HWY_RESTRICT w, const float* HWY_RESTRICT h) WEBNN_INLINE_LAMBDA {
    V elements[kRows];
    unrolled<kRows>([&](auto r) WEBNN_INLINE_LAMBDA { elements[r] = hn::Set(d, h[r * step.rowStride]); });
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
  unrolled<kRows>([&](auto r) WEBNN_INLINE_LAMBDA {
    Gates gates;
    unrolled<kGates>([&](auto gate) WEBNN_INLINE_LAMBDA { hn::StoreU(sums[0][r][gate], d, gates.data() + gate * kLanes); });
    epilogue(row + r, panel, 1, gates);
  });
}

// Works like multiplyRows(), for one row and kCount panels. The order of summation does not depend on the number of panels.
template <std::size_t kGates, std::size_t kCount, typename Epilogue>
HWY_INLINE void multiplyPanels(const RecurrentStep& step, std::size_t panel, std::size_t row, Epilogue&& epilogue) {
  const D d;
  const std::size_t panelStride = step.panelStride;
  const float* HWY_RESTRICT weights = step.recurrent + panel * panelStride;
  const float* HWY_RESTRICT hidden = step.hidden + row * step.rowStride;
  std::array<V, kGates * kCount> sums;
  unrolled<kGates * kCount>([&](auto i) WEBNN_INLINE_LAMBDA { sums[i] = hn::Zero(d); });
  const auto add = [&](std::size_t i) WEBNN_INLINE_LAMBDA {
    const V element = hn::Set(d, hidden[i]);
    unrolled<kCount>([&](auto p) WEBNN_INLINE_LAMBDA {
      const float* HWY_RESTRICT w = weights + p * panelStride + i * kGates * kLanes;
      unrolled<kGates>([&](auto gate) WEBNN_INLINE_LAMBDA {
        V& sum = sums[gate * kCount + p];
        sum = hn::MulAdd(hn::LoadU(d, w + gate * kLanes), element, sum);
      });
    });
  };
  std::size_t k = step.hiddenSize;
  for (; k >= 2; k -= 2, hidden += 2, weights += 2 * kGates * kLanes) {
    add(0);
    add(1);
  }
  if (k > 0) add(0);
  Gates gates;
  unrolled<kGates * kCount>([&](auto i) WEBNN_INLINE_LAMBDA { hn::StoreU(sums[i], d, gates.data() + i * kLanes); });
  epilogue(row, panel, kCount, gates);
}

template <std::size_t kGates, typename Epilogue>
HWY_INLINE void multiply(const RecurrentStep& step, std::size_t panel, std::size_t panels, std::size_t row, std::size_t rows,
                         Epilogue&& epilogue) {
  if (rows == 1) {
    const std::size_t end = panel + panels;
    if constexpr (kPanels == 4) {
      for (; panel + 4 <= end; panel += 4) multiplyPanels<kGates, 4>(step, panel, row, epilogue);
    }
    for (; panel + 2 <= end; panel += 2) multiplyPanels<kGates, 2>(step, panel, row, epilogue);
    if (panel < end) multiplyPanels<kGates, 1>(step, panel, row, epilogue);
    return;
  }
  const std::size_t end = row + rows;
  if constexpr (kSums == 16) {
    for (; row + 4 <= end; row += 4) multiplyRows<kGates, 4>(step, panel, row, epilogue);
  }
  for (; row + 2 <= end; row += 2) multiplyRows<kGates, 2>(step, panel, row, epilogue);
  if (row < end) multiplyRows<kGates, 1>(step, panel, row, epilogue);
}

HWY_NOINLINE void store(const float* from, bool isHalf, std::byte* to, std::size_t count) {
  if (!isHalf) {
    std::memcpy(to, from, count * sizeof(float));
    return;
  }
  convertAll(D(), Halves(), from, reinterpret_cast<std::uint16_t*>(to), count,
             [](auto x) HWY_ATTR { return floatToHalf(D(), x); });
}

// Stores a new hidden state in newHidden, and in `sequence` unless that is null.
HWY_INLINE void storeHidden(const RecurrentStep& step, std::size_t row, std::size_t unit, V hidden) {
  const D d;
  float* to = step.newHidden + row * step.rowStride + unit;
  hn::StoreU(hidden, d, to);
  if (!step.sequence) return;
  const std::size_t at = row * step.hiddenSize + unit, count = std::min(kLanes, step.hiddenSize - unit);
  if (!step.isHalf && count == kLanes) {
    hn::StoreU(hidden, d, reinterpret_cast<float*>(step.sequence) + at);
  } else {
    store(to, step.isHalf, step.sequence + at * (step.isHalf ? 2 : 4), count);
  }
}

// Adds step.input to the sums of gates [firstGate, firstGate + gates), then the bias. The bias comes last, because it may be much
// larger than the result.
template <std::size_t kGates>
HWY_INLINE void addInputs(const RecurrentStep& step, std::size_t panel, std::size_t panels, std::size_t row,
                          std::size_t firstGate, std::size_t gates, float* sums) {
  const D d;
  for (std::size_t gate = firstGate; gate < firstGate + gates; ++gate) {
    for (std::size_t p = 0; p < panels; ++p, sums += kLanes) {
      const std::size_t at = ((panel + p) * kGates + gate) * kLanes;
      const V input = hn::LoadU(d, step.input + row * step.inputStride + at);
      hn::StoreU(hn::Add(hn::Add(input, hn::LoadU(d, sums)), hn::LoadU(d, step.bias + at)), d, sums);
    }
  }
}

void lstmStep(const RecurrentStep& step, std::size_t panel, std::size_t panels, std::size_t row, std::size_t rows) {
  multiply<4>(step, panel, panels, row, rows, [&](std::size_t r, std::size_t first, std::size_t count, Gates& gates) HWY_ATTR {
    const D d;
    const std::size_t units = count * kLanes, unit = first * kLanes;
    float* state = step.state + r * step.rowStride + unit;
    addInputs<4>(step, first, count, r, 0, 4, gates.data());
    for (std::size_t gate = 0; step.peephole && gate < 3; ++gate) {
      float* sums = &gates[gate * units];
      for (std::size_t i = 0; i < units; i += kLanes) {
        const V weight = hn::LoadU(d, step.peephole + gate * step.rowStride + unit + i);
        hn::StoreU(hn::MulAdd(hn::LoadU(d, state + i), weight, hn::LoadU(d, sums + i)), d, sums + i);
      }
    }
    activate(step.activations[0], gates.data(), 3 * count);
    activate(step.activations[1], &gates[3 * units], count);
    for (std::size_t i = 0; i < units; i += kLanes) {
      const V in = hn::LoadU(d, &gates[i]), forget = hn::LoadU(d, &gates[2 * units + i]);
      const V cell = hn::MulAdd(forget, hn::LoadU(d, state + i), hn::Mul(in, hn::LoadU(d, &gates[3 * units + i])));
      hn::StoreU(cell, d, state + i);
      hn::StoreU(cell, d, &gates[i]);
    }
    activate(step.activations[2], gates.data(), count);
    for (std::size_t i = 0; i < units; i += kLanes) {
      storeHidden(step, r, unit + i, hn::Mul(hn::LoadU(d, &gates[units + i]), hn::LoadU(d, &gates[i])));
    }
  });
}

HWY_INLINE V mix(V update, V hidden, V candidate) {
  return hn::MulAdd(update, hidden, hn::Mul(hn::Sub(hn::Set(D(), 1.0F), update), candidate));
}

void gruStep(const RecurrentStep& step, std::size_t panel, std::size_t panels, std::size_t row, std::size_t rows) {
  multiply<3>(step, panel, panels, row, rows, [&](std::size_t r, std::size_t first, std::size_t count, Gates& gates) HWY_ATTR {
    const D d;
    const std::size_t units = count * kLanes, unit = first * kLanes;
    addInputs<3>(step, first, count, r, 0, 2, gates.data());
    activate(step.activations[0], gates.data(), 2 * count);
    float* candidates = &gates[2 * units];
    for (std::size_t i = 0; i < units; i += kLanes) {
      const V recurrent = hn::Add(hn::LoadU(d, candidates + i), hn::LoadU(d, step.newBias + unit + i));
      hn::StoreU(hn::Mul(hn::LoadU(d, &gates[units + i]), recurrent), d, candidates + i);
    }
    addInputs<3>(step, first, count, r, 2, 1, candidates);
    activate(step.activations[1], candidates, count);
    for (std::size_t i = 0; i < units; i += kLanes) {
      const V hidden = hn::LoadU(d, step.oldHidden + r * step.rowStride + unit + i);
      storeHidden(step, r, unit + i, mix(hn::LoadU(d, &gates[i]), hidden, hn::LoadU(d, candidates + i)));
    }
  });
}

void gruGates(const RecurrentStep& step, std::size_t panel, std::size_t panels, std::size_t row, std::size_t rows) {
  multiply<2>(step, panel, panels, row, rows, [&](std::size_t r, std::size_t first, std::size_t count, Gates& gates) HWY_ATTR {
    const D d;
    const std::size_t units = count * kLanes, at = r * step.rowStride + first * kLanes;
    addInputs<3>(step, first, count, r, 0, 2, gates.data());
    activate(step.activations[0], gates.data(), 2 * count);
    for (std::size_t i = 0; i < units; i += kLanes) {
      hn::StoreU(hn::LoadU(d, &gates[i]), d, step.state + at + i);
      const V reset = hn::LoadU(d, &gates[units + i]);
      hn::StoreU(hn::Mul(reset, hn::LoadU(d, step.oldHidden + at + i)), d, step.newHidden + at + i);
    }
  });
}

void gruNew(const RecurrentStep& step, std::size_t panel, std::size_t panels, std::size_t row, std::size_t rows) {
  multiply<1>(step, panel, panels, row, rows, [&](std::size_t r, std::size_t first, std::size_t count, Gates& gates) HWY_ATTR {
    const D d;
    const std::size_t units = count * kLanes, unit = first * kLanes, at = r * step.rowStride + unit;
    addInputs<3>(step, first, count, r, 2, 1, gates.data());
    activate(step.activations[1], gates.data(), count);
    for (std::size_t i = 0; i < units; i += kLanes) {
      const V update = hn::LoadU(d, step.state + at + i), hidden = hn::LoadU(d, step.oldHidden + at + i);
      storeHidden(step, r, unit + i, mix(update, hidden, hn::LoadU(d, &gates[i])));
    }
  });
}

void runStep(const RecurrentStep& step, std::size_t panel, std::size_t panels, std::size_t row, std::size_t rows) {
  switch (step.part) {
    case RecurrentPart::lstm: return lstmStep(step, panel, panels, row, rows);
    case RecurrentPart::gru: return gruStep(step, panel, panels, row, rows);
    case RecurrentPart::gruGates: return gruGates(step, panel, panels, row, rows);
    case RecurrentPart::gruNew: return gruNew(step, panel, panels, row, rows);
  }
}

void load(const std::byte* from, bool isHalf, float* to, std::size_t count) {
  if (!isHalf) {
    std::memcpy(to, from, count * sizeof(float));
    return;
  }
  convertAll(Halves(), D(), reinterpret_cast<const std::uint16_t*>(from), to, count,
             [](auto x) HWY_ATTR { return halfToFloat(D(), x); });
}

}  // namespace

const RecurrentKernels& recurrentTable() {
  static constexpr RecurrentKernels table{kLanes, kPanels, runStep, load, store};
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
