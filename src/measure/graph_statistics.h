// What a graph needs: operations, parameters, memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "graph/graph_definition.h"

namespace webnn::measure {

struct GraphStatistics {
  std::map<std::string, std::size_t> operations;  // how many of each name
  std::uint64_t parameters = 0;                   // elements of all constants
  std::uint64_t parameterBytes = 0;
  std::uint64_t inputBytes = 0;
  // The largest sum of the bytes of results that must live at the same time if the operations run in their order and each
  // result is freed after its last use; outputs live to the end.
  std::uint64_t peakBytes = 0;

  std::uint64_t totalBytes() const { return parameterBytes + inputBytes + peakBytes; }
};

GraphStatistics statisticsOf(const GraphDefinition& graph);

}  // namespace webnn::measure
