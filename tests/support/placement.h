// Checks where the CPU engine says that operations run.
#pragma once

#include <string>

#include "graph/graph_definition.h"

namespace webnn::test {

// Compiles the graph for the CPU engine, runs it, and checks what must be true of the placement of every graph. Each operation
// has steps, or is constant (if it depends on constants only), or is removed. Each step except copies belongs to an operation and
// has its label. The last step of an operation is not before the first step of any operation on which it depends (placement.cpp
// lists exceptions).
// `disable`: the engine's option with the names of passes to disable.
void expectPlacementIsWhole(const GraphDefinition& graph, const std::string& disable = {});

}  // namespace webnn::test
