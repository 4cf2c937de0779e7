// Makes random steps that build graphs, with open sizes or with numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/support.h"

namespace webnn::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  int below(int limit) { return limit <= 1 ? 0 : static_cast<int>(engine_() % static_cast<std::uint64_t>(limit)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool oneIn(int n) { return below(n) == 0; }

 private:
  std::mt19937_64 engine_;
};

// Names a dimension of an earlier value.
struct Reference {
  int value = 0, axis = 0;
};

// A size in terms of dimensions: floor((product of factors * multiplier + addend) / divisor).
struct Term {
  std::vector<Reference> factors{};
  std::int64_t multiplier = 1, addend = 0, divisor = 1;
};
inline Term number(std::int64_t value) { return {.multiplier = 0, .addend = value}; }

// Makes the calls of one graph, with open sizes or with numbers.
struct Calls {
  GraphBuilder& builder;
  bool isOpen = false;
  std::vector<Operand> values{};
  std::set<int> used{};
  bool hasBadSize = false;  // a size in a field was 0 or negative

  Operand at(int index) {
    used.insert(index);
    return values[static_cast<std::size_t>(index)];
  }
  std::uint32_t size(const Term& term) {
    if (isOpen) {
      std::string text = std::to_string(term.multiplier);
      for (const auto& [value, axis] : term.factors) {
        const Dimension dimension = values[static_cast<std::size_t>(value)].dimensions()[static_cast<std::size_t>(axis)];
        text += " * (" + (dimension.text.empty() ? std::to_string(dimension.size) : dimension.text) + ")";
      }
      return builder.openSize("floor((" + text + " + (" + std::to_string(term.addend) + ")) / " + std::to_string(term.divisor) +
                              ")");
    }
    std::int64_t product = term.multiplier;
    for (const auto& [value, axis] : term.factors)
      product *= values[static_cast<std::size_t>(value)].shape()[static_cast<std::size_t>(axis)];
    const std::int64_t sum = product + term.addend;
    const std::int64_t result = sum >= 0 ? sum / term.divisor : -((-sum + term.divisor - 1) / term.divisor);
    hasBadSize = hasBadSize || result <= 0;
    return static_cast<std::uint32_t>(result);
  }
  std::vector<std::uint32_t> sizes(const std::vector<Term>& terms) {
    std::vector<std::uint32_t> result;
    for (const Term& term : terms) result.push_back(size(term));
    return result;
  }
  Operand floats(Shape shape, double first) {
    std::vector<Number> numbers;
    for (std::size_t i = 0; i < elementCount({DataType::float32, shape}); ++i)
      numbers.emplace_back(first + static_cast<double>(i % 7) * 0.25 - 0.5);
    const OperandDescriptor descriptor{DataType::float32, std::move(shape)};
    return builder.constant(descriptor, pack(descriptor, numbers));
  }
};

using Step = std::function<std::vector<Operand>(Calls&)>;

// Returns a random step that uses the values of `calls`. The result is empty if the chosen step is not possible.
Step randomStep(Random& random, const Calls& calls);

}  // namespace webnn::test
