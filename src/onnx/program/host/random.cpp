// Random numbers: the 64-bit Mersenne Twister (std::mt19937_64), seeded by SessionOptions::seed, or by the node's own attribute
// `seed`, which gives the same numbers in each run. A uniform number takes the upper 53 bits of a draw. Normal numbers are made
// in pairs by the Box-Muller method. Distributions of the standard library are not used, because libraries implement them
// differently.
#include <bit>
#include <cmath>
#include <numbers>

#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

namespace {

// Returns a uniformly distributed number in [0, 1).
double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

void draw(HostNode& node, const std::function<void(std::mt19937_64&)>& use) {
  if (!node.find("seed")) return node.withRandom(use);
  std::mt19937_64 own(std::bit_cast<std::uint32_t>(static_cast<float>(node.number("seed", 0))));
  use(own);
}

std::vector<double> normals(const HostNode& node, std::mt19937_64& random, std::size_t count, double mean, double scale) {
  std::vector<double> numbers;
  while (numbers.size() < count) {
    if (numbers.size() % 65536 == 0) node.check();
    const double radius = std::sqrt(-2 * std::log(1 - uniform(random))), angle = 2 * std::numbers::pi * uniform(random);
    numbers.push_back(mean + scale * radius * std::cos(angle));
    numbers.push_back(mean + scale * radius * std::sin(angle));
  }
  numbers.resize(count);
  return numbers;
}

std::vector<double> uniforms(const HostNode& node, std::mt19937_64& random, std::size_t count, double low, double high) {
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 65536 == 0) node.check();
    numbers[i] = low + (high - low) * uniform(random);
  }
  return numbers;
}

void runRandom(HostNode& node, bool isLike, bool isNormal) {
  const Dims dims = isLike ? node.dims(0) : node.integers("shape");
  const ElementType otherwise = isLike ? node.value(0).type : ElementType::float32;
  const auto type = static_cast<ElementType>(node.integer("dtype", static_cast<std::int64_t>(otherwise)));
  std::vector<double> numbers;
  node.takeRoom(elementCount(dims), 2 * sizeof(double));
  draw(node, [&](std::mt19937_64& random) {
    numbers = isNormal ? normals(node, random, elementCount(dims), node.number("mean", 0), node.number("scale", 1))
                       : uniforms(node, random, elementCount(dims), node.number("low", 0), node.number("high", 1));
  });
  node.set(0, node.makeNumbers(type, dims, numbers));
}

void runRandomNormal(HostNode& node) { runRandom(node, false, true); }
void runRandomNormalLike(HostNode& node) { runRandom(node, true, true); }
void runRandomUniform(HostNode& node) { runRandom(node, false, false); }
void runRandomUniformLike(HostNode& node) { runRandom(node, true, false); }

void runBernoulli(HostNode& node) {
  std::vector<double> numbers = node.numbers(0);
  const auto type = static_cast<ElementType>(node.integer("dtype", static_cast<std::int64_t>(node.value(0).type)));
  draw(node, [&](std::mt19937_64& random) {
    for (double& number : numbers) {
      node.tick();
      number = uniform(random) < number ? 1 : 0;
    }
  });
  node.set(0, node.makeNumbers(type, node.dims(0), numbers));
}

// Computes Dropout. Training mode keeps each element with probability 1 - ratio and scales it by 1 / (1 - ratio). It needs the
// host, because a graph has no random numbers.
void runDropout(HostNode& node) {
  std::vector<double> numbers = node.numbers(0);
  node.takeRoom(numbers.size(), sizeof(double));
  std::vector<double> mask(numbers.size(), 1);
  const std::vector<double> given = node.has(1) ? node.numbers(1) : std::vector<double>();
  const double ratio = given.empty() ? node.number("ratio", 0.5) : given[0];
  const bool isTraining = node.has(2) && node.integer(std::size_t{2}) != 0;
  if (!(ratio >= 0 && ratio < 1)) fail(ErrorKind::dataError, "its ratio is {}, not from 0 to below 1.", ratio);
  if (isTraining) {
    draw(node, [&](std::mt19937_64& random) {
      for (double& kept : mask) {
        node.tick();
        kept = uniform(random) < ratio ? 0 : 1;
      }
    });
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = mask[i] != 0 ? numbers[i] / (1 - ratio) : 0;
  }
  node.set(0, isTraining ? node.makeNumbers(node.value(0).type, node.dims(0), numbers) : node.value(0));
  node.set(1, node.makeNumbers(ElementType::boolean, node.dims(0), mask));
}

// Draws classes for each row of unscaled log-probabilities.
void runMultinomial(HostNode& node) {
  const Dims dims = node.dims(0);
  const std::int64_t samples = node.integer("sample_size", 1);
  if (dims.size() != 2 || dims[1] < 1 || samples < 1)
    fail(ErrorKind::dataError, "logarithms [{}] give no {} samples.", textOf(dims), samples);
  const std::vector<double> logarithms = node.numbers(0);
  const auto type = static_cast<ElementType>(node.integer("dtype", static_cast<std::int64_t>(ElementType::int32)));
  const auto classes = static_cast<std::size_t>(dims[1]);
  std::vector<double> chosen;
  node.takeRoom(elementCount({dims[0], samples}), 2 * sizeof(double));
  draw(node, [&](std::mt19937_64& random) {
    for (std::size_t row = 0; row < static_cast<std::size_t>(dims[0]); ++row) {
      const double* const own = logarithms.data() + row * classes;
      const double peak = *std::max_element(own, own + classes);
      std::vector<double> sums;
      double sum = 0;
      node.tick(classes);
      for (std::size_t i = 0; i < classes; ++i) sums.push_back(sum += std::exp(own[i] - peak));
      for (std::int64_t i = 0; i < samples; ++i) {
        if (i % 65536 == 0) node.check();
        const auto at = std::upper_bound(sums.begin(), sums.end(), uniform(random) * sum);
        chosen.push_back(static_cast<double>(std::min<std::ptrdiff_t>(at - sums.begin(), std::ssize(sums) - 1)));
      }
    }
  });
  node.set(0, node.makeNumbers(type, {dims[0], samples}, chosen));
}

}  // namespace

std::span<const HostOperator> randomSteps() {
  static constexpr HostOperator kSteps[]{{"", "Bernoulli", runBernoulli},
                                         {"", "Dropout", runDropout, true},
                                         {"", "Multinomial", runMultinomial},
                                         {"", "RandomNormal", runRandomNormal},
                                         {"", "RandomNormalLike", runRandomNormalLike},
                                         {"", "RandomUniform", runRandomUniform},
                                         {"", "RandomUniformLike", runRandomUniformLike}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
