// Tests the functions of src/backends/cpu/simd/lanes/math-inl.h and half-inl.h, called through the element kernels, against
// double precision.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/elements.h"
#include "compiler/ir/element_program.h"
#include "webnn/types.h"

namespace webnn::cpu {
namespace WEBNN_TEST_FILE {

std::vector<Isa> isas() {
  std::vector<Isa> all;
  for (const Isa isa : {Isa::sse4, Isa::avx2, Isa::avx512, Isa::neon}) {
    if (isSupported(isa)) all.push_back(isa);
  }
  return all;
}

// Returns every 9973rd bit pattern as a float, and special floats of both signs: 0, the limits of denormal and normal numbers,
// 1, infinity and NaN.
std::vector<float> sampledFloats() {
  std::vector<float> xs;
  for (std::uint64_t bits = 0; bits < 0x100000000U; bits += 9973)
    xs.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  for (const std::uint32_t bits : {0U, 1U, 0x007FFFFFU, 0x00800000U, 0x3F800000U, 0x7F7FFFFFU, 0x7F800000U, 0x7FC00000U}) {
    xs.push_back(std::bit_cast<float>(bits));
    xs.push_back(std::bit_cast<float>(bits | 0x80000000U));
  }
  return xs;
}

// Returns the distance of y from the exact result, in float ULPs; infinite if only one is NaN, if zeros differ in sign, or if
// only one is infinite and the other is not next to infinity.
double distance(float y, double exact) {
  const auto rounded = static_cast<float>(exact);
  if (std::isnan(y) || std::isnan(rounded)) return std::isnan(y) && std::isnan(rounded) ? 0 : INFINITY;
  if (y == rounded) return y == 0 && std::signbit(y) != std::signbit(rounded) ? INFINITY : 0;
  if (std::isinf(rounded) || std::isinf(y)) {  // infinity is one unit above the largest number
    const double largest = std::numeric_limits<float>::max();
    return std::fabs(exact) > largest * (1 - 1e-6) && std::fabs(y) > largest * (1 - 1e-6) && (y > 0) == (exact > 0) ? 1
                                                                                                                    : INFINITY;
  }
  const double scale = std::max(std::fabs(exact), static_cast<double>(std::numeric_limits<float>::min()));
  return std::fabs(y - exact) / std::ldexp(1.0, std::ilogb(scale) - 23);
}

struct Function {
  ElementCode code;
  double (*exact)(double);
  double units;
  float p = 0, q = 0;
};

// Returns whether a function rounds a result below the normal numbers to 0. gelu does so only far from 0.
bool flushes(ElementCode code, float x) {
  return x < -1 &&
         (code == ElementCode::exp || code == ElementCode::sigmoid || code == ElementCode::gelu || code == ElementCode::softplus);
}

double gelu(double x) { return 0.5 * x * std::erfc(-x / std::numbers::sqrt2); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double softplus(double x) { return (x > 0 ? x : 0) + (std::isnan(x) ? x : std::log1p(std::exp(-std::fabs(x)))); }
double elu(double x) { return x > 0 ? x : std::isnan(x) ? x : 0 + 1.5 * std::expm1(x); }
double hardSwish(double x) { return std::isnan(x) ? x : x * std::fmax(0, std::fmin(6, x + 3)) / 6; }

void expectWithin(Isa isa, const Function& function, const std::vector<float>& xs) {
  std::vector<float> ys(xs.size());
  elementFunction(isa, function.code)(xs.data(), nullptr, nullptr, ys.data(), xs.size(), function.p, function.q);
  double worst = 0;
  float at = 0;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    double exact = function.exact(static_cast<double>(xs[i]));
    // Next to the smallest normal number, the computed result may be on its other side.
    if (flushes(function.code, xs[i]) && std::fabs(exact) < 0x1.00001p-126 && (std::fabs(exact) < 0x1.FFFFEp-127 || ys[i] == 0))
      exact = std::copysign(0.0, exact);
    const double units = distance(ys[i], exact);
    if (!(units <= worst)) {
      worst = units;
      at = xs[i];
    }
  }
  EXPECT_LE(worst, function.units) << name(isa) << " " << name(function.code) << "(" << at << ")";
  testing::Test::RecordProperty(std::string(name(function.code)) + "_" + std::string(name(isa)), std::to_string(worst));
}

TEST(SimdMath, FunctionsAreWithinUnitsOfTheExactResult) {
  const std::vector<float> xs = sampledFloats();
  const std::vector<Function> functions{
      {ElementCode::exp, std::exp, 1.5},
      {ElementCode::log, std::log, 1.5},
      {ElementCode::tanh, std::tanh, 3},
      {ElementCode::sigmoid, sigmoid, 2.5},
      {ElementCode::erf, std::erf, 2},
      {ElementCode::gelu, gelu, 4},
      {ElementCode::softplus, softplus, 2.5},
      {ElementCode::sin, std::sin, 1.6},
      {ElementCode::cos, std::cos, 1.6},
      {ElementCode::tan, std::tan, 2.5},
      {ElementCode::elu, elu, 3, 1.5F},
      {ElementCode::hardSwish, hardSwish, 2.5},
      {ElementCode::sqrt, [](double x) { return std::sqrt(x); }, 0.5001},
      {ElementCode::reciprocal, [](double x) { return 1 / x; }, 0.5001},
      {ElementCode::softsign, [](double x) { return x / (1 + std::fabs(x)); }, 1.5},
  };
  for (const Isa isa : isas()) {
    for (const Function& function : functions) expectWithin(isa, function, xs);
  }
}

TEST(SimdMath, SiluIsTheProductWithTheSigmoid) {
  const std::vector<float> xs = sampledFloats();
  for (const Isa isa : isas()) {
    std::vector<float> sigmoids(xs.size()), products(xs.size()), silus(xs.size());
    elementFunction(isa, ElementCode::sigmoid)(xs.data(), nullptr, nullptr, sigmoids.data(), xs.size(), 0, 0);
    elementFunction(isa, ElementCode::mul)(xs.data(), sigmoids.data(), nullptr, products.data(), xs.size(), 0, 0);
    elementFunction(isa, ElementCode::silu)(xs.data(), nullptr, nullptr, silus.data(), xs.size(), 0, 0);
    for (std::size_t i = 0; i < xs.size(); ++i) {
      if (std::isnan(products[i]) && std::isnan(silus[i])) continue;
      ASSERT_EQ(std::bit_cast<std::uint32_t>(silus[i]), std::bit_cast<std::uint32_t>(products[i])) << name(isa) << " " << xs[i];
    }
  }
}

// Kernels compute several vectors together, then single vectors, then a part of one.
TEST(SimdMath, ResultsDoNotDependOnThePosition) {
  std::mt19937 random(5);
  std::vector<float> xs;
  for (int i = 0; i < 150; ++i) xs.push_back(static_cast<float>(random() % 20000) / 500 - 20);
  for (const Isa isa : isas()) {
    for (ElementCode code = ElementCode::abs; code < ElementCode::dequantize; code = ElementCode(static_cast<int>(code) + 1)) {
      const auto function = elementFunction(isa, code);
      std::vector<float> whole(xs.size());
      function(xs.data(), nullptr, nullptr, whole.data(), xs.size(), 0.5F, 1.5F);
      for (std::size_t i = 0; i < xs.size(); ++i) {
        float single = 0;
        function(&xs[i], nullptr, nullptr, &single, 1, 0.5F, 1.5F);
        EXPECT_EQ(std::bit_cast<std::uint32_t>(single), std::bit_cast<std::uint32_t>(whole[i]))
            << name(isa) << " " << name(code) << "(" << xs[i] << ") at " << i;
      }
    }
  }
}

TEST(SimdMath, FunctionsOfExponentialsHaveNoDenormalResults) {
  std::vector<float> xs;
  for (float x = -120; x < -10; x += 0.01F) xs.push_back(x);
  for (const Isa isa : isas()) {
    for (const ElementCode code : {ElementCode::exp, ElementCode::sigmoid, ElementCode::gelu, ElementCode::softplus}) {
      std::vector<float> ys(xs.size());
      elementFunction(isa, code)(xs.data(), nullptr, nullptr, ys.data(), xs.size(), 0, 0);
      for (std::size_t i = 0; i < xs.size(); ++i) {
        EXPECT_NE(std::fpclassify(ys[i]), FP_SUBNORMAL) << name(isa) << " " << name(code) << "(" << xs[i] << ")";
      }
    }
  }
}

TEST(SimdMath, ExactFunctionsAreExact) {
  const std::vector<float> xs = sampledFloats();
  const std::vector<Function> functions{
      {ElementCode::abs, [](double x) { return std::fabs(x); }, 0},
      {ElementCode::neg, [](double x) { return -x; }, 0},
      {ElementCode::ceil, [](double x) { return std::ceil(x); }, 0},
      {ElementCode::floor, [](double x) { return std::floor(x); }, 0},
      {ElementCode::roundEven, [](double x) { return std::nearbyint(x); }, 0},
      {ElementCode::sign, [](double x) { return x > 0   ? 1.0
                                                : x < 0 ? -1.0
                                                        : 0.0; }, 0},
      {ElementCode::relu, [](double x) { return x > 0 || std::isnan(x) ? x : 0.0; }, 0},
      {ElementCode::isNaN, [](double x) { return std::isnan(x) ? 1.0 : 0.0; }, 0},
      {ElementCode::isInfinite, [](double x) { return std::isinf(x) ? 1.0 : 0.0; }, 0},
      {ElementCode::logicalNot, [](double x) { return x == 0 ? 1.0 : 0.0; }, 0},
      {ElementCode::linear, [](double x) { return static_cast<double>(3.1F) * x - static_cast<double>(0.7F); }, 0.5001, 3.1F,
       -0.7F},
      {ElementCode::clamp, [](double x) { return x > 5    ? 5.0
                                                 : x <= 0 ? 0.0
                                                          : x; }, 0, 0, 5},
      {ElementCode::clamp, [](double x) { return x < -5   ? -5.0
                                                 : x >= 0 ? -0.0
                                                          : x; }, 0, -5, -0.0F},
  };
  for (const Isa isa : isas()) {
    for (const Function& function : functions) expectWithin(isa, function, xs);
  }
}

TEST(SimdMath, PowerIsWithinAUnitOfTheExactResult) {
  const float bases[] = {0.0F,    -0.0F,  1.0F,  -1.0F,  2.0F,     -2.0F,     0.5F, 3.0F,       -3.0F,      1e-40F,
                         -1e-40F, 1e-30F, 3e38F, -3e38F, INFINITY, -INFINITY, NAN,  1.0000001F, 0.9999999F, -7.0F};
  const float powers[] = {0.0F,  -0.0F,  1.0F,       -1.0F, 2.0F,   -2.0F,    3.0F,      -3.0F, 0.5F,   -0.5F,  1.0F / 3, 1e-10F,
                          1e10F, -1e10F, 8388609.0F, 3e38F, -3e38F, INFINITY, -INFINITY, NAN,   1e-42F, 127.0F, -149.0F};
  std::vector<float> xs, ys;
  for (const float x : bases) {
    for (const float y : powers) xs.push_back(x), ys.push_back(y);
  }
  std::uint32_t state = 1;
  const auto random = [&] { return static_cast<float>((state = state * 1664525U + 1013904223U) >> 8) * 0x1p-24F; };
  for (int i = 0; i < 300000; ++i) {
    xs.push_back(std::exp2(random() * 60 - 30));
    ys.push_back(random() * 12 - 6);
    xs.push_back(std::bit_cast<float>(0x3F7F0000U + static_cast<std::uint32_t>(random() * 0x20000)));
    ys.push_back((random() - 0.5F) * 40000);
  }
  for (const Isa isa : isas()) {
    std::vector<float> results(xs.size());
    elementFunction(isa, ElementCode::pow)(xs.data(), ys.data(), nullptr, results.data(), xs.size(), 0, 0);
    double worst = 0;
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const double units = distance(results[i], std::pow(static_cast<double>(xs[i]), static_cast<double>(ys[i])));
      ASSERT_LE(units, 1) << name(isa) << " pow(" << xs[i] << ", " << ys[i] << ") = " << results[i];
      worst = std::max(worst, units);
    }
    testing::Test::RecordProperty(std::string("pow_") + std::string(name(isa)), std::to_string(worst));
  }
}

TEST(SimdMath, MaximumAndMinimumOrderZerosAndKeepNaN) {
  const std::vector<float> a{0.0F, -0.0F, -0.0F, 1.0F, NAN, 1.0F, -INFINITY, 2.0F, NAN},
      b{-0.0F, 0.0F, -0.0F, NAN, 1.0F, 2.0F, 3.0F, -2.0F, NAN};
  const std::vector<float> greater{0.0F, 0.0F, -0.0F, NAN, NAN, 2.0F, 3.0F, 2.0F, NAN},
      least{-0.0F, -0.0F, -0.0F, NAN, NAN, 1.0F, -INFINITY, -2.0F, NAN};
  for (const Isa isa : isas()) {
    std::vector<float> y(a.size());
    elementFunction(isa, ElementCode::max)(a.data(), b.data(), nullptr, y.data(), a.size(), 0, 0);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(distance(y[i], greater[i]), 0) << name(isa) << " max at " << i;
    elementFunction(isa, ElementCode::min)(a.data(), b.data(), nullptr, y.data(), a.size(), 0, 0);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(distance(y[i], least[i]), 0) << name(isa) << " min at " << i;
  }
}

TEST(SimdMath, HalvesAreConvertedExactly) {
  const std::vector<float> xs = sampledFloats();
  std::vector<float> ties;  // all finite float16 numbers, the midpoints between them, and the floats next to the midpoints
  for (std::uint32_t i = 0; i < 0x7C00U; ++i) {
    const auto value = static_cast<float>(static_cast<double>(Half::fromBits(static_cast<std::uint16_t>(i))));
    const auto next =
        i + 1 == 0x7C00U ? 65536.0F : static_cast<float>(static_cast<double>(Half::fromBits(static_cast<std::uint16_t>(i + 1))));
    const float middle = (value + next) / 2;
    for (const float x : {value, middle, std::nextafter(middle, 0.0F), std::nextafter(middle, 1e9F)})
      ties.push_back(x), ties.push_back(-x);
  }
  for (const Isa isa : isas()) {
    const ElementKernels& kernels = elementKernels(isa);
    for (const std::vector<float>& values : {xs, ties}) {
      std::vector<std::uint16_t> halves(values.size());
      kernels.storeHalf(values.data(), reinterpret_cast<std::byte*>(halves.data()), values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const Half expected(static_cast<double>(values[i]));
        if (std::isnan(values[i])) {
          ASSERT_GT(halves[i] & 0x7FFF, 0x7C00) << name(isa);
        } else {
          ASSERT_EQ(halves[i], expected.bits()) << name(isa) << " of " << values[i];
        }
      }
    }
    std::vector<std::uint16_t> all(65536 + 3);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
    std::vector<float> floats(all.size());
    kernels.loadHalf(reinterpret_cast<const std::byte*>(all.data()), floats.data(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double expected = static_cast<double>(Half::fromBits(all[i]));
      ASSERT_EQ(distance(floats[i], expected), 0) << name(isa) << " of bits " << all[i];
    }
  }
}

// For any size, no element beyond the end may be written.
TEST(SimdMath, AllSizesComputeTheirElementsAndNoOther) {
  for (const Isa isa : isas()) {
    for (std::size_t n = 0; n < 70; ++n) {
      std::vector<float> a(n), b(n), y(n + 4, 77);
      for (std::size_t i = 0; i < n; ++i) a[i] = static_cast<float>(i), b[i] = 0.5F;
      elementFunction(isa, ElementCode::add)(a.data(), b.data(), nullptr, y.data(), n, 0, 0);
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(y[i], static_cast<float>(i) + 0.5F);
      for (std::size_t i = n; i < y.size(); ++i) ASSERT_EQ(y[i], 77);
      std::vector<std::byte> bytes(n + 4, std::byte{9});
      for (std::size_t i = 0; i < n; ++i) a[i] = static_cast<float>(i % 2);
      elementKernels(isa).storeByte(a.data(), bytes.data(), n);
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(static_cast<std::size_t>(bytes[i]), i % 2);
      for (std::size_t i = n; i < bytes.size(); ++i) ASSERT_EQ(bytes[i], std::byte{9});
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::cpu
