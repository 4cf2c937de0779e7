// Comparing the CPU engine with the reference.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/support.h"

namespace webnn::test {

// Settings for filling the inputs and comparing the results.
struct CpuCase {
  double low = -2, high = 2;  // the range of random numbers of inputs (of integers too, cut to the type's range)
  std::uint32_t seed = 1;
  bool specials = false;  // puts NaN, infinities, -0, denormals and the largest numbers among the floats
  // A result y passes if |y - expected| <= absolute + relative * |expected|; a float16 one may be a unit in the last place
  // further off, as it is rounded once, unless `relative` is 0. Integers must be equal, up to `integers` units.
  double relative = 2e-6, absolute = 1e-6;
  std::uint64_t integers = 0;
  bool haveSameBytes = false;                         // outputs of 8 bits, on all instruction sets
  std::map<std::string, std::vector<Number>> inputs;  // given values by input name instead of random ones
  std::string disable;                                // passes to switch off
};

// The instruction sets of this machine: "sse4" or "neon", ...
std::vector<std::string> cpuIsas();
// Besides, the same without features of this machine that products and tables of bytes use: "avx512,-vnni".
std::vector<std::string> byteIsas();

// Runs the graph of `outputs` (made with `fixture`, whose inputs are all inputs it uses) on the reference, and on the CPU
// engine for every instruction set with one and with two threads, the tensors lying before guard pages, at odd alignments,
// and compares. Memory is watched and poisoned (backends/cpu/compile/memory_watch.h): with one thread, values lie apart, with
// two, as planned. All runs must be equal bit by bit. For a small graph, the reference also computes the module after each
// pass (backends/cpu/compile/validate_passes.h). EXPECTs name the difference.
void expectCpuAgrees(Fixture& fixture, const std::vector<Operand>& outputs, const CpuCase& options = {});

// The kernels that the engine runs the graph with, as its profile tells, by step: "gemm f32 128x768x768 avx512".
// The best instruction set runs it, or the one named.
// The outputs must have been built for `fixture`'s builder; the graph is built by this call.
std::vector<std::string> cpuKernels(Fixture& fixture, const std::vector<Operand>& outputs, std::string disable = {},
                                    std::string isa = {});

}  // namespace webnn::test
