// Compares the CPU engine with the reference backend.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/support.h"

namespace webnn::test {

// Settings for filling the inputs and comparing the results.
struct CpuCase {
  double low = -2, high = 2;  // the range of random input values (for integers, clipped to the type's range)
  std::uint32_t seed = 1;
  bool specials = false;  // puts NaN, infinities, -0, denormals and the largest numbers among the floats
  // A result y passes if |y - expected| <= absolute + relative * |expected|. Unless `relative` is 0, a float16 result may differ
  // by one more unit in the last place, because it is rounded once. Integers may differ by `integers` units.
  double relative = 2e-6, absolute = 1e-6;
  std::uint64_t integers = 0;
  bool haveSameBytes = false;                         // 8-bit outputs must be equal on all instruction sets
  std::map<std::string, std::vector<Number>> inputs;  // values of inputs, by name; other inputs get random values
  std::string disable;                                // passes to disable
};

// Returns the instruction sets of this machine, such as "sse4" or "neon".
std::vector<std::string> cpuIsas();
// Returns cpuIsas(), and instruction sets without some features that 8-bit products and lookup tables use, such as
// "avx512,-vnni".
std::vector<std::string> byteIsas();

// Runs the graph of `outputs` on the reference backend and on the CPU engine, and compares the results. `fixture` must have made
// all inputs that the graph uses. The engine runs with one and two threads on every instruction set of cpuIsas(), or of
// byteIsas() if an operand has an 8-bit type. Tensors end at guard pages, whatever their alignment. Memory is watched and
// poisoned (backends/cpu/compile/memory_watch.h). With one thread, each value has its own memory; with two, values share memory
// as planned. All runs on one instruction set must be bit-identical. For a small graph, the reference backend also computes the
// module after each pass (backends/cpu/compile/validate_passes.h). Differences are reported with EXPECT.
void expectCpuAgrees(Fixture& fixture, const std::vector<Operand>& outputs, const CpuCase& options = {});

// Builds the graph and returns the kernel of each step, as the engine's profile reports it: "gemm f32 128x768x768 avx512". `isa`
// selects the instruction set; the default is the best one. `outputs` must belong to the builder of `fixture`.
std::vector<std::string> cpuKernels(Fixture& fixture, const std::vector<Operand>& outputs, std::string disable = {},
                                    std::string isa = {});

}  // namespace webnn::test
