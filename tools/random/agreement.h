// What the outputs of a graph should be, and how far off a right backend's may be.
//
// What the operands determine to the bit (integers, small whole numbers in floats, elements that are only moved) must be
// equal, but for the sign of zeros and the bits of NaN. For the rest the reference runs again with the operands and results
// of every rounding operation moved by a few units in the last place, and what quantizeLinear rounds by one: a result may
// be off by some times what these are. Where a run gives NaN or an infinity and another does not, anything is right; where
// all give the same one, it must be that.
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
  // Whether all outputs must be equal.
  bool isExact() const;
};

// `inputs` in the order of the graph's. `seed` is that of the moves.
Expected expect(const GraphDefinition& graph, const std::vector<Bytes>& inputs, std::uint64_t seed);

// The same without runs that are moved: the limits are of what is rounded once, which most results keep.
Expected expectRounded(const GraphDefinition& graph, const std::vector<Bytes>& inputs);

// The first element of an output that is off by more than it may be, as text.
std::optional<std::string> difference(const GraphDefinition& graph, const std::vector<Bytes>& actual, const Expected& expected);

// The same, but what differs is looked at again with the limits of some runs, then of many, which `expected` then has: in a
// few, what one operation moves and what the next one moves may cancel, and a sum near 0 may keep its sign.
std::optional<std::string> disagreement(const GraphDefinition& graph, const std::vector<Bytes>& inputs, std::uint64_t seed,
                                        const std::vector<Bytes>& actual, Expected& expected);

// "0.1", "NaN", "-7"
std::string elementText(DataType type, const Bytes& packed, std::size_t index);

}  // namespace webnn::random
