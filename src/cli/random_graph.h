// Random graphs for comparing backends: every operation, type and rank, odd sizes, and the chains that backends fuse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "webnn/context.h"
#include "webnn/graph_builder.h"

namespace webnn::cli {

struct RandomGraph {
  Graph graph;
  std::vector<std::vector<std::byte>> inputs;  // packed bytes in the order of the graph's inputs
};

// The graph of a seed: the same on every machine. Its outputs are what no operation uses, and some of the rest.
//
// Operations that jump (comparisons, rounding, quantization, ...) work on exact values only: inputs and what is moved or
// computed of them without rounding. Two backends then differ by rounding alone.
RandomGraph makeRandomGraph(Context& context, std::uint64_t seed);

}  // namespace webnn::cli
