// Elementwise operators that the host computes in double precision, because WebNN has no type double and no tensors without
// elements.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "onnx/program/foreign.h"
#include "onnx/program/host/broadcast.h"

namespace webnn::formats::onnx {

namespace {

void runUnary(HostNode& node, auto apply) {
  std::vector<double> numbers = node.numbers(0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    node.tick();
    numbers[i] = apply(numbers[i]);
  }
  node.set(0, node.makeNumbers(node.value(0).type, node.dims(0), numbers));
}

template <double (*function)(double)>
void unary(HostNode& node) {
  runUnary(node, function);
}

double negated(double x) { return -x; }
double reciprocal(double x) { return 1 / x; }
double signOf(double x) { return std::isnan(x) ? x : static_cast<double>(x > 0) - static_cast<double>(x < 0); }
double relu(double x) { return std::isnan(x) ? x : std::max(x, 0.0); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }
double softsign(double x) { return x / (1 + std::fabs(x)); }
double mish(double x) { return x * std::tanh(softplus(x)); }
double hardSwish(double x) { return x * std::clamp(x / 6 + 0.5, 0.0, 1.0); }

void runLeakyRelu(HostNode& node) {
  const double alpha = node.number("alpha", 0.01F);
  runUnary(node, [=](double x) { return x < 0 ? alpha * x : x; });
}
void runElu(HostNode& node) {
  const double alpha = node.number("alpha", 1);
  runUnary(node, [=](double x) { return x < 0 ? alpha * std::expm1(x) : x; });
}
void runCelu(HostNode& node) {
  const double alpha = node.number("alpha", 1);
  runUnary(node, [=](double x) { return std::max(x, 0.0) + std::min(alpha * std::expm1(x / alpha), 0.0); });
}
void runSelu(HostNode& node) {
  const double alpha = node.number("alpha", 1.67326319217681884765625F), gamma = node.number("gamma", 1.05070102214813232421875F);
  runUnary(node, [=](double x) { return gamma * (x < 0 ? alpha * std::expm1(x) : x); });
}
void runHardSigmoid(HostNode& node) {
  const double alpha = node.number("alpha", 0.2F), beta = node.number("beta", 0.5);
  runUnary(node, [=](double x) { return std::clamp(alpha * x + beta, 0.0, 1.0); });
}
void runThresholdedRelu(HostNode& node) {
  const double alpha = node.number("alpha", 1);
  runUnary(node, [=](double x) { return x > alpha ? x : 0; });
}
void runShrink(HostNode& node) {
  const double lambda = node.number("lambd", 0.5), bias = node.number("bias", 0);
  runUnary(node, [=](double x) { return x < -lambda ? x + bias : x > lambda ? x - bias : 0; });
}
void runGelu(HostNode& node) {
  constexpr double kHalfRoot = 0.70710678118654752440, kTanhScale = 0.79788456080286535588;
  const bool isTanh = node.text("approximate", "none") == "tanh";
  runUnary(node, [=](double x) {
    return isTanh ? 0.5 * x * (1 + std::tanh(kTanhScale * (x + 0.044715 * x * x * x))) : 0.5 * x * (1 + std::erf(x * kHalfRoot));
  });
}
void runClip(HostNode& node) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto bound = [&](std::size_t i, std::string_view name, double absent) {
    if (!node.has(i)) return node.number(name, absent);
    const std::vector<double> given = node.numbers(i);
    return given.size() == 1 ? given[0] : absent;
  };
  const double least = bound(1, "min", -infinity), most = bound(2, "max", infinity);
  runUnary(node, [=](double x) { return std::isnan(x) ? x : std::min(std::max(x, least), most); });
}

void runBinary(HostNode& node, auto apply) {
  const Broadcast broadcast(node, {&node.dims(0), &node.dims(1)});
  const std::vector<double> a = node.numbers(0), b = node.numbers(1);
  std::vector<double> numbers;
  node.takeRoom(broadcast.count(), sizeof(double));
  numbers.reserve(broadcast.count());
  broadcast.each([&](const auto& at) { numbers.push_back(apply(a[at[0]], b[at[1]])); });
  node.set(0, node.makeNumbers(node.value(0).type, broadcast.dims(), numbers));
}

void runAdd(HostNode& node) { runBinary(node, std::plus<>()); }
void runSub(HostNode& node) { runBinary(node, std::minus<>()); }
void runMul(HostNode& node) { runBinary(node, std::multiplies<>()); }
void runDiv(HostNode& node) { runBinary(node, std::divides<>()); }
void runPow(HostNode& node) {
  runBinary(node, [](double a, double b) { return std::pow(a, b); });
}
void runPRelu(HostNode& node) {
  runBinary(node, [](double x, double slope) { return x < 0 ? x * slope : x; });
}
void runMod(HostNode& node) {
  const bool isTruncated = node.integer("fmod", 0) != 0;
  runBinary(node, [=](double a, double b) {
    const double rest = std::fmod(a, b);
    return !isTruncated && rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  });
}

template <typename Compare>
void runComparison(HostNode& node) {
  const Broadcast broadcast(node, {&node.dims(0), &node.dims(1)});
  const std::vector<double> a = node.numbers(0), b = node.numbers(1);
  std::vector<double> numbers;
  node.takeRoom(broadcast.count(), sizeof(double));
  numbers.reserve(broadcast.count());
  broadcast.each([&](const auto& at) { numbers.push_back(Compare()(a[at[0]], b[at[1]]) ? 1 : 0); });
  node.set(0, node.makeNumbers(ElementType::boolean, broadcast.dims(), numbers));
}

void setTruths(HostNode& node, auto isTrue) {
  std::vector<double> numbers = node.numbers(0);
  for (double& number : numbers) {
    node.tick();
    number = isTrue(number) ? 1 : 0;
  }
  node.set(0, node.makeNumbers(ElementType::boolean, node.dims(0), numbers));
}
void runIsNaN(HostNode& node) {
  setTruths(node, [](double x) { return std::isnan(x); });
}
void runIsInf(HostNode& node) {
  const bool negative = node.integer("detect_negative", 1) != 0, positive = node.integer("detect_positive", 1) != 0;
  setTruths(node, [=](double x) { return std::isinf(x) && (x < 0 ? negative : positive); });
}

// Computes an operator that combines any number of inputs, such as Max or Mean.
void runVariadic(HostNode& node, auto combine, bool isMean = false) {
  std::vector<const Dims*> dims;
  std::vector<std::vector<double>> inputs;
  for (std::size_t i = 0; i < node.inputCount(); ++i) {
    dims.push_back(&node.dims(i));
    inputs.push_back(node.numbers(i));
  }
  const Broadcast broadcast(node, dims);
  std::vector<double> numbers;
  node.takeRoom(broadcast.count(), sizeof(double));
  numbers.reserve(broadcast.count());
  broadcast.each([&](const auto& at) {
    double result = inputs.at(0)[at[0]];
    for (std::size_t i = 1; i < inputs.size(); ++i) result = combine(result, inputs[i][at[i]]);
    numbers.push_back(isMean ? result / static_cast<double>(inputs.size()) : result);
  });
  node.set(0, node.makeNumbers(node.value(0).type, broadcast.dims(), numbers));
}
void runSum(HostNode& node) { runVariadic(node, std::plus<>()); }
void runMean(HostNode& node) { runVariadic(node, std::plus<>(), true); }
void runMax(HostNode& node) {
  runVariadic(node, [](double a, double b) { return std::isnan(a) || a > b ? a : b; });
}
void runMin(HostNode& node) {
  runVariadic(node, [](double a, double b) { return std::isnan(a) || a < b ? a : b; });
}

}  // namespace

std::span<const DoubleStep> doubleElementSteps() {
  static constexpr DoubleStep kSteps[]{{"Abs", unary<std::fabs>},
                                       {"Acos", unary<std::acos>},
                                       {"Acosh", unary<std::acosh>},
                                       {"Add", runAdd},
                                       {"Asin", unary<std::asin>},
                                       {"Asinh", unary<std::asinh>},
                                       {"Atan", unary<std::atan>},
                                       {"Atanh", unary<std::atanh>},
                                       {"Ceil", unary<std::ceil>},
                                       {"Celu", runCelu},
                                       {"Clip", runClip},
                                       {"Cos", unary<std::cos>},
                                       {"Cosh", unary<std::cosh>},
                                       {"Div", runDiv},
                                       {"Elu", runElu},
                                       {"Equal", runComparison<std::equal_to<>>},
                                       {"Erf", unary<std::erf>},
                                       {"Exp", unary<std::exp>},
                                       {"Floor", unary<std::floor>},
                                       {"Gelu", runGelu},
                                       {"Greater", runComparison<std::greater<>>},
                                       {"GreaterOrEqual", runComparison<std::greater_equal<>>},
                                       {"HardSigmoid", runHardSigmoid},
                                       {"HardSwish", unary<hardSwish>},
                                       {"IsInf", runIsInf},
                                       {"IsNaN", runIsNaN},
                                       {"LeakyRelu", runLeakyRelu},
                                       {"Less", runComparison<std::less<>>},
                                       {"LessOrEqual", runComparison<std::less_equal<>>},
                                       {"Log", unary<std::log>},
                                       {"Max", runMax},
                                       {"Mean", runMean},
                                       {"Min", runMin},
                                       {"Mish", unary<mish>},
                                       {"Mod", runMod},
                                       {"Mul", runMul},
                                       {"Neg", unary<negated>},
                                       {"PRelu", runPRelu},
                                       {"Pow", runPow},
                                       {"Reciprocal", unary<reciprocal>},
                                       {"Relu", unary<relu>},
                                       {"Round", unary<std::nearbyint>},
                                       {"Selu", runSelu},
                                       {"Shrink", runShrink},
                                       {"Sigmoid", unary<sigmoid>},
                                       {"Sign", unary<signOf>},
                                       {"Sin", unary<std::sin>},
                                       {"Sinh", unary<std::sinh>},
                                       {"Softplus", unary<softplus>},
                                       {"Softsign", unary<softsign>},
                                       {"Sqrt", unary<std::sqrt>},
                                       {"Sub", runSub},
                                       {"Sum", runSum},
                                       {"Tan", unary<std::tan>},
                                       {"Tanh", unary<std::tanh>},
                                       {"ThresholdedRelu", runThresholdedRelu}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
