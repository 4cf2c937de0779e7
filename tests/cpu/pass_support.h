// Looking at what passes make of a graph.
#pragma once

#include "backends/cpu/compile/pipeline.h"
#include "cpu/cpu_support.h"

namespace webnn::test {

using PassFunction = void (*)(cpu::Module&, const cpu::PassOptions&);

// The names of the operations of the graph of `outputs` after the passes: "matmul add softmax". Builds the graph.
std::string operationsAfter(Fixture& fixture, const std::vector<Operand>& outputs, const std::vector<PassFunction>& passes);

// make(fixture) gives the output of a graph: expects these operations after the pass, and the values of the reference from
// the whole engine.
template <typename Make>
void expectAfterPass(PassFunction pass, const std::string& operations, Make make, const CpuCase& options = {}) {
  Fixture f;
  EXPECT_EQ(operationsAfter(f, {make(f)}, {pass}), operations);
  Fixture g;
  expectCpuAgrees(g, {make(g)}, options);
}

}  // namespace webnn::test
