// Checking what the CPU engine says of where operations run.
#pragma once

#include <string>

#include "graph/graph_definition.h"

namespace webnn::test {

// Compiles the graph for the CPU engine, runs it, and EXPECTs of its placement what holds for every graph: each operation runs in
// steps, or is constant if it depends on constants alone, or is removed; each step but copies is one of an operation, which has
// its label; and no operation runs before all of what it depends on.
// `disable` is the engine's option.
void expectPlacementIsWhole(const GraphDefinition& graph, const std::string& disable = {});

}  // namespace webnn::test
