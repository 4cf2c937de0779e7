// The expected outputs of a graph and the allowed errors of a correct backend.
// Results that operands determine to the bit (integers, small whole floats, moved elements) must be equal, except for the sign of
// zero and the bits of NaN. For other results, the reference runs again with operands and results of every rounding operation
// moved by a few units in the last place, and results of quantizeLinear by one: an error may be a multiple of these differences.
// If one run gives NaN or infinity and another does not, anything is correct; if all agree on it, the result must match.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/graph_definition.h"
#include "random/elements.h"

namespace webnn::random {

struct Expected {
  std::vector<Bytes> bytes;                 // of each output
  std::vector<std::vector<double>> limits;  // of each element of each output; none for an output that must be equal
  int runs = 0;                             // with moves, of which the limits are
  bool hasPoles = false;                    // whether a rounding may make something of the graph infinite, or NaN
  // Returns whether all outputs must be equal.
  bool isExact() const;
};

// `inputs` in the order of the graph's. `seed` is that of the moves.
Expected expect(const GraphDefinition& graph, const std::vector<Bytes>& inputs, std::uint64_t seed);

// Computes limits without moved runs: for values rounded once, which most results satisfy.
Expected expectRounded(const GraphDefinition& graph, const std::vector<Bytes>& inputs);

// The first element of an output that is off by more than it may be, as text.
std::optional<std::string> difference(const GraphDefinition& graph, const std::vector<Bytes>& actual, const Expected& expected);

// Compares, and examines differences again with limits from some, then many runs, which are added to `expected`: in few runs the
// moves of two operations may cancel, and a sum near 0 may keep its sign.
std::optional<std::string> disagreement(const GraphDefinition& graph, const std::vector<Bytes>& inputs, std::uint64_t seed,
                                        const std::vector<Bytes>& actual, Expected& expected);

// "0.1", "NaN", "-7"
std::string elementText(DataType type, const Bytes& packed, std::size_t index);

}  // namespace webnn::random
