#include "backends/reference/activation.h"

#include <numbers>

#include "backends/reference/elementwise.h"

namespace webnn::reference {

namespace {

using ops::ActivationKind;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// Computes log(1 + exp(x)) in a form in which exp cannot overflow and small results keep their precision.
double softplus(double x) { return maximum(0.0, x) + std::log1p(std::exp(-std::fabs(x))); }

// Uses erfc(-z) for 1 + erf(z), because the sum would lose all significant digits for very negative z.
double gelu(double x) { return 0.5 * x * std::erfc(-x / std::numbers::sqrt2); }

double hardSwish(double x) { return x * maximum(0.0, minimum(6.0, x + 3)) / 6; }

double hardSigmoid(double x, double alpha, double beta) { return maximum(minimum(alpha * x + beta, 1.0), 0.0); }

double elu(double x, double alpha) { return maximum(0.0, x) + alpha * std::expm1(minimum(0.0, x)); }

template <typename T>
T relu(T x) {
  return maximum(T{0}, x);
}

// For integers, products and sums wrap around.
template <typename T>
T leakyRelu(T x, T slope) {
  return add(relu(x), multiply(slope, minimum(T{0}, x)));
}

// Evaluates the activations that exist for floats only. At infinities, the specification's expressions give NaN for gelu(-inf),
// hardSwish(-inf) and softsign(+-inf), because infinity times 0 and infinity divided by infinity are NaN.
double evaluate(ActivationKind kind, double x) {
  switch (kind) {
    case ActivationKind::gelu: return gelu(x);
    case ActivationKind::hardSwish: return hardSwish(x);
    case ActivationKind::sigmoid: return sigmoid(x);
    case ActivationKind::softplus: return softplus(x);
    case ActivationKind::softsign: return x / (1 + std::fabs(x));
    case ActivationKind::tanh: return std::tanh(x);
    case ActivationKind::relu: break;
  }
  return relu(x);
}

// Replaces each of `count` elements, which are `stride` apart, by exp(x - max) / sum(exp(x - max)). If a row contains NaN or
// +inf, or only -inf, all its results are NaN.
void softmaxRow(double* x, std::size_t count, std::size_t stride, Progress& progress) {
  double greatest = x[0];
  for (std::size_t i = 1; i < count; ++i, progress.count()) greatest = maximum(greatest, x[i * stride]);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i, progress.count()) sum += x[i * stride] = std::exp(x[i * stride] - greatest);
  for (std::size_t i = 0; i < count; ++i, progress.count()) x[i * stride] /= sum;
}

}  // namespace

void run(const ops::Activation& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  if (op.kind == ActivationKind::relu) return mapAny(input, frame.output(), [](auto x) { return relu(x); });
  mapReals(input, frame.output(), [&](double x) { return evaluate(op.kind, x); });
}

void run(const ops::Elu& op, Environment& frame) {
  mapReals(frame[op.input], frame.output(), [&](double x) { return elu(x, op.options.alpha); });
}

void run(const ops::LeakyRelu& op, Environment& frame) {
  mapReals(frame[op.input], frame.output(), [&](double x) { return leakyRelu(x, op.options.alpha); });
}

void run(const ops::HardSigmoid& op, Environment& frame) {
  mapReals(frame[op.input], frame.output(), [&](double x) { return hardSigmoid(x, op.options.alpha, op.options.beta); });
}

void run(const ops::Linear& op, Environment& frame) {
  mapReals(frame[op.input], frame.output(), [&](double x) { return op.options.alpha * x + op.options.beta; });
}

void run(const ops::Prelu& op, Environment& frame) {
  const NdArray &input = frame[op.input], &slope = frame[op.slope];
  visitType(input.dataType(), [&]<typename T>(T) {
    mapBroadcast<T, T>(input, slope, frame.output(), [](auto x, auto s) { return leakyRelu(x, s); });
  });
}

void run(const ops::Softmax& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  std::vector<double> values = input.toDoubles();
  const std::size_t stride = stridesOf(input.shape())[op.axis], count = input.shape()[op.axis];
  Progress progress;
  for (std::size_t block = 0; block < values.size(); block += count * stride) {
    for (std::size_t i = 0; i < stride; ++i) softmaxRow(&values[block + i], count, stride, progress);
  }
  frame.output().setDoubles(values);
}

}  // namespace webnn::reference
