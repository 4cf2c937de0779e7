// Helpers to examine the result of passes.
#pragma once

#include "backends/cpu/compile/pipeline.h"
#include "cpu/cpu_support.h"

namespace webnn::test {

using PassFunction = void (*)(cpu::Module&, const cpu::PassOptions&);

// Builds the graph of `outputs` and applies the passes. Returns the names of its operations: "matmul add softmax".
std::string operationsAfter(Fixture& fixture, const std::vector<Operand>& outputs, const std::vector<PassFunction>& passes);

// make(fixture) returns the output of a graph. Expects `operations` after the pass, and that the complete engine gives the values
// of the reference backend.
template <typename Make>
void expectAfterPass(PassFunction pass, const std::string& operations, Make make, const CpuCase& options = {}) {
  Fixture f;
  EXPECT_EQ(operationsAfter(f, {make(f)}, {pass}), operations);
  Fixture g;
  expectCpuAgrees(g, {make(g)}, options);
}

}  // namespace webnn::test
