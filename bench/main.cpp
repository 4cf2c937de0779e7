// Measures operations, by default on the CPU engine (see bench_graph.h); --help lists Google Benchmark's options, mainly
// --benchmark_filter.
#include <benchmark/benchmark.h>

#include "bench_graph.h"

int main(int argc, char** argv) {
  using namespace webnn::bench;
  addActivation();
  addConv();
  addElementwiseBinary();
  addElementwiseUnary();
  addGatherScatter();
  addMatmul();
  addNormalization();
  addPool();
  addQuantize();
  addRecurrent();
  addReduce();
  addResample();
  addShape();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
