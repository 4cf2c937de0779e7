#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "graph/graph_definition.h"

namespace webnn::measure {

struct GraphStatistics {
  std::map<std::string, std::size_t> operations;  // number of operations by name
  std::uint64_t parameters = 0;                   // elements of all constants
  std::uint64_t parameterBytes = 0;
  std::uint64_t inputBytes = 0;
  std::uint64_t peakBytes = 0;  // peak of intermediate results and outputs; see graph/memory_estimate.h

  std::uint64_t totalBytes() const { return parameterBytes + inputBytes + peakBytes; }
};

GraphStatistics statisticsOf(const GraphDefinition& graph);
// Counts operations and parameters only, which do not depend on the sizes of a graph with open dimensions.
GraphStatistics countsOf(const GraphDefinition& graph);

}  // namespace webnn::measure
