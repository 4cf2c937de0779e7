// Computes a graph's expected outputs and the errors that a correct backend may have.
// Results that the operands determine exactly (integers, small whole floats, moved elements) must be equal, except for the sign
// of zero and the bits of NaN. For other results, the reference runs again with perturbed values: operands and results of
// rounding operations change by a few units in the last place, results of quantizeLinear by one. The allowed error is a multiple
// of the resulting differences, and a few roundings of the result.
// If only some runs give NaN or infinity for an element, any value is correct. If all do, the value must match.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/graph_definition.h"
#include "random/elements.h"

namespace webnn::random {

struct Expected {
  std::vector<Bytes> bytes;                 // expected bytes of each output
  std::vector<std::vector<double>> limits;  // allowed error of each element of each output; empty if the output must be equal
  int runs = 0;                             // number of perturbed runs that the limits come from
  bool hasPoles = false;                    // whether the graph has an operation with poles, such as div or log
  // Returns whether all outputs must be equal to the expected ones.
  bool isExact() const;
};

// Computes the expected outputs. `inputs` are in the order of the graph's inputs. `seed` determines the perturbations.
Expected expect(const GraphDefinition& graph, const std::vector<Bytes>& inputs, std::uint64_t seed);

// Computes limits without perturbed runs, for values rounded once. Most results of correct backends satisfy these narrow limits.
Expected expectRounded(const GraphDefinition& graph, const std::vector<Bytes>& inputs);

// Returns the first element whose error exceeds its limit, as text; nullopt if there is none.
std::optional<std::string> difference(const GraphDefinition& graph, const std::vector<Bytes>& actual, const Expected& expected);

// Returns difference() for the limits in `expected`. If a result differs, widens the limits with a few perturbed runs and then
// with many, and compares again after each step, because perturbations may cancel in few runs, and a sum near 0 may keep its
// sign.
std::optional<std::string> disagreement(const GraphDefinition& graph, const std::vector<Bytes>& inputs, std::uint64_t seed,
                                        const std::vector<Bytes>& actual, Expected& expected);

// Formats an element as "0.1", "NaN" or "-7".
std::string elementText(DataType type, const Bytes& packed, std::size_t index);

}  // namespace webnn::random
