// Fuzzes the compiler and the CPU engine: builds a graph from the input and compares the engine's results with the reference's.
#include <cstdio>
#include <cstdlib>

#include "random/random_graph.h"
#include "random/trial.h"

namespace {

using namespace webnn;

// Returns a trial for each of these instruction sets that this machine can run. A trial compares the CPU engine with the
// reference.
std::vector<random::Trial> trials() {
  std::vector<random::Trial> all;
  for (const char* isa : {"sse4", "avx2", "avx512", "amx-emulated"}) {
    ContextOptions options{
        .backend = "cpu", .execution = Execution::callerThread, .threads = 1, .backendOptions = {{"isa", isa}}, .onError = {}};
    try {
      all.emplace_back(std::vector{random::Contender{isa, 0, options}});
    } catch (const Error&) {  // this processor lacks the instruction set
    }
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::vector<random::Trial> contenders = trials();
  static const Context trusted = Context::create({.backend = "reference", .execution = Execution::callerThread});
  random::Choices choices{std::span(data, size)};
  random::Trial& trial = contenders[choices.below(contenders.size())];
  const random::RandomGraph made = random::makeRandomGraph(trusted, choices);
  if (const auto wrong = trial.run(made.graph, made.inputs, 1)) {
    std::fprintf(stderr, "%s\n", wrong->c_str());
    std::abort();
  }
  return 0;
}
